import { appendFileSync } from 'node:fs';
import { z } from 'zod';
import {
  loadStrategy,
  type ProbeReport,
  readScriptFile,
  type ScriptedCall,
  startScriptedModel,
  withEnvFile,
} from '../../agents/index.ts';
import { AppError } from '../../kernel/index.ts';
import { loadMarket } from '../../market/index.ts';
import { loadOptions } from '../../runner/index.ts';
import { endOfNpx } from '../end-of-npx.ts';
import { numberText } from '../flags/flag-values.ts';
import { missingData, probeFlagsSchema, readFlags } from '../flags/flags.ts';
import { type Io, printLine, writeNamedFile } from '../io.ts';
import { onInterrupt, ProgressLine } from '../run-context.ts';

const QUESTIONS = 30;

/**
 * `sandtable probe`: sends a strategy's language model questions about the market data, without the data. More
 * correct answers than chance explains show that the model remembers the data from its training. Returns the
 * exit code.
 */
export async function probeCommand(file: string, given: unknown, io: Io): Promise<number> {
  const flags = readFlags(probeFlagsSchema, given, 'probe', missingData(given as { data?: unknown }));
  const environment = withEnvFile(io.env);
  const strategy = await loadStrategy(file, {}, { environment });
  if (strategy.probe === undefined) {
    throw new AppError({
      code: 'not_a_model',
      message: `${file} does not use a model.`,
      hint: 'Pass a strategy in Markdown, for example strategies/llm-momentum.md.',
    });
  }
  const { market, notes = [] } = await loadMarket(loadOptions(flags));
  for (const note of notes) printLine(io.stderr, `note: ${note}`);
  const questions = flags.questions ?? QUESTIONS;
  const progress = new ProgressLine(io, flags.json === true);
  const interrupt = onInterrupt();
  try {
    const report = await strategy.probe(market, {
      environment,
      signal: interrupt.signal,
      questions,
      seed: flags.seed ?? 0,
      onProgress: (done) => progress.show('probe', done, questions, 'questions'),
    });
    progress.end();
    printLine(io.stdout, flags.json === true ? JSON.stringify(report, null, 2) : probeText(report));
    return 0;
  } catch (error) {
    if (!interrupt.signal.aborted) throw error;
    printLine(io.stderr, 'Stopped on request: nothing was scored.');
    return 1;
  } finally {
    progress.end();
    interrupt.release();
  }
}

function probeText(report: ProbeReport): string {
  const { model, questions, direction, level, probability, smallest, hasPower, remembers } = report;
  const line = (what: string, { answered, right, chance, probability }: ProbeReport['level']): string =>
    answered === 0
      ? `${what} no answers`
      : `${what} ${right} of ${answered} right (${percent(right / answered)}); at random dates ${percent(chance)}; p = ${probability!.toPrecision(2)}`;
  return [
    `${model} received ${questions} questions without data.`,
    line('Up or down over 20 bars:  ', direction),
    line('Close within 2 %:         ', level),
    ...(probability === null
      ? []
      : [
          `Better of the two: p = ${probability.toPrecision(2)}, doubled for two tests; the smallest possible value, with all answers right, is p = ${smallest!.toPrecision(2)}.`,
        ]),
    remembers
      ? 'The model remembers this window: results on it flatter the model. Use --mask, or data after its cutoff.'
      : hasPower
        ? 'No sign that the model remembers this window. This does not prove that the model has no memory of it.'
        : 'Too few answers to distinguish memory from chance.',
  ].join('\n');
}

function percent(share: number): string {
  return `${(share * 100).toFixed(0)}%`;
}

const flagsSchema = z.object({
  port: numberText({ min: 0, max: 65_535, whole: true }).optional(),
  host: z.string().optional(),
  record: z.string().optional(),
});

/**
 * `sandtable mock-llm`: starts a local server that answers model requests with the replies of a script, until
 * it is interrupted. Returns exit code 1 if requests were unexpected or steps of the script were not used.
 */
export async function mockLlmCommand(file: string, given: unknown, io: Io): Promise<number> {
  const flags = readFlags(flagsSchema, given, 'mock-llm');
  const script = readScriptFile(file);
  if (flags.record !== undefined)
    writeNamedFile(flags.record, '', {
      code: 'record_unwritable',
      hint: 'Pass a writable file with --record.',
    });
  const { signal: interrupted, release } = onInterrupt();
  const signal = AbortSignal.any([interrupted, endOfNpx(io.env, interrupted)]);
  const model = await startScriptedModel(script, {
    ...(flags.port === undefined ? {} : { port: flags.port }),
    ...(flags.host === undefined ? {} : { host: flags.host }),
    onCall(call) {
      if (flags.record !== undefined) record(flags.record, call);
    },
  });
  printLine(io.stdout, model.url);
  printLine(
    io.stderr,
    `The scripted model is listening. Set OPENAI_BASE_URL=${model.url}. Press Ctrl-C to stop.`,
  );
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  release();
  await model.close();
  const problems = [...model.unexpected, ...model.leftover()];
  printLine(io.stderr, `${model.calls.length} requests received.`);
  for (const problem of problems) printLine(io.stderr, `error: ${problem}`);
  return problems.length === 0 ? 0 : 1;
}

function record(file: string, call: ScriptedCall): void {
  appendFileSync(file, `${JSON.stringify(call)}\n`);
}
