import type { Instant } from '../../kernel/index.ts';
import type { Stamp } from '../stamps.ts';

/** News, a filing, a transcript: a text, and when it could be known. */
export interface GivenDocument {
  /** Of one document alone in all files. */
  readonly id: string;
  /** When it could be known. */
  readonly known: Stamp;
  /** Those it is about; none for what is about everybody. */
  readonly symbols: readonly string[];
  /** Who published it; empty where nobody says. */
  readonly source: string;
  /** Such as `news` or `10-K`; empty where nobody says. */
  readonly kind: string;
  readonly title: string;
  readonly text: string;
  /** Its place in its file, for messages. */
  readonly where: string;
}

/** One figure of one symbol about one period, as it was published at one time. */
export interface GivenFundamental {
  readonly symbol: string;
  /** Such as `revenue`. */
  readonly field: string;
  /** The last day of the period. */
  readonly periodEnd: Instant;
  /** When it could be known: a restatement has a later one of its own. */
  readonly known: Stamp;
  readonly value: number;
}

/** A time during which a symbol could be traded. */
export interface Membership {
  readonly symbol: string;
  /** The first instant of it; null for ever before. */
  readonly from: Instant | null;
  /** The first instant after it; null for ever since. */
  readonly until: Instant | null;
}

/** A text file that is there from when it could be known. */
export interface DatedFile {
  readonly path: string;
  readonly content: string;
  readonly known: Stamp;
}

/** What a desk knows beside bars and features, each with when it was known. Plain data: it travels to other processes. */
export interface PointInTimeData {
  readonly documents: readonly GivenDocument[];
  readonly fundamentals: readonly GivenFundamental[];
  /** Undefined where every symbol can be traded at any time. */
  readonly universe?: readonly Membership[] | undefined;
}

/** A file of such data, for a run's manifest. */
export interface PointInTimeSource {
  readonly file: string;
  readonly sha256: string;
  readonly kind: 'documents' | 'fundamentals' | 'universe';
  readonly rows: number;
}

/** The data of a run, and the files they are from. */
export interface LoadedPointInTime extends PointInTimeData {
  readonly sources: readonly PointInTimeSource[];
}

/** What a run has that is given none of it. */
export const NOTHING_GIVEN: LoadedPointInTime = { documents: [], fundamentals: [], sources: [] };
