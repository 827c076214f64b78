import { z } from 'zod';
import type { Fault } from '../../kernel/index.ts';
import { stressText } from '../../pages/index.ts';
import { readNoise, resumeStress, runStress, type StressEnd, WORLD_KINDS } from '../../research/index.ts';
import { flagNamed, numberText, readBudget } from '../flags/flag-values.ts';
import {
  givenFlags,
  missingData,
  missingStrategy,
  readFlags,
  runFlagsSchema,
  runOptionsOf,
  settingsAskedFor,
} from '../flags/flags.ts';
import { extraFaults } from '../flags/tool-flags.ts';
import { type Io, printLine, printText, textStyle } from '../io.ts';
import { runContext } from '../run-context.ts';
import { readPairs } from './run.ts';

const WORLDS = 500;
const SHUFFLES = 1_000;

const noiseText = z.string().transform((text, context) => {
  const size = readNoise(text);
  if (size !== undefined) return size;
  context.addIssue({
    code: 'custom',
    message: `"${text}" is not a noise size. Expected for example 5bp (of each price) or 10% (of each bar's range)`,
  });
  return z.NEVER;
});

const ownFields = {
  worlds: numberText({ min: 1, max: 1_000_000, whole: true }).optional(),
  kind: z.enum(WORLD_KINDS).optional(),
  block: numberText({ min: 1, max: 1e9 }).optional(),
  noise: noiseText.optional(),
  shuffleTrades: z
    .union([z.literal(true), numberText({ min: 1, max: 1_000_000, whole: true })], {
      error: ({ input }) => `"${String(input)}" is not a whole number from 1 to 1000000`,
    })
    .optional(),
  jobs: numberText({ min: 1, max: 1_024, whole: true }).optional(),
  resume: z.string().optional(),
};
/** Flags of `stress`. */
export const stressFlagsSchema = runFlagsSchema
  .omit({
    samples: true,
    concurrency: true,
    recording: true,
    replayOnly: true,
    detail: true,
    modelCutoff: true,
  })
  .extend({ ...ownFields, resolve: z.enum(['worst', 'best']).optional() });

/**
 * `sandtable stress`: tests whether the result of a strategy could be luck. Runs it on randomised markets
 * (worlds). Returns the exit code.
 */
export async function stressCommand(
  strategy: string | undefined,
  given: Readonly<Record<string, unknown>>,
  io: Io,
): Promise<number> {
  const resume = typeof given.resume === 'string' ? given.resume : undefined;
  const parameters = readPairs((given.param as string[] | undefined) ?? []);
  const limits = readBudget((given.budget as string[] | undefined) ?? []);
  const flags = readFlags(stressFlagsSchema, given, 'stress', [
    ...(resume === undefined ? beginFaults(strategy, given) : resumeFaults(strategy, given)),
    ...parameters.faults,
    ...limits.faults,
    ...extraFaults(given),
  ]);
  const { json = false, quiet = false, jobs } = flags;
  const budget = Object.keys(limits.budget).length > 0 ? limits.budget : undefined;
  const context = runContext(io, quiet);
  if (resume !== undefined || strategy === undefined)
    return report(await resumeStress(resume ?? '', { jobs, budget }, context), { json, quiet }, io);
  const end = await runStress(
    {
      strategy,
      parameters: parameters.pairs,
      options: runOptionsOf(flags),
      settings: settingsAskedFor(flags),
      terms: {
        kind: flags.kind ?? 'permute',
        ...(flags.block === undefined ? {} : { blockLength: flags.block }),
        ...(flags.noise === undefined ? {} : { noise: flags.noise }),
      },
      worlds: flags.worlds ?? WORLDS,
      jobs,
      ...(flags.shuffleTrades === undefined
        ? {}
        : { shuffleTrades: flags.shuffleTrades === true ? SHUFFLES : flags.shuffleTrades }),
      budget,
    },
    context,
  );
  return report(end, { json, quiet }, io);
}

function beginFaults(strategy: string | undefined, given: Readonly<Record<string, unknown>>): Fault[] {
  const { kind = 'permute' } = given;
  const belongs = (flag: 'block' | 'noise', to: string): Fault[] =>
    given[flag] !== undefined && kind !== to
      ? [{ where: `--${flag}`, message: `applies to --kind ${to} only, but the kind is ${String(kind)}` }]
      : [];
  const needsBudget = strategy?.endsWith('.md') === true && given.budget === undefined;
  return [
    ...(strategy === undefined
      ? [missingStrategy(given, 'Pass a strategy file before --data', 'strategy')]
      : []),
    ...missingData(given),
    ...belongs('block', 'block-bootstrap'),
    ...belongs('noise', 'noise'),
    ...(needsBudget
      ? [
          {
            where: '--budget',
            message: `is missing. ${strategy} calls a model on every world. Pass a limit for all worlds together, for example usd=5`,
          },
        ]
      : []),
  ];
}

/**
 * Returns faults of arguments that cannot be combined with `--resume`. A resumed test reads its strategy and
 * settings from its folder.
 */
function resumeFaults(strategy: string | undefined, given: Readonly<Record<string, unknown>>): Fault[] {
  const usable = ['resume', 'jobs', 'budget', 'json', 'quiet'];
  const more = givenFlags(given).filter((name) => !usable.includes(name));
  return [...(strategy === undefined ? [] : ['strategy']), ...more.map(flagNamed)].map((where) => ({
    where,
    message: 'cannot be combined with --resume, which reads the request from its folder. Remove it',
  }));
}

function report(end: StressEnd, { json, quiet }: { json: boolean; quiet: boolean }, io: Io): number {
  const { report: found, folder, seconds } = end;
  if (json) printLine(io.stdout, JSON.stringify({ ...found, folder, seconds }, null, 2));
  else if (!quiet) printText(io, stressText(found, folder, textStyle(io)));
  if (end.isComplete) return 0;
  const budget = end.stoppedBy === 'budget' ? ' --budget …' : '';
  const why =
    end.stoppedBy === 'budget'
      ? 'The budget is exhausted'
      : end.stoppedBy === 'model'
        ? `The model cannot be called any more (${end.problem ?? ''})`
        : 'Stopped on request';
  printLine(
    io.stderr,
    `${why}: ${found.worlds} of ${found.asked} worlds have been run.\n  Resume with: npx sandtable stress --resume ${folder}${budget}`,
  );
  return 1;
}
