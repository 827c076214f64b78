export {
  DatedRows,
  type FundamentalBook,
  type KnownFundamental,
  type NewlyPublished,
  PointInTimeFeed,
  type PublishedFundamental,
  type ReadFundamentals,
  type UniverseChange,
} from './feed.ts';
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
export type { DocumentRow, FundamentalRow, UniverseRow } from './read-tables.ts';
export {
  type DatedFile,
  type GivenDocument,
  type LoadedPointInTime,
  NOTHING_GIVEN,
  type PointInTimeData,
  type PointInTimeSource,
} from './tables.ts';
