export { comparisonPage } from './compare/page.ts';
export { comparisonMarkdown, comparisonRows, comparisonText } from './compare/texts.ts';
export { linkedReport, REPORT_FILE, TRACE_FILE } from './report/linked-report.ts';
export { type ReportSource, reportPage } from './report/report-page.ts';
export { type RunningServer, type ServeOptions, startServer } from './serve/server.ts';
export { sideBySideText } from './terminal/side-by-side-text.ts';
export { type SummaryTextOptions, summaryText } from './terminal/summary-text.ts';
export { traceOfRun } from './trace/trace-of-run.ts';
