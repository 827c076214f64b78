import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { z } from 'zod';
import { loadStrategy, withEnvFile } from '../../agent/index.ts';
import { readJournal } from '../../journal/index.ts';
import { AppError, fileProblem, messageOf } from '../../kernel/index.ts';
import {
  agreementCsv,
  compareSamples,
  createRunFolder,
  jsonText,
  reportOptionsOf,
  runIdFor,
  type SampleRun,
  samplesText,
  writeWhole,
} from '../../runs/index.ts';
import { readFlags, runFlagsSchema } from '../flags.ts';
import { onInterrupt } from '../interrupt.ts';
import { type Io, type Output, printLine } from '../io.ts';
import { startRun } from '../run/start-run.ts';
import { lockRun } from '../run-lock.ts';
import { resumeCommand } from './resume.ts';
import { readAsked } from './run.ts';

/** Samples at work at once where nothing is said: each may have a Python process of its own. */
const CONCURRENCY = 2;
const FILE = 'samples.json';

/** `samples.json`: what a folder of samples was asked for, written before the first of them starts. */
const askedSchema = z.strictObject({
  schema: z.literal(1),
  runId: z.string(),
  samples: z.number().int().min(1),
  file: z.string(),
  parameters: z.record(z.string(), z.string()),
  flags: z.looseObject({ data: z.array(z.string()).min(1) }),
});
type AskedSamples = z.infer<typeof askedSchema>;

/** Whether a folder holds samples rather than one run. */
export function holdsSamples(folder: string): boolean {
  return existsSync(join(folder, FILE));
}

/** `sandtable run --samples N`: independent runs of one strategy, compared; gives the exit code. */
export async function samplesCommand(file: string, given: unknown, io: Io): Promise<number> {
  const { flags, parameters } = readAsked(file, given);
  const samples = flags.samples ?? 1;
  const strategy = await loadStrategy(file, parameters, { environment: withEnvFile(io.env) });
  const problem =
    strategy.kind !== 'llm'
      ? `${file} is no strategy for a model: every run of it is the same.`
      : flags.resolve === 'both'
        ? 'Samples answer differently each time: they cannot show both answers to one run.'
        : flags.recording === undefined && flags.replayOnly !== true
          ? undefined
          : 'Samples are asked for anew: they cannot all have one record.';
  if (problem !== undefined) {
    throw new AppError({
      code: 'bad_flags',
      message: problem,
      remedy: 'Leave --samples out, or --recording and --resolve both.',
    });
  }
  const { out, json: _, quiet: __, samples: ___, ...kept } = flags;
  const id = runIdFor(`${strategy.name}-samples`, new Date(), JSON.stringify([file, parameters, kept]));
  const { runId, folder } = createRunFolder(out ?? 'reports', id);
  const whole: AskedSamples = {
    schema: 1,
    runId,
    samples,
    file,
    parameters: { ...parameters },
    flags: { ...kept, data: kept.data ?? [] },
  };
  writeWhole(join(folder, FILE), jsonText(whole));
  return runAll(folder, whole, flags, io);
}

/** `sandtable resume` of a folder of samples: those that are not complete go on, or begin. */
export async function resumeSamplesCommand(folder: string, given: unknown, io: Io): Promise<number> {
  const flags = readFlags(resumeFlagsSchema, given, 'resume');
  return runAll(folder, readSamples(folder), flags, io);
}

const resumeFlagsSchema = z.object({ json: z.boolean().optional(), quiet: z.boolean().optional() });

