import type { z } from 'zod';
import { parseJsonInput } from '../../kernel/index.ts';
import type { Bar, Interval } from '../index.ts';
import type { Http } from './http.ts';

/** Missing bars of one symbol, to be requested from a provider. */
export interface Wanted {
  /** Symbol in the provider's notation. */
  readonly symbol: string;
  /** First and last instant of the period, both included. UTC milliseconds since 1970. */
  readonly from: number;
  readonly to: number;
  /** Interval as requested, such as `5min`. */
  readonly interval: string;
  readonly length: Interval;
}

/** Part of the requested bars, as returned by one request. */
export interface Page {
  readonly bars: readonly Bar[];
  /**
   * Period that the response covers, both ends included. `bars` contains all existing bars of this period.
   */
  readonly from: number;
  readonly to: number;
  /** Parameters of the request, without API keys. Recorded in the manifest. */
  readonly query: Readonly<Record<string, string>>;
  /** SHA-256 of the response, as hex. */
  readonly sha256: string;
}

/** Source of bars. All providers implement this interface. */
export interface Provider {
  readonly name: string;
  /** Supported intervals. The key is Sandtable's name, the value is the provider's name. */
  readonly intervals: Readonly<Record<string, string>>;
  /** Names of the environment variables that contain the provider's API keys. */
  readonly keys: readonly string[];
  /** Minimum milliseconds between two requests, as required by the provider's free plan. */
  readonly spacing: number;
  /** Base address without a trailing slash. */
  readonly baseUrl: string;
  /**
   * Yields pages in chronological order until the whole requested period is covered.
   *
   * @throws AppError `download_refused` if a retry cannot help, `download_failed` otherwise
   */
  pages(wanted: Wanted, http: Http): AsyncIterable<Page>;
}

/**
 * Reads the bars of a CSV response.
 *
 * @param names header names of the date column and the volume column; volume is 0 if the column is missing
 * @param instantOf parses a date of the response; `NaN` for an invalid date
 * @throws AppError `download_failed` if the response is not a table of bars
 */
export function csvBars(
  text: string,
  names: { readonly date: string; readonly volume: string },
  instantOf: (date: string) => number,
  http: Http,
): Bar[] {
  const [header = '', ...lines] = text.trim().split(/\r?\n/);
  const columns = header.split(',').map((name) => name.trim().toLowerCase());
  const [date, open, high, low, close, volume] = [
    names.date,
    'open',
    'high',
    'low',
    'close',
    names.volume,
  ].map((name) => columns.indexOf(name.toLowerCase())) as [number, number, number, number, number, number];
  if ([date, open, high, low, close].some((position) => position < 0))
    throw http.failed(`the response is not a table of bars ("${header.slice(0, 80)}")`);
  return lines.map((line) => {
    const cells = line.split(',');
    const number = (position: number): number => Number(cells[position]?.trim() || Number.NaN);
    const bar = {
      time: instantOf(cells[date]?.trim() ?? ''),
      open: number(open),
      high: number(high),
      low: number(low),
      close: number(close),
      volume: volume < 0 || cells[volume]?.trim() === '' ? 0 : number(volume),
    };
    if (Object.values(bar).some((value) => !Number.isFinite(value)))
      throw http.failed(`a line is not a bar ("${line.slice(0, 80)}")`);
    return bar;
  });
}

/**
 * Parses a JSON response and validates it with a schema.
 *
 * @throws AppError `download_failed` if the response does not match the schema
 */
export function readJson<Schema extends z.ZodType>(
  text: string,
  schema: Schema,
  http: Http,
): z.infer<Schema> {
  try {
    return schema.parse(parseJsonInput(text)) as z.infer<Schema>;
  } catch {
    throw http.failed(
      `the response has an unexpected format ("${text.slice(0, 80).replaceAll(/\s+/g, ' ')}")`,
    );
  }
}
