export { type LoadedActions, loadActions } from './actions/actions.ts';
export {
  actionFaults,
  type CorporateAction,
  type FundingRate,
  isShareAction,
  orderOfActions,
  type Roll,
  type ShareAction,
} from './actions/corporate-action.ts';
export { ADJUSTED_KINDS, adjustmentsOf, backAdjust, loadFactors } from './actions/factors.ts';
export {
  type Bar,
  type BarSeries,
  barSeries,
  mapColumns,
  PRICE_COLUMNS,
  readBarColumns,
  writeBarColumns,
} from './bars/bar-columns.ts';
export { type Column, SharedMeans } from './bars/column.ts';
export { BarBounds, ContextFeed, EndedBars, type NewlyEnded } from './bars/context.ts';
export { DetailBars } from './bars/detail.ts';
export { type DataFrame, dataFrame, type FrameColumn } from './bars/frame.ts';
export {
  addInterval,
  type BarTimes,
  type Interval,
  inferInterval,
  intervalText,
  intervalWords,
  monthOf,
  parseInterval,
} from './bars/interval.ts';
export { type ResampledBars, type ResampleOptions, resample } from './bars/resampled.ts';
export { type Rebasing, SeriesCursor, type Window, type WindowExtras } from './bars/window.ts';
export { instantsAt, isZone, localTime } from './bars/zones.ts';
export {
  type CalendarReport,
  type CalendarTerms,
  checkCovers,
  readCalendar,
  tradingCalendar,
  unlikelyYears,
} from './calendar/calendar.ts';
export {
  type AuctionBars,
  auctionBarsSchema,
  type BarShape,
  checkCalendarText,
  isSessionText,
  SessionAuctions,
  SessionDays,
  type SessionTerms,
  sessionSchema,
  sessionsOf,
  sessionTerms,
  tradingDays,
} from './calendar/session.ts';
export {
  ListedSessions,
  readHours,
  type Session,
  type SessionRow,
  type Sessions,
  sessionRows,
} from './calendar/sessions.ts';
export { readManifest, symbolFolder } from './catalog/manifest.ts';
export { mergeBars, type Obtained, writeSeriesFile, writeToCatalog } from './catalog/write.ts';
export { calendarReport, checkData, type DataReport, type SeriesReport } from './check/check.ts';
export type { MissingDays } from './check/suspicions.ts';
export { COLUMN_PRESET_NAMES, type ColumnMapping, readColumns } from './columns/mapping.ts';
export {
  type FeatureColumn,
  type FeatureSource,
  type FeatureTable,
  type FeatureType,
  type FeatureValue,
  featureSchema,
} from './features/bar-columns.ts';
export {
  type Feature,
  featuresOf,
  type GrowingFeature,
  type KnownRow,
  type KnownRows,
  type NumberFeature,
  type ValueFeature,
} from './features/feature.ts';
export { cutFeatures, FeatureFeed, KnownAt, type NewlyKnown } from './features/feed.ts';
export {
  FeatureSender,
  type FeatureShape,
  type KnownNews,
  type MirroredFeatures,
} from './features/mirrored.ts';
export { type FeatureRow, featureTable, type LoadedFeatures, lagOf, loadFeatures } from './features/read.ts';
export { type BarGroup, Intake, type NotApplied } from './feed/intake.ts';
export {
  type BarNumbers,
  type FeedDocument,
  type FeedMessage,
  type GrowingMarket,
  growingMarket,
  readFeedDocument,
} from './feed/message.ts';
export {
  type ContinuousOptions,
  type ContinuousSeries,
  continuousSeries,
  type Expiry,
  loadExpiries,
  ROLL_ADJUSTMENTS,
  type RollRule,
  readRollRule,
} from './futures/continuous.ts';
export { type LoadedFunding, loadFunding } from './futures/funding.ts';
export {
  type FuturesSource,
  type LoadedRolls,
  loadRolls,
  rollsCsv,
  saveRolls,
} from './futures/rolls-file.ts';
export {
  type Declarations,
  type DeclaredIndicator,
  declareIndicators,
  type Indicator,
  type IndicatorGroup,
  type IndicatorKit,
  type IndicatorsOf,
  type PriceColumn,
} from './indicators/declare.ts';
export { IndicatorMemo, IndicatorSet, type SharedSeries } from './indicators/indicator-set.ts';
export { checkedMarket, createMarket, type Market, marketOf, trusted } from './market.ts';
export {
  DatedRows,
  type FundamentalBook,
  type KnownFundamental,
  type NewlyPublished,
  PointInTimeFeed,
  type PublishedFundamental,
  type ReadFundamentals,
  type UniverseChange,
} from './point-in-time/feed.ts';
export {
  type DocumentHit,
  type DocumentMatches,
  type DocumentQuery,
  type Documents,
  type KnownDocument,
  Library,
  MOST_DOCUMENTS,
} from './point-in-time/library.ts';
export {
  loadPointInTime,
  type PointInTimeFiles,
  type PointInTimeRows,
  pointInTimeData,
  together,
} from './point-in-time/load.ts';
export {
  type DatedFile,
  type DocumentRow,
  type FundamentalRow,
  type GivenDocument,
  type LoadedPointInTime,
  NOTHING_GIVEN,
  type PointInTimeData,
  type PointInTimeSource,
  type UniverseRow,
} from './point-in-time/read-tables.ts';
export type { DataSource } from './reading/data-source.ts';
export { sqlName, sqlPath, sqlText } from './reading/database.ts';
export {
  type LoadedMarket,
  type LoadedSeries,
  type LoadOptions,
  loadMarket,
  loadSeries,
} from './reading/load.ts';
export { intervalOf, keepInterval } from './reading/one-interval.ts';
export { type SavedBars, saveBars, toCsv } from './reading/save.ts';
export { fileSheet } from './reading/sheet.ts';
export { type Stamp, stampOf } from './reading/stamps.ts';
export { checkSeries } from './reading/valid-series.ts';
export { type SimulationOptions, simulateMarket } from './simulate/simulate.ts';
