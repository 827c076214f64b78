import type { Instant } from '../kernel/index.ts';

/** One symbol's bars in columns, oldest first; every column has the same length. Times are instants, strictly increasing. */
export interface BarSeries {
  readonly symbol: string;
  readonly time: Float64Array;
  readonly open: Float64Array;
  readonly high: Float64Array;
  readonly low: Float64Array;
  readonly close: Float64Array;
  readonly volume: Float64Array;
  /** Further columns by their names, such as a quoted spread: only those that were asked for. */
  readonly extra?: Readonly<Record<string, Float64Array>>;
  /** How long its bars last, such as `1h`; what its steps tell where left out. */
  readonly interval?: string;
}

/** The columns of a bar after its time, in the order they are stored and sent everywhere. */
export const PRICE_COLUMNS = ['open', 'high', 'low', 'close', 'volume'] as const;

/** One bar of a symbol: prices and volume are float64. */
export interface Bar {
  readonly time: Instant;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
}

/** Columns from bars written by hand: for tests and small examples. */
export function barSeries(symbol: string, bars: readonly Bar[]): BarSeries {
  return {
    symbol,
    time: Float64Array.from(bars, (bar) => bar.time),
    open: Float64Array.from(bars, (bar) => bar.open),
    high: Float64Array.from(bars, (bar) => bar.high),
    low: Float64Array.from(bars, (bar) => bar.low),
    close: Float64Array.from(bars, (bar) => bar.close),
    volume: Float64Array.from(bars, (bar) => bar.volume),
  };
}

/**
 * A series with every column changed in the same way: a slice, a choice of rows, a join.
 *
 * @param change gets a column and how to take the same one from another series
 */
export function mapColumns(
  series: BarSeries,
  change: (column: Float64Array, take: (other: BarSeries) => Float64Array) => Float64Array,
): BarSeries {
  const mapped = {
    symbol: series.symbol,
    ...(series.interval === undefined ? {} : { interval: series.interval }),
    time: change(series.time, (other) => other.time),
    open: change(series.open, (other) => other.open),
    high: change(series.high, (other) => other.high),
    low: change(series.low, (other) => other.low),
    close: change(series.close, (other) => other.close),
    volume: change(series.volume, (other) => other.volume),
  };
  if (series.extra === undefined) return mapped;
  const extra = Object.entries(series.extra).map(
    ([name, column]) => [name, change(column, (other) => other.extra![name]!)] as const,
  );
  return { ...mapped, extra: Object.fromEntries(extra) };
}
