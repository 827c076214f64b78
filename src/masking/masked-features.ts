import type { MaskTerms } from '../engine/index.ts';
import { type Fault, faultsError } from '../kernel/index.ts';
import type { BarSeries, FeatureColumn, FeatureTable, FeatureValue } from '../market/index.ts';
import { type GivenClock, rowMover } from './known-stamps.ts';
import { textMasker } from './leaks.ts';
import { maskView } from './mask-view.ts';
import { finderOf, priceTest } from './masked-files.ts';
import { isNearPrices } from './near-prices.ts';

/** Share of a numeric column that must be prices of the data for it to count as a column of prices. */
const MOST_PRICES = 0.1;

/**
 * Masks features. Moves dates, rewrites symbols and ISO dates in texts, and leaves numbers unchanged.
 *
 * @param known all real series of the run
 * @throws AppError `mask_leaks` with every text that would reveal masked facts, and every column of prices
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
    // Columns of a file of bars were not explicitly requested, so revealing columns are dropped without an
    // error.
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
    'Write symbols as the data do and dates as 2020-03-31: those are rewritten. Take out other dates, years and prices, give prices as ratios, or leave --features or --mask out.',
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
      return [{ where: source, message: `${name} is as high as the prices of the data, nearly in all rows` }];
    }
    return [{ where: source, message: `${name} holds prices or volumes of the data, in ${prices} rows` }];
  }
  return values.flatMap((value, row): Fault[] => {
    if (typeof value !== 'string') return [];
    return find(value).map((leak) => ({ where: `${source} row ${row + 1}`, message: `${name} has ${leak}` }));
  });
}
