export {
  ALARM_KINDS,
  type Alarm,
  type AlarmGroup,
  alarmGroupLines,
  alarmGroupSchema,
  alarmsForQuiet,
  alarmText,
  groupAlarms,
  type StoredAlarm,
  storedAlarms,
} from './alarms/alarm.ts';
export { alarmsOf, capacityOf, type HeldOut, heldOutAlarms, volumeShares } from './alarms/alarms.ts';
export { groupBy } from './alarms/order-alarms.ts';
export { againstBenchmark } from './benchmark/against-benchmark.ts';
export { type BenchmarkSeries, benchmarkName, buyAndHold } from './benchmark/benchmark.ts';
export { benchmarkFault, unitsBetween } from './benchmark/benchmark-coverage.ts';
export { type Attribution, type AttributionPart, addedUp } from './figures/attribution.ts';
export { benchmarkTable } from './figures/benchmark-table.ts';
export { breakdownsOf } from './figures/breakdown.ts';
export { type CostStep, fillAmounts, MODEL_TOKENS } from './figures/costs.ts';
export { type Drawdown, drawdownCurve, drawdownsOf } from './figures/drawdown.ts';
export { type EquityColumns, equityColumns, reportSettings } from './figures/equity.ts';
export {
  type Figure,
  figure,
  type MoneyFigure,
  mean,
  standardDeviation,
  type Undefined,
  undefinedBecause,
} from './figures/figures.ts';
export { computeMetrics, type Metrics, type MetricsOptions } from './figures/metrics.ts';
export { type ModelUsage, modelLines, modelUsage } from './figures/model-usage.ts';
export {
  calendarReturns,
  returnDates,
  rollingFigures,
  rollingWindow,
  sessionReturns,
  type YearOfReturns,
} from './figures/returns.ts';
export { type Sessions, sessionsOf } from './figures/sessions.ts';
export { EXCURSION_CONVENTION, excursionsOf } from './figures/trade-statistics.ts';
export {
  type BlockOverfitting,
  type BlockSums,
  blockSumsOf,
  type Overfitting,
  overfittingOf,
  overfittingOfBlocks,
  sharpeOfBlocks,
} from './overfit/pbo.ts';
export {
  countTrials,
  deflatedSharpe,
  distinctTrials,
  shapeOf,
  type Trial,
  type TrialCount,
} from './overfit/sharpe-tests.ts';
export type { BenchmarkRow } from './series/benchmark-rows.ts';
export { type PairedDifference, pairedDifference } from './series/bootstrap.ts';
export { type CostMultiples, costMultiples } from './series/capacity.ts';
export { dollars } from './series/dollars.ts';
export {
  directionOf,
  FIGURE_ENTRIES,
  FIGURES,
  type FigureEntry,
  type FigureName,
  type FigureUnit,
  figureEntry,
  shortLabel,
} from './series/figure-catalogue.ts';
export { REGIME_CONVENTION, type Regime, regimesOf } from './series/regimes.ts';
export { seededDraws } from './series/resamples.ts';
export {
  type ActualRun,
  definedValues,
  emptyFigures,
  type FigureValues,
  type Quantiles,
  type ShareInterval,
  STRESS_FIGURE_NAMES,
  type StressFigure,
  type StressFigureName,
  stressDistribution,
  stressFigures,
  type WorldRow,
} from './stress/distribution.ts';
export {
  probabilityText,
  STRESS_WORDS,
  type StressReport,
  type StressState,
  type StressVerdict,
  stressVerdict,
} from './stress/stress-report.ts';
export { type Cone, type TradeCones, type TradePaths, tradeCones } from './stress/trade-cones.ts';
export {
  type Agreement,
  agreementByBar,
  agreementOf,
  type BarAgreement,
  type DecidedAction,
  decidedActions,
} from './study/agreement.ts';
export { auditOf } from './study/audit.ts';
export { calibrationOf } from './study/calibration.ts';
export { cellReturns, type Episode, type StudyCell, studyCell, studyCellSchema } from './study/cell.ts';
export {
  type CostSensitivity,
  compareWithHolding,
  costSensitivity,
  type HoldingComparison,
} from './study/cost-sensitivity.ts';
export type { ForecastTerms } from './study/forecasts.ts';
export { type Estimate, hierarchicalMean } from './study/hierarchical.ts';
export { holmCorrected, type StudyDifference, type StudyReturns, studyDifference } from './study/paired.ts';
export {
  AUDIT_STATES,
  type AuditAnswer,
  STUDY_FIGURES,
  type StudyArm,
  type StudyFigure,
  type StudyReport,
  studyReportSchema,
} from './study/report.ts';
export { cutoffLines } from './summary/cutoff.ts';
export { decisionLines, decisionStatistics, holdName } from './summary/decisions.ts';
export { ambiguityOf, evaluated, resolveOf } from './summary/evaluation.ts';
export { recordBetween } from './summary/part.ts';
export {
  primaryResultText,
  type Registered,
  reachesThreshold,
  registeredSchema,
  registrationText,
  thresholdOf,
} from './summary/registration.ts';
export { reducedOrdersOf, summarise } from './summary/summary.ts';
export { type RunSummary, runSummarySchema } from './summary/summary-schema.ts';
export {
  isFavourable,
  VERDICT_WORDS,
  type Verdict,
  type VerdictState,
  verdictText,
} from './summary/verdict.ts';
