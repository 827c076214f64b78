import { type Instant, recordOf } from '../kernel/index.ts';

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
  /** When each bar has ended, where its stamp does not tell: of a series whose times a mask has moved. */
  readonly ends?: Float64Array;
}

/** The columns of a bar after its time, in the order they are stored and sent everywhere. */
export const PRICE_COLUMNS = ['open', 'high', 'low', 'close', 'volume'] as const;

/** The columns of a bar in the order they are stored and sent everywhere, its time first. */
export const BAR_COLUMNS = ['time', ...PRICE_COLUMNS] as const;

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
  return { symbol, ...recordOf(BAR_COLUMNS, (name) => Float64Array.from(bars, (bar) => bar[name])) };
}

/**
 * A series of columns that are at hand.
 *
 * @param columns in the order of `BAR_COLUMNS`, then the further ones
 * @param extra names of the further columns
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
    ...recordOf(BAR_COLUMNS, (name) => change(series[name], (other) => other[name])),
  };
  if (series.extra === undefined) return mapped;
  const extra = Object.entries(series.extra).map(
    ([name, column]) => [name, change(column, (other) => other.extra![name]!)] as const,
  );
  return { ...mapped, extra: Object.fromEntries(extra) };
}
