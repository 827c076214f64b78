import type { MaskTerms } from '../engine/index.ts';
import { type Fault, faultsError } from '../kernel/index.ts';
import type { BarSeries, FeatureColumn, FeatureTable, FeatureValue } from '../market/index.ts';
import { type GivenClock, rowMover } from './known-stamps.ts';
import { textMasker } from './leaks.ts';
import { maskView } from './mask-view.ts';
import { finderOf, priceTest } from './masked-files.ts';
import { isNearPrices } from './near-prices.ts';

/** A column of numbers of which so many are prices of the data is one of prices. */
const MOST_PRICES = 0.1;

/**
 * Features as they are behind a mask: dates are moved, symbols and ISO dates in texts rewritten, numbers left as they are.
 *
 * @param known every series that a run is given, as it really is
 * @throws AppError `mask_leaks` with every text that would tell what the mask hides, and every column of prices
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
    // Nobody asked for the columns of a file of bars: those that would tell are left out.
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
