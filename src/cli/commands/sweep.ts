import { z } from 'zod';
import { withEnvFile } from '../../agents/index.ts';
import { AppError, type Fault } from '../../kernel/index.ts';
import { sweepText } from '../../pages/index.ts';
import {
  clusterAddress,
  KEEPS,
  resumeSweep,
  runSweep,
  SEARCHES,
  type SweepEnd,
  type SweepRequest,
  stopSweep,
  sweepStatus,
} from '../../research/index.ts';
import { alarmGroupLines, alarmsForQuiet } from '../../results/analysis/index.ts';
import { locatedError } from '../config/origins.ts';
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
import { clusterFaults, clusterFields, clusterOf } from '../flags/sweep-flags.ts';
import { type Io, printLine, printText, textStyle } from '../io.ts';
import { printAlarms } from '../print-outcome.ts';
import { runContext } from '../run-context.ts';
import { readPairs, withParameterFaults } from './run.ts';

/** Flags of `sweep`. */
export const sweepFlagsSchema = runFlagsSchema
  .omit({
    samples: true,
    concurrency: true,
    recording: true,
    replayOnly: true,
    seal: true,
    modelCutoff: true,
  })
  .extend({
    resolve: z.enum(['worst', 'best']).optional(),
    search: z.enum(SEARCHES).optional(),
    trials: numberText({ min: 1, max: 1_000_000, whole: true }).optional(),
    objective: z.string().optional(),
    minimise: z.boolean().optional(),
    constraint: z.array(z.string()).optional(),
    walkForward: z.string().optional(),
    crossValidate: z.string().optional(),
    holdout: z.string().optional(),
    jobs: numberText({ min: 1, max: 1_024, whole: true }).optional(),
    keep: z.enum(KEEPS).optional(),
    resume: z.string().optional(),
    budget: z.array(z.string()).optional(),
    ...clusterFields,
  });

interface Shown {
  readonly json: boolean;
  readonly quiet: boolean;
}

/** `sandtable sweep`: runs a strategy with many parameter values. Returns the exit code. */
export async function sweepCommand(
  ...args: readonly [strategy: string | undefined, folder: string | undefined, given: unknown, io: Io]
): Promise<number> {
  try {
    return await sweep(...args);
  } catch (error) {
    throw locatedError(args[2], error);
  }
}

async function sweep(
  strategy: string | undefined,
  folder: string | undefined,
  given: unknown,
  io: Io,
): Promise<number> {
  const asked = given as {
    readonly resume?: string;
    readonly param?: string[];
    readonly budget?: string[];
    readonly json?: boolean;
    readonly quiet?: boolean;
  };
  const limits = readSweepBudget(asked.budget);
  if (asked.resume !== undefined) {
    const {
      jobs,
      json = false,
      quiet = false,
    } = readFlags(sweepFlagsSchema, given, 'sweep', [...resumeFaults(strategy, given), ...limits.faults]);
    return show(
      await resumeSweep(asked.resume, contextOf(io, { json, quiet }), {
        ...(jobs === undefined ? {} : { jobs }),
        ...(limits.budget === undefined ? {} : { budget: limits.budget }),
      }),
      { json, quiet },
      io,
    );
  }
  if ((strategy === 'status' || strategy === 'stop') && folder !== undefined)
    return strategy === 'status' ? status(folder, asked.json === true, io) : await stop(folder, io);
  const pairs = readPairs(asked.param ?? []);
  const read = (): z.infer<typeof sweepFlagsSchema> =>
    readFlags(sweepFlagsSchema, given, 'sweep', [
      ...(strategy === undefined
        ? [missingStrategy(given, 'Pass a strategy file, or a sweep with --resume', 'strategy')]
        : []),
      ...(folder === undefined ? [] : [{ where: folder, message: 'is an unexpected argument' }]),
      ...missingData(given as { data?: unknown }),
      ...pairs.faults,
      ...limits.faults,
      ...clusterFaults(given),
    ]);
  const flags = await withParameterFaults(read, strategy, given, io);
  const shown = { json: flags.json === true, quiet: flags.quiet === true };
  const request: SweepRequest = {
    strategy: strategy!,
    parameters: pairs.pairs,
    options: runOptionsOf(flags),
    settings: settingsAskedFor(flags),
    search: flags.search,
    trials: flags.trials,
    objective: flags.objective,
    minimise: flags.minimise,
    constraints: flags.constraint,
    walkForward: flags.walkForward,
    crossValidate: flags.crossValidate,
    holdout: flags.holdout,
    jobs: flags.jobs,
    keep: flags.keep,
    budget: limits.budget,
  };
  const context = contextOf(io, shown);
  const cluster = clusterOf(flags);
  if (cluster === undefined) return show(await runSweep(request, context), shown, io);
  const address = clusterAddress(cluster, context.environment);
  if (io.env === process.env && cluster.queue !== address.cluster.queue) {
    // Hides the arguments from the process list, because they contain the password.
    process.title = 'sandtable sweep';
    context.observer.warn(
      'The password in --queue is visible in the process list. Set SANDTABLE_REDIS_PASSWORD instead.',
    );
  }
  const { environment } = address;
  return show(
    await runSweep({ ...request, cluster: address.cluster }, { ...context, environment }),
    shown,
    io,
  );
}

