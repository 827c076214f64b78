export { certificatePage, certificateText } from './certificate.ts';
export { comparisonPage } from './compare/page.ts';
export { comparisonMarkdown, comparisonRows, comparisonText } from './compare/texts.ts';
export { reportCharts, reportFragment } from './report/chart-export.ts';
export { fixedOthers, searchSpace } from './report/next-steps.ts';
export {
  addressesFrom,
  linkedReport,
  REPORT_FILE,
  type ReportSource,
  reportPage,
  TRACE_FILE,
} from './report/report-page.ts';
export type {
  Launcher,
  StartChoices,
  StartCommand,
  Started,
  StartField,
  StartRequest,
} from './serve/launcher.ts';
export { type RunningServer, type ServeOptions, startServer } from './serve/server.ts';
export { stressPage, stressText } from './stress/page.ts';
export { leaderboardCsv, leaderboardPage, leaderboardText, studyMarkdown } from './study/leaderboard.ts';
export { studyPage } from './study/page.ts';
export { leaderboardOf } from './study/ranking.ts';
export { studyAlarms, studyCsv, studyText } from './study/texts.ts';
export { sweepPage } from './sweep/page.ts';
export type { SweepTrial } from './sweep/plots.ts';
export { sideBySideText } from './terminal/benchmark-text.ts';
export { briefText } from './terminal/brief-text.ts';
export { estimateText } from './terminal/estimate-text.ts';
export { type SummaryTextOptions, summaryText } from './terminal/summary-text.ts';
export { sweepText } from './terminal/sweep-text.ts';
export { traceOfRun } from './trace/trace-of-run.ts';
