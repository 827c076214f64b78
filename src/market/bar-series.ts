import { type Instant, recordOf } from '../kernel/index.ts';

/**
 * Bars of one symbol in columns, oldest first. All columns have the same length. Times are strictly
 * increasing instants.
 */
export interface BarSeries {
  readonly symbol: string;
  readonly time: Float64Array;
  readonly open: Float64Array;
  readonly high: Float64Array;
  readonly low: Float64Array;
  readonly close: Float64Array;
  readonly volume: Float64Array;
  /** Additional requested columns by name, such as a quoted spread. */
  readonly extra?: Readonly<Record<string, Float64Array>>;
  /** Length of its bars, for example `1h`. Default: inferred from the steps between bars. */
  readonly interval?: string;
  /**
   * End of each bar. Present only if the time of a bar does not determine its end, as in series whose times
   * are masked.
   */
  readonly ends?: Float64Array;
}

/** Columns of a bar after its time, in the order used for storage and transfer. */
export const PRICE_COLUMNS = ['open', 'high', 'low', 'close', 'volume'] as const;

/** Columns of a bar in the order used for storage and transfer, starting with the time. */
export const BAR_COLUMNS = ['time', ...PRICE_COLUMNS] as const;

/** One bar of a symbol. Prices and volume are float64. */
export interface Bar {
  readonly time: Instant;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
}

/** Creates a series from bars written in code, for tests and small examples. */
export function barSeries(symbol: string, bars: readonly Bar[]): BarSeries {
  return { symbol, ...recordOf(BAR_COLUMNS, (name) => Float64Array.from(bars, (bar) => bar[name])) };
}

/**
 * Creates a series from existing columns.
 *
 * @param columns in the order of `BAR_COLUMNS`, then the additional ones
 * @param extra names of the additional columns
 */
export function seriesFrom(
  symbol: string,
  columns: readonly Float64Array[],
  extra: readonly string[],
): BarSeries {
  const series = { symbol, ...recordOf(BAR_COLUMNS, (name) => columns[BAR_COLUMNS.indexOf(name)]!) };
  if (extra.length === 0) return series;
  const further = extra.map((name, index) => [name, columns[BAR_COLUMNS.length + index]!] as const);
  return { ...series, extra: Object.fromEntries(further) };
}

/**
 * Applies the same change to every column of a series, for example slicing, selecting rows or joining.
 *
 * @param change gets a column, and a function that returns the same column of another series
 */
export function mapColumns(
  series: BarSeries,
  change: (column: Float64Array, take: (other: BarSeries) => Float64Array) => Float64Array,
): BarSeries {
  const mapped = {
    symbol: series.symbol,
    ...(series.interval === undefined ? {} : { interval: series.interval }),
    ...recordOf(BAR_COLUMNS, (name) => change(series[name], (other) => other[name])),
  };
  if (series.extra === undefined) return mapped;
  const extra = Object.entries(series.extra).map(
    ([name, column]) => [name, change(column, (other) => other.extra![name]!)] as const,
  );
  return { ...mapped, extra: Object.fromEntries(extra) };
}
