import type { Bar, Interval } from '../index.ts';
import type { Http } from './http.ts';

/** Missing data of one symbol. */
export interface Wanted {
  /** Symbol in the provider's notation. */
  readonly symbol: string;
  /** Instants, both included. */
  readonly from: number;
  readonly to: number;
  /** Interval as requested, such as `5min`. */
  readonly interval: string;
  readonly length: Interval;
}

/** Result of one request. */
export interface Page {
  readonly bars: readonly Bar[];
  /** Period that the response covers, both ends included. All existing bars of the period are in `bars`. */
  readonly from: number;
  readonly to: number;
  /** Query for the manifest, without keys. */
  readonly query: Readonly<Record<string, string>>;
  /** Hash of the response, as hex. */
  readonly sha256: string;
}

/** Source of bars. All providers implement this interface. */
export interface Provider {
  readonly name: string;
  /** Supported intervals: the provider's name by Sandtable's name. */
  readonly intervals: Readonly<Record<string, string>>;
  /** Environment variables with its keys. */
  readonly keys: readonly string[];
  /** Minimum milliseconds between two requests, as required by its free plan. */
  readonly spacing: number;
  /** Base address without a trailing slash. */
  readonly baseUrl: string;
  /**
   * Yields pages in chronological order until the whole requested period is covered.
   *
   * @throws AppError `download_refused`, `download_failed`
   */
  pages(wanted: Wanted, http: Http): AsyncIterable<Page>;
}