function contextOf(io: Io, { json, quiet }: Shown) {
  return runContext(io, quiet || json);
}

/**
 * Parses the limits of `--budget`, which all trials of a sweep share. A limit in seconds is a fault, because
 * `--trial-timeout` and `--decision-timeout` limit the time.
 */
function readSweepBudget(texts: readonly string[] = []): {
  readonly budget: SweepRequest['budget'];
  readonly faults: Fault[];
} {
  const { budget, faults } = readBudget(texts);
  const { seconds, ...rest } = budget;
  if (seconds !== undefined)
    faults.push({
      where: '--budget',
      message: 'seconds is not a limit of a sweep. Expected calls, tokens or usd, for all trials together',
    });
  return { budget: Object.keys(rest).length === 0 ? undefined : rest, faults };
}

/**
 * Returns faults of arguments that cannot be combined with `--resume`. A resumed sweep reads its strategy and
 * settings from its folder.
 */
function resumeFaults(strategy: string | undefined, given: unknown): Fault[] {
  const allowed = ['resume', 'jobs', 'budget', 'json', 'quiet'];
  const faults = givenFlags(given as Record<string, unknown>)
    .filter((name) => !allowed.includes(name))
    .map((name) => ({
      where: flagNamed(name),
      message: 'cannot be combined with --resume: a sweep continues with its original settings',
    }));
  return strategy === undefined
    ? faults
    : [...faults, { where: strategy, message: 'cannot be combined with --resume' }];
}

function show(
  { result, folder, sweepId, seconds, jobs, efficiency, bestFolder, bestError }: SweepEnd,
  { json, quiet }: Shown,
  io: Io,
): number {
  if (result === undefined) {
    printLine(
      io.stderr,
      `Stopped on request. Results so far are in ${folder}.\n  Resume with: npx sandtable sweep --resume ${folder}`,
    );
    return 1;
  }
  const { counts } = result;
  if (json) {
    const { best, deflatedSharpe, pbo, walkForward, crossValidation, ...rest } = result;
    const document = {
      ...counts,
      folder,
      sweepId,
      seconds,
      jobs,
      efficiency,
      best,
      deflatedSharpe: deflatedSharpe.value,
      pbo: pbo.value,
      ...(walkForward === null ? {} : { walkForward }),
      ...(crossValidation === null ? {} : { crossValidation }),
      answer: rest.answer,
      plateau: rest.plateau,
      looks: rest.looks,
      alarms: rest.alarms,
      warnings: rest.warnings,
      ...(bestFolder === undefined ? {} : { bestRun: bestFolder }),
    };
    printLine(io.stdout, JSON.stringify(document, null, 2));
  } else if (quiet) printAlarms(alarmGroupLines(alarmsForQuiet(result.alarms), counts.trials, 'trial'), io);
  else printText(io, sweepText(result, folder, seconds, textStyle(io)));
  if (bestError !== undefined)
    throw new AppError({
      code: 'sweep_failed',
      message: `The run of the best trial failed, so its figures are not valid: ${bestError}`,
      hint: `Correct the strategy and start a new sweep.${bestFolder === undefined ? '' : ` The run is in ${bestFolder}.`}`,
      kind: 'run',
    });
  if (counts.trials > counts.failed) return 0;
  throw new AppError({
    code: 'sweep_failed',
    message: `${counts.trials === 1 ? 'The only trial' : `All ${counts.trials} trials`} failed${result.failures[0] === undefined ? '' : `; most frequent error: ${result.failures[0].message.replace(/\.$/, '')}`}. Results are in ${folder}.`,
    hint: 'Run the strategy once with sandtable run to see its error.',
    kind: 'run',
  });
}

function status(folder: string, json: boolean, io: Io): number {
  const found = sweepStatus(folder);
  const text = `${found.sweepId}: ${found.state}, ${found.trials} ${found.trials === 1 ? 'trial' : 'trials'} done, ${found.failed} of them failed`;
  printLine(io.stdout, json ? JSON.stringify(found, null, 2) : text);
  return 0;
}

async function stop(folder: string, io: Io): Promise<number> {
  const asked = await stopSweep(folder, withEnvFile(io.env));
  printLine(
    io.stdout,
    asked ? `${folder} stops when its running trials have ended.` : `No process is running ${folder}.`,
  );
  return 0;
}
