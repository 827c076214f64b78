import type { Instant } from '../kernel/index.ts';
import type { BarSeries, FeatureColumn, FeatureTable } from '../market/index.ts';

/** Of fewer rows nothing is said, and of more some are looked at. */
const [LEAST_ROWS, MOST_ROWS] = [5, 5_000];
/** A column of which so many values are so near to the last close has the level of prices: a target, an average, a VWAP. */
const [MOST, NEAR] = [0.9, 0.2];

/**
 * Whether a column of numbers shows what prices are, without being one of them.
 *
 * @param known every series that a run is given, as it really is
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
  // Rows of many symbols are judged together: one of them may be near its price by chance.
  const sum = (of: 'rows' | 'near'): number => all.reduce((total, count) => total + count[of], 0);
  return isNear(sum('rows'), sum('near'));
}

/** The last close of before an instant, or at it. */
function closeAt({ time, close }: BarSeries, instant: Instant): number | undefined {
  let [low, high] = [0, time.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (time[middle]! <= instant) low = middle + 1;
    else high = middle;
  }
  return close[low - 1];
}
