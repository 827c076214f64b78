import type { Bar, Interval } from '../market/index.ts';
import type { Http } from './http.ts';

/** What is missing of one symbol. */
export interface Wanted {
  /** As the provider writes it. */
  readonly symbol: string;
  /** Instants, both included. */
  readonly from: number;
  readonly to: number;
  /** As it was asked for, such as `5min`. */
  readonly interval: string;
  readonly length: Interval;
}

/** What one request was answered. */
export interface Page {
  readonly bars: readonly Bar[];
  /** What the answer covers, both included: no bar of it is missing but those that there are not. */
  readonly from: number;
  readonly to: number;
  /** For the manifest; without keys. */
  readonly query: Readonly<Record<string, string>>;
  /** Hex digest of the answer. */
  readonly sha256: string;
}

/** A source of bars: the one port that all of them are behind. */
export interface Provider {
  readonly name: string;
  /** Its intervals, by how ours are written. */
  readonly intervals: Readonly<Record<string, string>>;
  /** Environment variables with its keys. */
  readonly keys: readonly string[];
  /** Milliseconds between two requests, as its free plan allows. */
  readonly spacing: number;
  /** Where it is, without a slash at the end. */
  readonly baseUrl: string;
  /**
   * Pages in order of time, until all that was wanted is covered.
   *
   * @throws AppError `download_refused`, `download_failed`
   */
  pages(wanted: Wanted, http: Http): AsyncIterable<Page>;
}
