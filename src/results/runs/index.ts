export {
  COMPARED_FIGURES,
  type ComparedFigure,
  type ComparedRun,
  type Comparison,
  comparedWith,
  compareRuns,
} from './compare/compare.ts';
export { type Duplicate, flatFactsOf, tradingSettings } from './compare/overlap.ts';
export { type NamedRun, namesOf, periodText, runNames, sameBars, warningsOf } from './compare/warnings.ts';
export { csvText, equityCsv, tradesCsv } from './export/run-csv.ts';
export { RUN_TABLES, type RunTableName } from './export/run-tables.ts';
export { EXPORT_FORMATS, type ExportFormat, exportRun, writeParquet } from './export/stored-table.ts';
export { jsonText, readWritten, sha256OfFile, type Timing, writeWhole } from './files.ts';
export {
  appendLedger,
  isKeptRun,
  LEDGER_FILE,
  type LedgerRecord,
  ledgerStamp,
  ledgerStoreOf,
  pointsOf,
  type ResearchProject,
  readLedger,
  recordsOnData,
} from './ledger/ledger.ts';
export {
  dataHashes,
  heldOutSeen,
  type LedgerEntry,
  ledgerRecordOfRun,
  type ProjectRecords,
  projectOf,
  projectsOf,
  recordsFrom,
  reservedFrom,
} from './ledger/ledger-records.ts';
export { resultText, searchKey } from './ledger/search.ts';
export { searchSentences } from './ledger/searches.ts';
export {
  type DataSource,
  type Manifest,
  manifestOf,
  type RunDetails,
  type RunInputs,
  withHoldout,
} from './manifest.ts';
export { exportSpans } from './otel/export-spans.ts';
export { type QueryResult, queryRuns } from './query/query.ts';
export { QUERY_LIMITS, type QueryLimits, queryTimedOut, queryTooLarge } from './query/query-limits.ts';
export {
  checkRunVersion,
  FRAMES,
  type FrameName,
  type ListedRun,
  listRuns,
  type OtherAnswer,
  readOtherAnswer,
  readRun,
  runFrame,
  type StoredRun,
  writeOtherAnswer,
} from './read-run.ts';
export { reportOptionsOf, writeBenchmark } from './report-options.ts';
export {
  createRunFolder,
  type RunFolder,
  runIdFor,
  trialsOfRun,
  type WrittenRun,
  writeRunFiles,
} from './run-folder.ts';
export {
  checkSameData,
  copyNameOf,
  filesNow,
  readRunInputs,
  siblingPath,
  strategyFileOf,
  writeRunInputs,
} from './run-inputs.ts';
export { isLocked, lockRun, processOf } from './run-lock.ts';
export {
  isUnderWay,
  type JournalEnds,
  journalEnds,
  journalHashes,
  journalState,
} from './run-state.ts';
export {
  agreementCsv,
  compareSamples,
  type SampleComparison,
  type SampleRun,
  samplesText,
} from './stores/samples.ts';
export {
  isStudyFolder,
  listStudies,
  readStudy,
  STUDY_FILE,
  STUDY_MANIFEST,
  STUDY_PAGE,
  type StoredStudy,
  studyFolderName,
} from './stores/study-store.ts';
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
} from './stores/sweep-result.ts';
export {
  exportStress,
  exportSweep,
  isStressFolder,
  listStressTests,
  listSweeps,
  runFoldersOf,
  STRESS_FILE,
  STRESS_PAGE,
  STRESS_WORLDS,
  type StoredStress,
  type StoredSweep,
  type TrialColumn,
  writeTrialRows,
} from './stores/sweep-store.ts';
export { type SweepOfRun, type TestsOfRun, testsOfRun } from './stores/tests-of-run.ts';
export { type BundleList, filesBelow, fingerprintOfFile, openBundle, writeBundle } from './verify/archive.ts';
export { checkFolder } from './verify/check-folder.ts';
export { type Check, type Publication, studyRegistrationChecks } from './verify/check-registration.ts';
