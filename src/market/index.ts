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
export { type BarShape, SessionAuctions } from './calendar/auctions.ts';
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
  checkCalendarText,
  isSessionText,
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
  cutFeatures,
  type Feature,
  type FeatureColumn,
  FeatureFeed,
  type FeatureRow,
  FeatureSender,
  type FeatureShape,
  type FeatureSource,
  type FeatureTable,
  type FeatureType,
  type FeatureValue,
  featureSchema,
  featuresOf,
  featureTable,
  type GrowingFeature,
  KnownAt,
  type KnownNews,
  type KnownRow,
  type KnownRows,
  type LoadedFeatures,
  lagOf,
  loadFeatures,
  type MirroredFeatures,
  type NewlyKnown,
  type NumberFeature,
  type ValueFeature,
} from './features/index.ts';
export { type BarNumbers, type GrowingMarket, growingMarket } from './feed/growing.ts';
export { type BarGroup, Intake, type NotApplied } from './feed/intake.ts';
export { type FeedDocument, type FeedMessage, readFeedDocument } from './feed/message.ts';
export * from './futures/index.ts';
export {
  type Declarations,
  type DeclaredIndicator,
  declareIndicators,
  type Indicator,
  type IndicatorGroup,
  type IndicatorKit,
  IndicatorMemo,
  IndicatorSet,
  type IndicatorsOf,
  type PriceColumn,
  type SharedSeries,
} from './indicators/index.ts';
export { checkedMarket, createMarket, type Market, marketOf, trusted } from './market.ts';
export * from './point-in-time/index.ts';
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
