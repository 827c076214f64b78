import { resolve } from 'node:path';
import { z } from 'zod';
import { type Environment, type Strategy, withEnvFile } from '../agents/index.ts';
import type { RunOutcome, RunSettingsInput } from '../engine/index.ts';
import type { RunRecord } from '../journal/index.ts';
import {
  type BarSeries,
  createMarket,
  type FeatureRow,
  featureTable,
  type LoadedFeatures,
  type Market,
} from '../market/index.ts';
import { type RunSummary, summarise } from '../results/analysis/index.ts';
import { type RunContext, SILENT } from './context.ts';
import { sourceOfFeatures } from './inputs/load-bars.ts';
import { checkOptions } from './inputs/option-faults.ts';
import { type PointInTimeOptions, type RunOptions, withPointInTime } from './inputs/options.ts';
import { canPlot } from './plot.ts';
import { type RunTables, runTables } from './run-columns.ts';
import type { RunRequest } from './run-request.ts';
import { runRequested } from './run-requested.ts';
import { evaluateTrial, openTrialWorld } from './trial/trial-world.ts';

/** Options for `runStrategy`: the strategy, the data, and the options of a run. */
export interface RunStrategyOptions
  extends Omit<RunOptions, 'data' | 'out' | 'features' | 'context' | keyof PointInTimeOptions>,
    PointInTimeOptions {
  /**
   * Path of a strategy file (code, an order script or a prompt), or result of `defineStrategy`. Omit it if an
   * `agent` decides.
   */
  readonly strategy?: string | Strategy | undefined;
  /** Data file, folder or glob, several of them, or bars in memory. */
  readonly data: GivenData;
  /**
   * Other time series: files, folders and globs, or rows in memory. Each row becomes visible at its
   * publication time.
   */
  readonly features?: string | readonly string[] | readonly FeatureRow[] | undefined;
  /**
   * Series that are shown but not traded, with any bar length: files, folders and globs, or bars in memory.
   */
  readonly context?: string | readonly string[] | readonly BarSeries[] | undefined;
  /** Settings that override those of the strategy. See docs/risk.md for their names. */
  readonly settings?: RunSettingsInput;
  /** Parameters of the strategy by name. An omitted parameter has its default. */
  readonly parameters?: Readonly<Record<string, unknown>>;
  /** Folder in which the run's folder is created. Default: `reports`. */
  readonly out?: string;
  /** Signal that stops the run after the current bar. */
  readonly signal?: AbortSignal;
  /**
   * Environment variables with the model and key for a prompt. Default: variables of the process, then of the
   * `.env` file. A variable of the process overrides the file.
   */
  readonly environment?: Environment;
  /** Called with the number of completed bars and the number of all bars. */
  readonly onProgress?: (done: number, bars: number) => void;
  /** Called with notes about the files and the run. */
  readonly onNote?: (text: string) => void;
}

/** Result of `runStrategy`: a run that has ended, with its folder and its tables. */
export interface StrategyRun extends RunTables {
  readonly outcome: RunOutcome;
  /** Error that ended a run without a result. Absent if the run has a result. */
  readonly error?: unknown;
  /** Path of the run's folder. */
  readonly folder: string;
  /** Content of `summary.json`. */
  readonly summary: RunSummary;
}

/** Finished run without a folder. Its `summary` has an empty `runId`. */
export interface UnwrittenRun extends Omit<StrategyRun, 'folder'> {
  readonly folder: undefined;
}

/** Options of `runStrategy` for a run that writes nothing. */
export interface UnwrittenRunOptions extends Omit<RunStrategyOptions, 'out'> {
  /**
   * `false` writes nothing: no folder, no journal, and no entry in the ledger, which counts how often data
   * were used.
   */
  readonly out: false;
}

/**
 * Runs a strategy on data and writes its run folder, like `sandtable run`. With `out: false`, writes nothing.
 * If a run starts and then fails, no error is thrown: check `outcome` and `error`.
 *
 * @throws AppError `bad_options`; errors for an invalid strategy, data, settings or parameters, with every
 *   fault
 */
export function runStrategy(options: RunStrategyOptions): Promise<StrategyRun>;
export function runStrategy(options: UnwrittenRunOptions): Promise<UnwrittenRun>;
export async function runStrategy(
  options: RunStrategyOptions | UnwrittenRunOptions,
): Promise<StrategyRun | UnwrittenRun> {
  const { request, context } = requestOfOptions(options);
  if (options?.out === false) return runUnwritten(request, context, options);
  const end = await runRequested(request, context);
  if (end === undefined) throw new Error('a run that is not a replay has files');
  const { outcome, error, folder, summary, record } = end;
  return withTables({ outcome, ...(error === undefined ? {} : { error }), folder, summary }, record);
}

