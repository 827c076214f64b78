export { buyAndHold } from './analysis/benchmark.ts';
export { benchmarkFault } from './analysis/benchmark-coverage.ts';
export { VERDICT_WORDS, type Verdict, type VerdictState } from './analysis/verdict.ts';
export { type Comparison, compareRuns } from './compare/compare.ts';
export { comparisonPage } from './compare/page.ts';
export { comparisonMarkdown, comparisonRows, comparisonText } from './compare/texts.ts';
export type { Drawdown } from './drawdown.ts';
export { equityColumns } from './equity.ts';
export { EXPORT_FORMATS, type ExportFormat, exportRun } from './export/export-run.ts';
export { RUN_TABLES, type RunTableName } from './export/run-tables.ts';
export type { Figure, MoneyFigure } from './figures.ts';
export { jsonText, sha256OfFile, writeWhole } from './files.ts';
export { FRAMES, type FrameName, runFrame } from './frames.ts';
export type { RunInputs } from './inputs-schema.ts';
export { type DataSource, type Manifest, manifestOf, type RunDetails } from './manifest.ts';
export { computeMetrics, type Metrics, type MetricsOptions } from './metrics.ts';
export type { ModelUsage } from './model-usage.ts';
export { writeOtherAnswer } from './other-answer.ts';
export { trialsOfRun } from './overfit/trials-of-run.ts';
export { linkedReport, REPORT_FILE, TRACE_FILE } from './page/linked-report.ts';
export { type ReportSource, reportPage } from './page/report-page.ts';
export { type QueryResult, queryRuns } from './query.ts';
export { QUERY_LIMITS, type QueryLimits, queryTimedOut, queryTooLarge } from './query-limits.ts';
export { type ListedRun, listRuns, readRun, type StoredRun } from './read-run.ts';
export { reportOptionsOf, writeBenchmark } from './report-options.ts';
export { createRunFolder, type RunFolder, runIdFor, writeRunFiles } from './run-folder.ts';
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
export { type RunningServer, type ServeOptions, startServer } from './serve/server.ts';
export { sideBySideText } from './side-by-side-text.ts';
export { type RunSummary, runSummarySchema, summarise } from './summary.ts';
export { type SummaryTextOptions, summaryText } from './summary-text.ts';
export { csvText, equityCsv, tradesCsv } from './tables.ts';
export { textTable } from './text-table.ts';
export type { Timing } from './timing.ts';
export { traceOfRun } from './trace/trace-of-run.ts';
