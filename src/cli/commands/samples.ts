import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { z } from 'zod';
import { readJournal } from '../../journal/index.ts';
import { AppError, messageOf } from '../../kernel/index.ts';
import {
  agreementCsv,
  compareSamples,
  jsonText,
  reportOptionsOf,
  type SampleRun,
  samplesText,
  writeWhole,
} from '../../results/runs/index.ts';
import { resumeSamples, runSamples, type SamplesContext, type SamplesEnd } from '../../runner/index.ts';
import { readFlags } from '../flags/flags.ts';
import { type Io, type Output, printLine, printText } from '../io.ts';
import { alarmLines, printAlarms, printOutcome } from '../print-outcome.ts';
import { onInterrupt, runContext } from '../run-context.ts';
import { readAsked } from './run.ts';

interface Shown {
  readonly json?: boolean | undefined;
  readonly quiet?: boolean | undefined;
}

/**
 * `sandtable run --samples N`: makes several independent runs of one strategy and compares them. Returns the
 * exit code.
 */
export async function samplesCommand(file: string | undefined, given: unknown, io: Io): Promise<number> {
  const { request, samples = 1, concurrency, both, recorded, ...shown } = readAsked(file, given);
  const problem = both
    ? '--samples cannot be combined with --resolve both: the answers differ in each sample.'
    : recorded
      ? '--samples cannot be combined with --recording: each sample sends its own requests.'
      : undefined;
  if (problem !== undefined) {
    throw new AppError({
      code: 'bad_flags',
      message: problem,
      hint: 'Remove --samples, or remove --recording and --resolve both.',
    });
  }
  const { strategy } = request;
  if (strategy !== undefined && typeof strategy !== 'string')
    throw new Error('samples are of a strategy file or an agent');
  const whole = { ...request, strategy };
  return withSamples(shown, io, (context) => runSamples(whole, { samples, concurrency }, context));
}

const resumeFlagsSchema = z.object({
  json: z.boolean().optional(),
  quiet: z.boolean().optional(),
  verbose: z.boolean().optional(),
});

/**
 * `sandtable resume` for a folder of `run --samples N`: resumes stopped runs and starts missing ones. Returns
 * the exit code.
 */
export async function resumeSamplesCommand(folder: string, given: unknown, io: Io): Promise<number> {
  const flags = readFlags(resumeFlagsSchema, given, 'resume');
  return withSamples(flags, io, (context) => resumeSamples(folder, context));
}

async function withSamples(
  shown: Shown,
  io: Io,
  make: (context: SamplesContext) => Promise<SamplesEnd>,
): Promise<number> {
  const interrupt = onInterrupt();
  const own = (sample: number): Io => ({
    ...io,
    stdout: silent(),
    stderr: prefixed(io.stderr, `Sample ${sample}: `),
  });
  try {
    const end = await make({
      signal: interrupt.signal,
      contextOf(sample) {
        const sampleIo = own(sample);
        return runContext(sampleIo, true, (runEnd) => {
          printAlarms(alarmLines(runEnd.summary), sampleIo);
          printOutcome(runEnd, sampleIo);
        });
      },
      done(sample, complete, of) {
        if (shown.quiet !== true)
          printLine(io.stderr, `Sample ${sample} of ${of}: ${complete ? 'complete' : 'not complete'}`);
      },
      failed(sample, error) {
        printLine(own(sample).stderr, `error: ${messageOf(error)}\n  ${error.hint}`);
      },
    });
    return report(end, shown, io);
  } finally {
    interrupt.release();
  }
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

function report({ folder, samples, incomplete }: SamplesEnd, shown: Shown, io: Io): number {
  const runs = Array.from({ length: samples }, (_, index) => index + 1).flatMap((sample): SampleRun[] => {
    const own = `sample-${sample}`;
    const file = join(folder, own, 'journal.jsonl');
    if (!existsSync(file)) return [];
    return [{ sample, folder: own, record: readJournal(file), options: reportOptionsOf(join(folder, own)) }];
  });
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
    else if (shown.quiet !== true) printText(io, `${samplesText(comparison)}\n\nFolder    ${folder}`);
  }
  if (incomplete.length === 0) return 0;
  printLine(
    io.stderr,
    `Not complete: sample ${incomplete.join(', ')}. Resume with: npx sandtable resume ${folder}`,
  );
  return 1;
}
