/** Library entry point of Sandtable, imported by strategy files and TypeScript programs. */
import type { StressOptions, StressResult, SweepEnd, SweepOptions } from './research/index.ts';
import type {
  EquityOfRun,
  FillsOfRun,
  GivenData,
  PlotOptions,
  RunStrategyOptions,
  RunTables,
  StrategyRun,
  TradesOfRun,
  UnwrittenRun,
  UnwrittenRunOptions,
} from './runner/index.ts';

export { z } from 'zod';
export {
  type ComputeAnswer,
  defineStrategy,
  orderScriptDecider,
  parseOrderScript,
  ruleDecider,
  type Strategy,
  type StrategyContext,
} from './agents/index.ts';
export type { AccountView, PositionView, Trade } from './broker/account/index.ts';
export type {
  CommissionedFill,
  CustomCosts,
  OrderDesk,
  OrderReceipt,
  OrderRequest,
  Rebalanced,
  RebalanceReceipt,
  RebalanceRequest,
  Refusal,
  SkippedWeight,
  SlippedFill,
  WeightShortfall,
} from './broker/index.ts';
export {
  type BacktestOptions,
  type BacktestResult,
  type BarContext,
  /** Former name of `BarContext`, still exported for existing programs. */
  type BarContext as Turn,
  barsSinceEntry,
  crossedAbove,
  crossedBelow,
  type Decider,
  type Decision,
  type EventsSince,
  isFirstBarOfMonth,
  isFirstBarOfSession,
  type Level,
  type MarketEvent,
  type RunEvent,
  type RunSettingsInput,
  runBacktest,
} from './engine/index.ts';
export { type RunRecord, readJournal, recordOf } from './journal/index.ts';
export { AppError, Decimal } from './kernel/index.ts';
export {
  type Bar,
  type BarSeries,
  barSeries,
  type Column,
  type ColumnMapping,
  type ContinuousOptions,
  type ContinuousSeries,
  type CorporateAction,
  continuousSeries,
  createMarket,
  type DataFrame,
  type DeclaredIndicator,
  DetailBars,
  type DocumentHit,
  type DocumentMatches,
  type DocumentQuery,
  type DocumentRow,
  type Documents,
  type Expiry,
  type Feature,
  type FeatureRow,
  type FeatureTable,
  type FundamentalRow,
  type FundingRate,
  featureTable,
  type Indicator,
  type IndicatorGroup,
  type IndicatorKit,
  type IndicatorsOf,
  type KnownDocument,
  type KnownFundamental,
  type KnownRow,
  type LoadedPointInTime,
  loadActions,
  loadExpiries,
  loadFeatures,
  loadFunding,
  loadMarket,
  loadPointInTime,
  loadRolls,
  type Market,
  type NumberFeature,
  type PointInTimeData,
  type PointInTimeFiles,
  type PointInTimeRows,
  type PriceColumn,
  pointInTimeData,
  type ReadFundamentals,
  type ResampledBars,
  type ResampleOptions,
  type Roll,
  type RollRule,
  resample,
  rollsCsv,
  simulateMarket,
  type UniverseRow,
  type ValueFeature,
  type Window,
} from './market/index.ts';
export { computeMetrics, type RunSummary, summarise } from './results/analysis/index.ts';
export {
  compareRuns,
  type FrameName,
  listRuns,
  queryRuns,
  readRun,
  runFrame,
  type StoredRun,
} from './results/runs/index.ts';
export { provisionRuntime, Sandbox } from './sandbox/index.ts';
export { createToolkit, type ReplLifetime, ReplSession, type Toolkit } from './toolkit/index.ts';
export {
  exportFolder,
  importFolder,
  rebuildVfs,
  Vfs,
  type VfsChange,
  type VfsFile,
} from './toolkit/vfs/index.ts';
export type {
  EquityOfRun,
  FillsOfRun,
  GivenData,
  PlotOptions,
  RunStrategyOptions,
  RunTables,
  StrategyRun,
  StressOptions,
  StressResult,
  SweepEnd,
  SweepOptions,
  TradesOfRun,
  UnwrittenRun,
  UnwrittenRunOptions,
};

/**
 * Runs a strategy on data and writes its run folder, like `sandtable run`.
 *
 * A run that begins and then fails does not throw. Its result contains the outcome and the error.
 *
 * @throws AppError `bad_options` for invalid options. Other codes for an invalid strategy, data, settings or
 *   parameters; the error then lists every fault
 */
export function runStrategy(options: RunStrategyOptions): Promise<StrategyRun>;
/**
 * Runs a strategy on data and writes nothing.
 *
 * A run that begins and then fails does not throw. Its result contains the outcome and the error.
 *
 * @throws AppError in the same cases as `runStrategy` with a run folder
 */
export function runStrategy(options: UnwrittenRunOptions): Promise<UnwrittenRun>;
export async function runStrategy(
  options: RunStrategyOptions | UnwrittenRunOptions,
): Promise<StrategyRun | UnwrittenRun> {
  // Loaded on demand, because strategy files also import this library and do not need the runner.
  const runner = await import('./runner/index.ts');
  return runner.runStrategy(options as RunStrategyOptions);
}

/**
 * Writes the report of a run as one HTML page that works offline. If the run's folder already contains the
 * page and `options.file` is not set, this page is used. With `options.open`, the page is opened in the
 * browser.
 *
 * @param run result of `runStrategy`, or the path of a run folder
 * @returns the absolute path of the page
 * @throws AppError `bad_options`, `no_run`, `page_unwritable`
 */
export async function plot(run: StrategyRun | UnwrittenRun | string, options?: PlotOptions): Promise<string> {
  const runner = await import('./runner/index.ts');
  return runner.plot(run, options);
}

/**
 * Runs a strategy with many combinations of parameters (trials), and judges if the best combination also
 * works out of sample, like `sandtable sweep`.
 *
 * @returns folder and duration of the sweep, run folder of the best combination, and content of `sweep.json`
 *   as `result`. `result` is `undefined` if the sweep was stopped. A failed trial does not throw;
 *   `result.counts.failed` counts it.
 * @throws AppError `bad_options` with every fault of the options. If the options are valid, an AppError with
 *   every fault of the strategy and the data
 */
export async function sweep(options: SweepOptions): Promise<SweepEnd> {
  const research = await import('./research/index.ts');
  return research.sweepFromCode(options);
}

/**
 * Reruns the strategy on randomised markets (worlds) to test whether the result could be luck.
 *
 * `options.kind` selects how worlds are made from the data. `permute` reorders whole bars, `block-bootstrap`
 * draws blocks of bars, and `regime` simulates returns from a fitted model of market regimes. `noise` moves
 * prices slightly. Its result has quantiles of each metric over the worlds, but no p-value.
 *
 * @throws AppError `bad_options` for invalid options; `too_few_bars`; `no_budget` if a strategy that calls a
 *   model has no budget; `no_result` if the run on the actual data fails. Other codes for an invalid
 *   strategy, data, settings or parameters; the error then lists every fault
 */
export async function stress(options: StressOptions): Promise<StressResult> {
  const research = await import('./research/index.ts');
  return research.stressFromCode(options);
}
