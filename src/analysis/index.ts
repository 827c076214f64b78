export { againstBenchmark } from './against-benchmark.ts';
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
} from './alarm.ts';
export { alarmsOf, type HeldOut, heldOutAlarms } from './alarms.ts';
export { ambiguityOf, resolveOf } from './ambiguity.ts';
export { type Attribution, type AttributionPart, addedUp } from './attribution.ts';
export { type BenchmarkSeries, benchmarkName, buyAndHold } from './benchmark.ts';
export { benchmarkFault } from './benchmark-coverage.ts';
export { breakdownsOf } from './breakdown.ts';
export { calendarReturns, type YearOfReturns } from './calendar-returns.ts';
export { capacityOf, volumeShares } from './capacity.ts';
export { type CostStep, MODEL_TOKENS } from './cost-steps.ts';
export { fillAmounts } from './costs.ts';
export { cutoffLines } from './cutoff.ts';
export { decisionLines, decisionStatistics, holdName } from './decisions.ts';
export { type Drawdown, drawdownCurve, drawdownsOf } from './drawdown.ts';
export { type EquityColumns, equityColumns, reportSettings } from './equity.ts';
export { evaluated } from './evaluation.ts';
export { EXCURSION_CONVENTION, excursionsOf } from './excursions.ts';
export {
  type Figure,
  figure,
  type MoneyFigure,
  mean,
  standardDeviation,
  type Undefined,
  undefinedBecause,
} from './figures.ts';
export { groupBy } from './group-by.ts';
export { computeMetrics, type Metrics, type MetricsOptions } from './metrics.ts';
export { type ModelUsage, modelLines, modelUsage } from './model-usage.ts';
export {
  type BlockOverfitting,
  type BlockSums,
  blockSumsOf,
  overfittingOfBlocks,
  sharpeOfBlocks,
} from './overfit/blocks.ts';
export { countTrials, deflatedSharpe, type TrialCount } from './overfit/deflate.ts';
export { type Overfitting, overfittingOf } from './overfit/pbo.ts';
export { shapeOf } from './overfit/sharpe-tests.ts';
export { distinctTrials, type Trial } from './overfit/trial.ts';
export { recordBetween } from './part.ts';
export { reducedOrdersOf } from './reduced-orders.ts';
export { returnDates, sessionReturns } from './returns.ts';
export { rollingFigures, rollingWindow } from './rolling.ts';
export { type PairedDifference, pairedDifference } from './series/bootstrap.ts';
export { type CostMultiples, costMultiples } from './series/cost-multiples.ts';
export { REGIME_CONVENTION, type Regime, regimesOf } from './series/regimes.ts';
export { seededDraws } from './series/resamples.ts';
export type { SpineRow } from './series/spine.ts';
export { type Sessions, sessionsOf } from './sessions.ts';
export { spineOf } from './spine.ts';
export { unitsBetween } from './splits.ts';
export {
  type ActualRun,
  definedValues,
  type Quantiles,
  type ShareInterval,
  type StressFigure,
  stressDistribution,
  type WorldRow,
} from './stress/distribution.ts';
export {
  emptyFigures,
  type FigureValues,
  STRESS_FIGURE_NAMES,
  type StressFigureName,
  stressFigures,
} from './stress/figures.ts';
export type { StressReport } from './stress/stress-report.ts';
export {
  probabilityText,
  STRESS_WORDS,
  type StressState,
  type StressVerdict,
  stressVerdict,
} from './stress/stress-verdict.ts';
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
export { type BesideHolding, besideHolding } from './study/beside-holding.ts';
export { calibrationOf } from './study/calibration.ts';
export { cellReturns, type StudyCell, studyCell, studyCellSchema } from './study/cell.ts';
export { type CostSensitivity, costSensitivity } from './study/cost-sensitivity.ts';
export type { Episode } from './study/episodes.ts';
export type { ForecastTerms } from './study/forecasts.ts';
export { type Estimate, hierarchicalMean } from './study/hierarchical.ts';
export { holmCorrected } from './study/holm.ts';
export { type StudyDifference, type StudyReturns, studyDifference } from './study/paired.ts';
export {
  AUDIT_STATES,
  type AuditAnswer,
  STUDY_FIGURES,
  type StudyArm,
  type StudyFigure,
  type StudyReport,
  studyReportSchema,
} from './study/report.ts';
export { summarise } from './summary.ts';
export { type RunSummary, runSummarySchema } from './summary-schema.ts';
export { isFavourable, VERDICT_WORDS, type Verdict, type VerdictState, verdictText } from './verdict.ts';
