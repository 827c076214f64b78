export { DatedRows } from './dated-rows.ts';
export type { DocumentRow } from './documents.ts';
export { type NewlyPublished, PointInTimeFeed, type UniverseChange } from './feed.ts';
export type { FundamentalRow } from './fundamentals.ts';
export type {
  FundamentalBook,
  KnownFundamental,
  PublishedFundamental,
  ReadFundamentals,
} from './fundamentals-view.ts';
export {
  type DocumentHit,
  type DocumentMatches,
  type DocumentQuery,
  type Documents,
  type KnownDocument,
  Library,
  MOST_DOCUMENTS,
} from './library.ts';
export {
  loadPointInTime,
  type PointInTimeFiles,
  type PointInTimeRows,
  pointInTimeData,
  together,
} from './load.ts';
export {
  type DatedFile,
  type GivenDocument,
  type LoadedPointInTime,
  NOTHING_GIVEN,
  type PointInTimeData,
  type PointInTimeSource,
} from './tables.ts';
export type { UniverseRow } from './universe.ts';