async function runUnwritten(
  request: RunRequest,
  context: RunContext,
  { signal, onProgress }: UnwrittenRunOptions,
): Promise<UnwrittenRun> {
  // The strategy is missing only if the options name an agent. The empty text is then ignored.
  const world = await openTrialWorld({ ...request, strategy: request.strategy ?? '' }, context);
  try {
    const evaluation = await evaluateTrial(world, {
      checkedLikeRun: true,
      ...(signal === undefined ? {} : { signal }),
      ...(onProgress === undefined ? {} : { onProgress }),
    });
    const { outcome, record, metrics } = evaluation;
    const { error } = evaluation.result;
    const summary = summarise(record, {
      ...evaluation.options,
      metrics,
      spine: metrics.benchmarkTable(),
      runId: '',
    });
    const run = { outcome, ...(error === undefined ? {} : { error }), folder: undefined, summary };
    return canPlot(
      withTables(run, () => record),
      evaluation,
    );
  } finally {
    await world.close();
  }
}

/** Adds the tables of a run to its result. Each table is computed on first access. */
function withTables<Run extends object>(run: Run, recordOf: () => RunRecord): Run & RunTables {
  return Object.defineProperties(run, Object.getOwnPropertyDescriptors(runTables(recordOf))) as Run &
    RunTables;
}

/**
 * Checks options that a program passes, and returns the run request.
 *
 * @throws AppError `bad_options`
 */
export function requestOfOptions(options: RunStrategyOptions | UnwrittenRunOptions): {
  readonly request: RunRequest;
  readonly context: RunContext;
} {
  checkOptions(options, { name: 'runStrategy', own: { out: outOption } });
  return requestOfChecked(options);
}

const outOption = z
  .union([z.string(), z.literal(false)], { error: 'is neither a folder nor false' })
  .optional();

/** Returns the run request and its context for options that have already been checked. */
export function requestOfChecked(options: RunStrategyOptions | UnwrittenRunOptions): {
  readonly request: RunRequest;
  readonly context: RunContext;
} {
  const {
    strategy,
    data,
    features,
    context,
    documents,
    fundamentals,
    universe,
    settings = {},
    parameters = {},
    signal,
    environment,
    onProgress,
    onNote,
    out = 'reports',
    ...rest
  } = options;
  // The path is resolved before the run, because a strategy may change the working directory.
  const place = resolve(out === false ? 'reports' : out);
  return {
    request: {
      ...(strategy === undefined ? {} : { strategy }),
      parameters,
      settings,
      ...withPointInTime(
        { documents, fundamentals, universe },
        withContext(context, withFeatures(features, givenData(data, { ...rest, out: place }))),
      ),
    },
    context: codeContext({ signal, environment, onProgress, onNote }, ['bars', 'worlds']),
  };
}

function withFeatures<Given extends { readonly options: RunOptions }>(
  features: RunStrategyOptions['features'],
  given: Given,
): Given & { readonly features?: LoadedFeatures } {
  if (features === undefined) return given;
  if (typeof features === 'string') return { ...given, options: { ...given.options, features: [features] } };
  const paths = features.filter((one) => typeof one === 'string');
  if (paths.length > 0) return { ...given, options: { ...given.options, features: paths } };
  const table = featureTable(
    features as readonly FeatureRow[],
    given.options.featuresLag,
    given.options.timezone,
  );
  return { ...given, features: { tables: [table], sources: [sourceOfFeatures(table)] } };
}

function withContext<Given extends { readonly options: RunOptions }>(
  context: RunStrategyOptions['context'],
  given: Given,
): Given & { readonly context?: readonly BarSeries[] } {
  if (context === undefined) return given;
  const all: readonly (string | BarSeries)[] = typeof context === 'string' ? [context] : context;
  const paths = all.filter((one) => typeof one === 'string');
  if (paths.length > 0) return { ...given, options: { ...given.options, context: paths } };
  return { ...given, context: all.filter((one) => typeof one !== 'string') };
}

/** Data passed by a program: a data file, folder or glob, several of them, or bars in memory. */
export type GivenData = string | readonly string[] | Market | readonly BarSeries[];

/** Converts data passed in code to the options and the market of a request. */
export function givenData(
  data: GivenData,
  options: RunOptions,
): { readonly options: RunOptions; readonly market?: Market } {
  if (typeof data === 'string') return { options: { ...options, data: [data] } };
  if (!Array.isArray(data)) return { options, market: data as Market };
  const given: readonly (string | BarSeries)[] = data;
  const paths = given.filter((one) => typeof one === 'string');
  if (paths.length === given.length) return { options: { ...options, data: paths } };
  return { options, market: createMarket(given.filter((one) => typeof one !== 'string')) };
}

/** Callbacks, stop signal and environment variables that a program passes with its options. */
interface CodeListeners {
  readonly signal?: AbortSignal | undefined;
  readonly environment?: Environment | undefined;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
  readonly onNote?: ((text: string) => void) | undefined;
}

/**
 * Returns the context for work that a program starts through the API.
 *
 * @param units units of the progress that `onProgress` reports, in the plural, for example `bars`
 */
export function codeContext(
  {
    signal = new AbortController().signal,
    environment = withEnvFile(process.env),
    onProgress,
    onNote,
  }: CodeListeners,
  units: readonly string[],
): RunContext {
  return {
    environment,
    observer: {
      ...SILENT,
      note: (text) => onNote?.(text),
      warn: (text) => onNote?.(text),
      progress(_label, done, total, unit) {
        if (units.includes(unit)) onProgress?.(done, total);
      },
    },
    listen: () => ({ signal, release: () => undefined }),
  };
}
