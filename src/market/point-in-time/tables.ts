import type { Instant } from '../../kernel/index.ts';
import type { Stamp } from '../reading/stamps.ts';

/** Text document (news, filing, transcript) with its publication time. */
export interface GivenDocument {
  /** Unique across all files. */
  readonly id: string;
  /** Publication time. */
  readonly known: Stamp;
  /** Symbols of the document. Empty for a document about all symbols. */
  readonly symbols: readonly string[];
  /** Publisher. Empty if unknown. */
  readonly source: string;
  /** Kind, for example `news` or `10-K`. Empty if unknown. */
  readonly kind: string;
  readonly title: string;
  readonly text: string;
  /** Place in its file, for messages. */
  readonly where: string;
}

/** One figure of one symbol for one period, as published at one time. */
export interface GivenFundamental {
  readonly symbol: string;
  /** Name of the figure, for example `revenue`. */
  readonly field: string;
  /** Last day of the period. */
  readonly periodEnd: Instant;
  /** Publication time. A restatement has a later one. */
  readonly known: Stamp;
  readonly value: number;
}

/** Period in which a symbol is tradable. */
export interface Membership {
  readonly symbol: string;
  /** First instant of the period. `null` for no limit. */
  readonly from: Instant | null;
  /** First instant after the period. `null` for no limit. */
  readonly until: Instant | null;
}

/** Text file that becomes visible at its publication time. */
export interface DatedFile {
  readonly path: string;
  readonly content: string;
  readonly known: Stamp;
}

/**
 * Data other than bars and features, with their publication times. Plain data that can be sent to other
 * processes.
 */
export interface PointInTimeData {
  readonly documents: readonly GivenDocument[];
  readonly fundamentals: readonly GivenFundamental[];
  /** Undefined if every symbol is always tradable. */
  readonly universe?: readonly Membership[] | undefined;
}

/** File of point-in-time data, for a run's manifest. */
export interface PointInTimeSource {
  readonly file: string;
  readonly sha256: string;
  readonly kind: 'documents' | 'fundamentals' | 'universe';
  readonly rows: number;
}

/** Point-in-time data of a run, with their files. */
export interface LoadedPointInTime extends PointInTimeData {
  readonly sources: readonly PointInTimeSource[];
}

/** Data of a run without point-in-time data. */
export const NOTHING_GIVEN: LoadedPointInTime = { documents: [], fundamentals: [], sources: [] };
