export { type LoadedActions, loadActions } from './actions.ts';
export { ADJUSTED_KINDS, adjustmentsOf, backAdjust } from './back-adjust.ts';
export { readBarColumns, writeBarColumns } from './bar-columns.ts';
export { type Bar, type BarSeries, barSeries, mapColumns, PRICE_COLUMNS } from './bar-series.ts';
export { type BarShape, SessionAuctions } from './calendar/auctions.ts';
export {
  type CalendarReport,
  type CalendarTerms,
  checkCovers,
  tradingCalendar,
} from './calendar/calendar.ts';
export { readCalendar } from './calendar/calendar-file.ts';
export { readHours } from './calendar/clock-times.ts';
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
  type Session,
  type SessionRow,
  type Sessions,
  sessionRows,
} from './calendar/sessions.ts';
export { readManifest } from './catalog/manifest.ts';
export { symbolFolder } from './catalog/place.ts';
export { type Obtained, writeSeriesFile, writeToCatalog } from './catalog/write.ts';
export { calendarReport, checkData, type DataReport, type SeriesReport } from './check.ts';
export type { Column } from './column.ts';
export { type ColumnMapping, readColumns } from './columns/mapping.ts';
export { COLUMN_PRESET_NAMES } from './columns/presets.ts';
export { ContextFeed, type NewlyEnded } from './context.ts';
export {
  actionFaults,
  type CorporateAction,
  type FundingRate,
  isShareAction,
  orderOfActions,
  type Roll,
  type ShareAction,
} from './corporate-action.ts';
export { toCsv } from './csv.ts';
export type { DataSource } from './data-source.ts';
export { sqlName, sqlPath, sqlText } from './database.ts';
export { DetailBars } from './detail.ts';
export { BarBounds, EndedBars } from './ended-bars.ts';
export { loadFactors } from './factors.ts';
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
export { type DataFrame, dataFrame, type FrameColumn } from './frame.ts';
export * from './futures/index.ts';
export {
  addInterval,
  type BarTimes,
  type Interval,
  inferInterval,
  intervalText,
  intervalWords,
  parseInterval,
} from './interval.ts';
export {
  type LoadedMarket,
  type LoadedSeries,
  type LoadOptions,
  loadMarket,
  loadSeries,
} from './load.ts';
export { checkedMarket, createMarket, type Market, marketOf, trusted } from './market.ts';
export { mergeBars } from './merge.ts';
export type { MissingDays } from './missing-days.ts';
export { intervalOf, keepInterval } from './one-interval.ts';
export * from './point-in-time/index.ts';
export { type ResampleOptions, resample } from './resample.ts';
export type { ResampledBars } from './resampled.ts';
export { type SavedBars, saveBars } from './save.ts';
export { fileSheet } from './sheet.ts';
export { type SimulationOptions, simulateMarket } from './simulate.ts';
export { type Stamp, stampOf } from './stamps.ts';
export { checkSeries } from './valid-series.ts';
export { type Rebasing, SeriesCursor, type Window, type WindowExtras } from './window.ts';
export { instantsAt, isZone, localTime } from './zones.ts';
