import { resolve } from 'node:path';
import type { Environment, Strategy } from '../agent/index.ts';
import type { RunSummary } from '../analysis/index.ts';
import type { RunOutcome, RunSettingsInput } from '../engine/index.ts';
import { type BarSeries, type FeatureRow, featureTable, type LoadedFeatures } from '../market/index.ts';
import type { RunContext } from './context.ts';
import { codeContext, type GivenData, givenData } from './from-code.ts';
import { type PointInTimeOptions, withPointInTime } from './given-beside.ts';
import { sourceOfFeatures } from './market-source.ts';
import { checkOptions } from './option-faults.ts';
import type { RunOptions } from './options.ts';
import type { RunRequest } from './run-request.ts';
import { runRequested } from './run-requested.ts';

/** What `runStrategy` runs, and on what. */
export interface RunStrategyOptions
  extends Omit<RunOptions, 'data' | 'out' | 'features' | 'context' | keyof PointInTimeOptions>,
    PointInTimeOptions {
  /** A strategy file (code, an order script or a prompt), or what `defineStrategy` made; left out where `agent` decides. */
  readonly strategy?: string | Strategy | undefined;
  /** A data file, folder or glob, several of them, or bars in memory. */
  readonly data: GivenData;
  /** What could be known beside the bars: files, folders and globs, or rows in memory. */
  readonly features?: string | readonly string[] | readonly FeatureRow[] | undefined;
  /** Series that are shown and not traded, of any bar lengths: files, folders and globs, or bars in memory. */
  readonly context?: string | readonly string[] | readonly BarSeries[] | undefined;
  /** Over the settings that the strategy brings; as docs/risk.md names them. */
  readonly settings?: RunSettingsInput;
  /** Of the strategy, by name; the rest have their defaults. */
  readonly parameters?: Readonly<Record<string, unknown>>;
  /** The folder that the run's folder is made in; `reports` when left out. */
  readonly out?: string;
  /** Stops the run after the bar under way. */
  readonly signal?: AbortSignal;
  /** Where a prompt's model and its key are looked up; the process's own, over a `.env` file, when left out. */
  readonly environment?: Environment;
  /** Given how many of how many bars have been run. */
  readonly onProgress?: (done: number, bars: number) => void;
  /** Given what is worth knowing of the files and the run. */
  readonly onNote?: (text: string) => void;
}

/** A finished run. */
export interface StrategyRun {
  readonly outcome: RunOutcome;
  /** Why it gave no result; left out where it did. */
  readonly error?: unknown;
  /** The run's folder. */
  readonly folder: string;
  /** What `summary.json` holds. */
  readonly summary: RunSummary;
}

/**
 * Runs a strategy on data and writes its run folder, as `sandtable run` does.
 *
 * @throws AppError `bad_options`; and for a strategy, data, settings or parameters that cannot be used, with every fault; a run that begins
 *   and then fails is a result with its outcome and its error
 */
export async function runStrategy(options: RunStrategyOptions): Promise<StrategyRun> {
  const { request, context } = requestOfOptions(options);
  const end = await runRequested(request, context);
  if (end === undefined) throw new Error('a run that is no replay has files');
  const { outcome, error, folder, summary } = end;
  return { outcome, ...(error === undefined ? {} : { error }), folder, summary };
}

/**
 * Returns the request of options that were written in code.
 *
 * @throws AppError `bad_options`
 */
export function requestOfOptions(options: RunStrategyOptions): {
  readonly request: RunRequest;
  readonly context: RunContext;
} {
  checkOptions(options);
  return requestOfChecked(options);
}

/** Returns the request of options that `checkOptions` has checked. */
export function requestOfChecked(options: RunStrategyOptions): {
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
  // Looked up now: a strategy may change the folder that relative names begin at.
  const place = resolve(out);
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
