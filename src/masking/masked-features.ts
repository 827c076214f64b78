import type { MaskTerms } from '../engine/index.ts';
import { type Fault, faultsError, type Instant } from '../kernel/index.ts';
import type { BarSeries, FeatureColumn, FeatureTable, FeatureValue } from '../market/index.ts';
import { type GivenClock, rowMover, textMasker } from './leaks.ts';
import { maskView } from './mask-view.ts';
import { finderOf, priceTest } from './masked-files.ts';

/** Minimum number of rows needed to judge a column of features, and maximum number of rows examined. */
const [LEAST_ROWS, MOST_ROWS] = [5, 5_000];
/**
 * Limits for recognising a column of values at the price level, such as a target price, a moving average or a
 * VWAP. `MOST` is the minimum fraction of values that are near the last close. `NEAR` is the maximum distance
 * from the close, as a fraction of the close.
 */
const [MOST, NEAR] = [0.9, 0.2];

/**
 * True if most values of a column are near the symbol's price. The values do not have to equal prices of the
 * data.
 *
 * @param known all real series of the run
 */
function isNearPrices(
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
  // All symbols are judged together, because the values of a single symbol may be near its price by chance.
  const sum = (of: 'rows' | 'near'): number => all.reduce((total, count) => total + count[of], 0);
  return isNear(sum('rows'), sum('near'));
}

/** Returns the last close at or before an instant. `undefined` before the first bar. */
function closeAt({ time, close }: BarSeries, instant: Instant): number | undefined {
  let [low, high] = [0, time.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (time[middle]! <= instant) low = middle + 1;
    else high = middle;
  }
  return close[low - 1];
}

/**
 * A numeric column is treated as prices if at least this fraction of its values equals prices or volumes of
 * the data.
 */
const MOST_PRICES = 0.1;

/**
 * Masks features. Converts dates to the masked calendar, replaces symbols and ISO dates in texts, and leaves
 * numbers unchanged.
 *
 * @param known all real series of the run
 * @throws AppError `mask_leaks` with every text that reveals a hidden name, date or price, and every column
 *   of prices
 */
export function maskFeatures(
  tables: readonly FeatureTable[],
  known: readonly BarSeries[],
  clock: GivenClock,
  mask: MaskTerms,
): FeatureTable[] {
  if (tables.length === 0) return [];
  const maskText = textMasker(mask);
  const find = finderOf(known, mask);
  const prices = mask.kinds.includes('prices') ? { known, isPrice: priceTest(known) } : undefined;
  const { names: nameOf } = maskView(mask);
  const move = rowMover(clock, maskView(mask));
  const faults: Fault[] = [];
  const masked = tables.map((table): FeatureTable => {
    const leaks = new Map(table.columns.map((column) => [column, faultsOf(column, table, find, prices)]));
    // The user did not request the additional columns of a price file as features. Such a column is omitted
    // without an error if it reveals hidden names, dates or prices.
    if (table.isOfBars !== true) faults.push(...[...leaks.values()].flat());
    const kept = table.columns.filter((column) => table.isOfBars !== true || leaks.get(column)!.length === 0);
    return {
      ...move(table),
      symbols: table.symbols?.map((symbol) => nameOf.get(symbol) ?? symbol),
      columns: kept.map((column) =>
        column.type === 'text'
          ? { ...column, values: column.values.map((value) => maskedValue(value, maskText)) }
          : column,
      ),
    };
  });
  if (faults.length === 0) return masked;
  throw faultsError(
    'mask_leaks',
    'These features would reveal what the mask hides',
    faults,
    'Write symbols as in the data and dates as 2020-03-31; the mask rewrites these. Remove other dates, years and prices, use ratios of prices, or remove --features or --mask.',
  );
}

function maskedValue(value: FeatureValue, maskText: (text: string) => string): FeatureValue {
  return typeof value === 'string' ? maskText(value) : value;
}

function faultsOf(
  column: FeatureColumn,
  table: FeatureTable,
  find: (line: string) => string[],
  told: { readonly known: readonly BarSeries[]; readonly isPrice: (value: number) => boolean } | undefined,
): Fault[] {
  const { name, type, values } = column;
  const { source } = table;
  const named = find(name).map(
    (leak): Fault => ({ where: source, message: `the name of ${name} has ${leak}` }),
  );
  if (named.length > 0) return named;
  if (type === 'number') {
    if (told === undefined) return [];
    const numbers = values.filter((value) => typeof value === 'number');
    const prices = numbers.filter(told.isPrice).length;
    if (prices === 0 || prices < MOST_PRICES * numbers.length) {
      if (!isNearPrices(column, table, told.known)) return [];
      return [{ where: source, message: `${name} is close to the prices of the data in nearly all rows` }];
    }
    return [{ where: source, message: `${name} contains prices or volumes of the data, in ${prices} rows` }];
  }
  return values.flatMap((value, row): Fault[] => {
    if (typeof value !== 'string') return [];
    return find(value).map((leak) => ({ where: `${source} row ${row + 1}`, message: `${name} has ${leak}` }));
  });
}
