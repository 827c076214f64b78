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
} from './read-tables.ts';
