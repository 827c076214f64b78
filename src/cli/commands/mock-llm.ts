import { appendFileSync } from 'node:fs';
import { z } from 'zod';
import { readScriptFile, type ScriptedCall, startScriptedModel } from '../../agents/index.ts';
import { numberText } from '../flags/flag-values.ts';
import { readFlags } from '../flags/flags.ts';
import { type Io, printLine } from '../io.ts';
import { onInterrupt } from '../run-context.ts';
import { writeNamedFile } from '../write-file.ts';

const flagsSchema = z.object({
  port: numberText({ min: 0, max: 65_535, whole: true }).optional(),
  host: z.string().optional(),
  record: z.string().optional(),
});

/**
 * `sandtable mock-llm`: serves a script until it is interrupted. Returns exit code 1 for unexpected requests
 * or unused steps.
 */
export async function mockLlmCommand(file: string, given: unknown, io: Io): Promise<number> {
  const flags = readFlags(flagsSchema, given, 'mock-llm');
  const script = readScriptFile(file);
  if (flags.record !== undefined)
    writeNamedFile(flags.record, '', {
      code: 'record_unwritable',
      hint: 'Pass a writable file with --record.',
    });
  const { signal, release } = onInterrupt();
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
