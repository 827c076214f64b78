export type { Drawdown } from './drawdown.ts';
export type { Figure, MoneyFigure } from './figures.ts';
export type { RunInputs } from './inputs-schema.ts';
export { type DataSource, type Manifest, manifestOf, type RunDetails } from './manifest.ts';
export { computeMetrics, type Metrics, type MetricsOptions } from './metrics.ts';
export type { ModelUsage } from './model-usage.ts';
export {
  createRunFolder,
  jsonText,
  type RunFolder,
  runIdFor,
  sha256OfFile,
  type Timing,
  writeRunFiles,
  writeWhole,
} from './run-folder.ts';
export {
  checkSameData,
  copyNameOf,
  readRunInputs,
  strategyFileOf,
  writeRunInputs,
} from './run-inputs.ts';
export {
  agreementCsv,
  compareSamples,
  type SampleComparison,
  type SampleRun,
  samplesText,
} from './samples.ts';
export { type RunSummary, runSummarySchema, summarise } from './summary.ts';
export { type SummaryTextOptions, summaryText } from './summary-text.ts';
export { equityCsv, tradesCsv } from './tables.ts';
