import {
  type DocumentRow,
  type FundamentalRow,
  type LoadedPointInTime,
  type PointInTimeData,
  pointInTimeData,
  type UniverseRow,
} from '../../market/index.ts';
import type { AvailableData } from '../../toolkit/index.ts';
import type { RunOptions } from './options.ts';

/** Point-in-time data passed in code: files, folders and globs, or rows in memory. */
export interface PointInTimeOptions {
  /** News, filings and other texts. */
  readonly documents?: string | readonly string[] | readonly DocumentRow[] | undefined;
  /** Figures by symbol, field and period. */
  readonly fundamentals?: string | readonly string[] | readonly FundamentalRow[] | undefined;
  /** Tradable symbols over time: one file, or rows. */
  readonly universe?: string | readonly UniverseRow[] | undefined;
}

/** Returns the kinds of data that a run has. Tools that need other data are not offered. */
export function availableData({ documents, fundamentals, universe }: PointInTimeData): AvailableData {
  return {
    documents: documents.length > 0,
    fundamentals: fundamentals.length > 0,
    universe: universe !== undefined,
  };
}

/** Adds files to the file options, and rows to the data in memory. */
export function withPointInTime<Given extends { readonly options: RunOptions }>(
  { documents, fundamentals, universe }: PointInTimeOptions,
  given: Given,
): Given & { readonly pointInTime?: LoadedPointInTime } {
  const [texts, figures] = [pathsOrRows(documents), pathsOrRows(fundamentals)];
  const members = typeof universe === 'string' ? undefined : universe;
  const options = {
    ...given.options,
    ...(texts.paths === undefined ? {} : { documents: texts.paths }),
    ...(figures.paths === undefined ? {} : { fundamentals: figures.paths }),
    ...(typeof universe === 'string' ? { universe } : {}),
  };
  if ((texts.rows ?? figures.rows ?? members) === undefined) return { ...given, options };
  const rows = { documents: texts.rows, fundamentals: figures.rows, universe: members };
  return { ...given, options, pointInTime: pointInTimeData(rows, options.timezone) };
}

function pathsOrRows<Row extends object>(
  given: string | readonly string[] | readonly Row[] | undefined,
): { readonly paths?: readonly string[]; readonly rows?: readonly Row[] } {
  if (given === undefined) return {};
  if (typeof given === 'string') return { paths: [given] };
  const paths = given.filter((one) => typeof one === 'string');
  return paths.length > 0 ? { paths } : { rows: given as readonly Row[] };
}