function readSamples(folder: string): AskedSamples {
  const file = join(folder, FILE);
  try {
    return askedSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (cause) {
    const problem =
      cause instanceof SyntaxError || cause instanceof z.ZodError
        ? 'it is not as Sandtable writes it'
        : fileProblem(cause);
    throw new AppError({
      code: 'not_a_run',
      message: `Cannot use ${file}: ${problem}.`,
      remedy: 'Name the folder that sandtable run --samples made.',
      cause,
    });
  }
}

async function runAll(
  folder: string,
  asked: AskedSamples,
  shown: { readonly json?: boolean | undefined; readonly quiet?: boolean | undefined },
  io: Io,
): Promise<number> {
  const lock = lockRun(folder);
  const interrupt = onInterrupt();
  try {
    const numbers = Array.from({ length: asked.samples }, (_, index) => index + 1);
    const codes = new Map<number, number>();
    const next = numbers.values();
    const work = async (): Promise<void> => {
      for (const number of next) {
        if (interrupt.signal.aborted) return;
        codes.set(number, await runOne(folder, number, asked, io));
        if (shown.quiet !== true)
          printLine(io.stderr, `Sample ${number} of ${asked.samples}: ${outcomeText(codes.get(number))}`);
      }
    };
    const atOnce = Math.min(Number(asked.flags.concurrency ?? CONCURRENCY), asked.samples);
    await Promise.all(Array.from({ length: atOnce }, work));
    return report(folder, numbers, codes, shown, io);
  } finally {
    interrupt.release();
    lock.release();
  }
}

function outcomeText(code: number | undefined): string {
  return code === 0 ? 'complete' : 'not complete';
}

/** Starts a sample, or goes on with what an earlier process left of it. */
async function runOne(parent: string, number: number, asked: AskedSamples, io: Io): Promise<number> {
  const folder = join(parent, `sample-${number}`);
  const own = { ...io, stdout: silent(), stderr: prefixed(io.stderr, `Sample ${number}: `) };
  try {
    if (existsSync(folder) && begun(folder)) return await resumeCommand(folder, { quiet: true }, own);
    // A kill before its first line left nothing that was paid for.
    rmSync(folder, { recursive: true, force: true });
    const flags = runFlagsSchema.parse(asTexts(asked.flags));
    const sample = { number, folder: parent, runId: asked.runId };
    const run = { file: asked.file, parameters: asked.parameters, flags: { ...flags, quiet: true }, sample };
    return await startRun(run, own);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    printLine(own.stderr, `error: ${messageOf(error)}`);
    printLine(own.stderr, `  ${error.remedy}`);
    return 1;
  }
}

function begun(folder: string): boolean {
  try {
    return (
      existsSync(join(folder, 'inputs.json')) && readFileSync(join(folder, 'journal.jsonl')).includes(10)
    );
  } catch {
    return false;
  }
}

/** Flags as they were read, as a command line would give them again. */
function asTexts(flags: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(flags).map(([name, value]) => [
      name,
      name === 'mask' ? (value as string[]).join(',') : typeof value === 'number' ? String(value) : value,
    ]),
  );
}

function silent(): Output {
  const output = new PassThrough();
  output.resume();
  return output;
}

function prefixed(output: Output, prefix: string): Output {
  const passing = new PassThrough();
  passing.on('data', (data: Buffer) => {
    for (const line of data.toString('utf8').split('\n'))
      if (line.trim() !== '') printLine(output, prefix + line);
  });
  return passing;
}

function report(
  folder: string,
  numbers: readonly number[],
  codes: ReadonlyMap<number, number>,
  shown: { readonly json?: boolean | undefined; readonly quiet?: boolean | undefined },
  io: Io,
): number {
  const runs = numbers.flatMap((sample): SampleRun[] => {
    const own = `sample-${sample}`;
    const file = join(folder, own, 'journal.jsonl');
    if (!existsSync(file)) return [];
    return [{ sample, folder: own, record: readJournal(file), options: reportOptionsOf(join(folder, own)) }];
  });
  const complete = numbers.every((number) => codes.get(number) === 0);
  if (runs.length > 0) {
    const { comparison, bars } = compareSamples(runs);
    writeWhole(
      join(folder, 'agreement.csv'),
      agreementCsv(
        bars,
        runs.map(({ sample }) => sample),
      ),
    );
    writeWhole(join(folder, 'comparison.json'), jsonText(comparison));
    if (shown.json === true) printLine(io.stdout, JSON.stringify(comparison, null, 2));
    else if (shown.quiet !== true) printLine(io.stdout, `${samplesText(comparison)}\n\nFolder    ${folder}`);
  }
  if (complete) return 0;
  const left = numbers.filter((number) => codes.get(number) !== 0);
  printLine(io.stderr, `Not complete: sample ${left.join(', ')}. Go on with: npx sandtable resume ${folder}`);
  return 1;
}
