export {
  COMPARED_FIGURES,
  type ComparedFigure,
  type ComparedRun,
  type Comparison,
  comparedWith,
  compareRuns,
} from './compare/compare.ts';
export type { Duplicate } from './compare/duplicates.ts';
export { flatFactsOf, tradingSettings } from './compare/facts.ts';
export { type NamedRun, namesOf, periodText, runNames } from './compare/names.ts';
export { sameBars, warningsOf } from './compare/warnings.ts';
export { EXPORT_FORMATS, type ExportFormat, exportRun } from './export/export-run.ts';
export { writeParquet } from './export/parquet.ts';
export { RUN_TABLES, type RunTableName } from './export/run-tables.ts';
export { jsonText, readWritten, sha256OfFile, writeWhole } from './files.ts';
export { FRAMES, type FrameName, runFrame } from './frames.ts';
export type { RunInputs } from './inputs-schema.ts';
export { type JournalEnds, journalEnds } from './journal-ends.ts';
export {
  appendLedger,
  isKeptRun,
  LEDGER_FILE,
  type Look,
  ledgerStoreOf,
  lookStamp,
  looksAt,
  pointsOf,
  type ResearchProject,
  readLedger,
} from './ledger.ts';
export { type LedgerEntry, type ProjectLooks, projectsOf } from './ledger-list.ts';
export { dataHashes, heldOutSeen, lookOfRun, looksFrom, projectOf, reservedFrom } from './looks.ts';
export { type DataSource, type Manifest, manifestOf, type RunDetails, withHoldout } from './manifest.ts';
export { exportSpans } from './otel/export-spans.ts';
export { type OtherAnswer, readOtherAnswer, writeOtherAnswer } from './other-answer.ts';
export { checkRunVersion } from './other-version.ts';
export { type QueryResult, queryRuns } from './query.ts';
export { QUERY_LIMITS, type QueryLimits, queryTimedOut, queryTooLarge } from './query-limits.ts';
export { type ListedRun, listRuns, readRun, type StoredRun } from './read-run.ts';
export { reportOptionsOf, writeBenchmark } from './report-options.ts';
export { createRunFolder, type RunFolder, runIdFor, type WrittenRun, writeRunFiles } from './run-folder.ts';
export {
  checkSameData,
  copyNameOf,
  filesNow,
  readRunInputs,
  strategyFileOf,
  writeRunInputs,
} from './run-inputs.ts';
export { isLocked, isUnderWay, journalHashes, journalState } from './run-state.ts';
export {
  agreementCsv,
  compareSamples,
  type SampleComparison,
  type SampleRun,
  samplesText,
} from './samples.ts';
export { resultText, searchKey } from './search.ts';
export { searchSentences } from './searches.ts';
export {
  exportStress,
  isStressFolder,
  listStressTests,
  STRESS_FILE,
  STRESS_PAGE,
  STRESS_WORLDS,
  type StoredStress,
} from './stress-store.ts';
export {
  isStudyFolder,
  listStudies,
  readStudy,
  STUDY_FILE,
  STUDY_MANIFEST,
  STUDY_PAGE,
  type StoredStudy,
  studyFolderName,
} from './study-store.ts';
export {
  type CrossValidationResult,
  isSweepFolder,
  readSweepResult,
  SWEEP_FILE,
  SWEEP_MANIFEST,
  SWEEP_PAGE,
  SWEEP_TRIALS,
  type SweepResult,
  sweepResultSchema,
  type WalkForwardResult,
} from './sweep-result.ts';
export { exportSweep, listSweeps, runFoldersOf, type StoredSweep } from './sweep-store.ts';
export { type TrialColumn, writeTrialRows } from './sweep-trials.ts';
export { csvText, equityCsv, tradesCsv } from './tables.ts';
export type { Timing } from './timing.ts';
export { trialsOfRun } from './trials-of-run.ts';
