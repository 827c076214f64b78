import type { Instant } from '../kernel/index.ts';
import type { BarSeries, FeatureColumn, FeatureTable } from '../market/index.ts';

/** Smallest number of rows for a judgement, and largest number of rows that are examined. */
const [LEAST_ROWS, MOST_ROWS] = [5, 5_000];
/**
 * A column has the level of prices (a target, an average, a VWAP) if enough of its values are near the last
 * close. `MOST` is the share of near values, `NEAR` the largest distance as a fraction of the close.
 */
const [MOST, NEAR] = [0.9, 0.2];

/**
 * True if a column of numbers reveals the level of prices without containing prices.
 *
 * @param known all real series of the run
 */
export function isNearPrices(
  { values }: FeatureColumn,
  { dates, symbols }: Pick<FeatureTable, 'dates' | 'symbols'>,
  known: readonly BarSeries[],
): boolean {
  const step = Math.ceil(values.length / MOST_ROWS);
  const bySymbol = new Map(known.map((series) => [series.symbol, { series, rows: 0, near: 0 }]));
  const all = [...bySymbol.values()];
  for (let row = 0; row < values.length; row += step) {
    const value = values[row];
    if (typeof value !== 'number') continue;
    const own = symbols === undefined ? undefined : bySymbol.get(symbols[row]!);
    for (const count of symbols === undefined ? all : own === undefined ? [] : [own]) {
      const close = closeAt(count.series, dates[row]!.instant);
      if (close === undefined) continue;
      count.rows += 1;
      if (Math.abs(value / close - 1) <= NEAR) count.near += 1;
    }
  }
  const isNear = (rows: number, near: number): boolean => rows >= LEAST_ROWS && near >= MOST * rows;
  if (symbols === undefined) return all.some(({ rows, near }) => isNear(rows, near));
  // Rows of many symbols are judged together, because a single symbol may match by chance.
  const sum = (of: 'rows' | 'near'): number => all.reduce((total, count) => total + count[of], 0);
  return isNear(sum('rows'), sum('near'));
}

/** Returns the last close at or before an instant. */
function closeAt({ time, close }: BarSeries, instant: Instant): number | undefined {
  let [low, high] = [0, time.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (time[middle]! <= instant) low = middle + 1;
    else high = middle;
  }
  return close[low - 1];
}
