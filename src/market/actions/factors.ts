import { DAY, type Fault, faultsError, formatInstant, type Instant } from '../../kernel/index.ts';
import type { BarSeries } from '../bars/bar-columns.ts';
import { roundedPrice } from '../bars/column.ts';
import { symbolOfFile } from '../reading/find-files.ts';
import { fileSheet } from '../reading/sheet.ts';
import type { CorporateAction } from './corporate-action.ts';

/** Factors by which the prices and volumes of all bars before `time` are multiplied. */
interface Adjustment {
  readonly time: Instant;
  readonly price: number;
  readonly volume: number;
}

/** Kinds of actions for which prices can be adjusted. */
export const ADJUSTED_KINDS = ['splits', 'dividends', 'all'] as const;
type AdjustedKinds = (typeof ADJUSTED_KINDS)[number];

/**
 * Returns the factors of one symbol's actions, oldest first.
 *
 * A split of 4:1 divides the prices before it by 4 and multiplies the volumes by 4. A dividend multiplies the
 * prices before it by 1 − amount / the last close before it. CRSP and most vendors use the same method.
 *
 * @throws AppError `bad_actions` for a dividend that is at least as large as the last close before it
 */
export function adjustmentsOf(
  series: BarSeries,
  actions: readonly CorporateAction[],
  kinds: AdjustedKinds = 'all',
): Adjustment[] {
  const faults: Fault[] = [];
  const own = actions.filter(({ symbol }) => symbol === series.symbol);
  const found = own.flatMap((action): Adjustment[] => {
    const { time } = action;
    if (action.kind === 'split' && kinds !== 'dividends')
      return [
        {
          time,
          price: Number(action.from) / Number(action.to),
          volume: Number(action.to) / Number(action.from),
        },
      ];
    if (action.kind !== 'dividend' || kinds === 'splits') return [];
    const before = closeBefore(series, time, own);
    if (before === undefined) return [];
    const price = 1 - Number(action.amount) / before;
    if (price > 0) return [{ time, price, volume: 1 }];
    const where = `${series.symbol}, dividend of ${formatInstant(time)}`;
    faults.push({ where, message: `pays ${action.amount}, and the close before it is ${before}` });
    return [];
  });
  if (faults.length > 0)
    throw faultsError(
      'bad_actions',
      'The prices cannot be adjusted',
      faults,
      'Check the amounts, and that prices and amounts are on one basis: not adjusted already.',
    );
  return found;
}

/**
 * Returns the last close before an instant. If a split takes effect at this instant, the close is divided by
 * the split's ratio.
 */
function closeBefore(
  { time, close }: BarSeries,
  instant: Instant,
  actions: readonly CorporateAction[],
): number | undefined {
  const index = time.findLastIndex((bar) => bar < instant);
  if (index < 0) return undefined;
  const split = actions.find((action) => action.kind === 'split' && action.time === instant);
  const ratio = split?.kind === 'split' ? Number(split.from) / Number(split.to) : 1;
  return close[index]! * ratio;
}

/** Multiplies the prices and volumes before each adjustment by its factor. The newest bars are unchanged. */
export function backAdjust(series: BarSeries, adjustments: readonly Adjustment[]): BarSeries {
  const { time } = series;
  const [open, high, low, close, volume] = [
    series.open,
    series.high,
    series.low,
    series.close,
    series.volume,
  ].map((column) => column.slice()) as [Float64Array, Float64Array, Float64Array, Float64Array, Float64Array];
  const newestFirst = [...adjustments].sort((a, b) => b.time - a.time);
  let [next, price, amount] = [0, 1, 1];
  for (let index = time.length - 1; index >= 0; index--) {
    while (next < newestFirst.length && time[index]! < newestFirst[next]!.time) {
      price *= newestFirst[next]!.price;
      amount *= newestFirst[next]!.volume;
      next++;
    }
    if (next === 0) continue;
    for (const column of [open, high, low, close]) column[index] = roundedPrice(column[index]! * price);
    volume[index] = roundedPrice(volume[index]! * amount);
  }
  return { ...series, open, high, low, close, volume };
}

const COLUMNS = {
  symbol: ['symbol', 'ticker'],
  date: ['day'],
  factor: ['price factor', 'adjustment factor'],
  split_factor: ['volume factor'],
} as const;

const HINT =
  'Write lines such as AAPL,2020-08-30,0.98,0.25 under the header symbol,date,price factor,split factor. Prices up to and including that day are multiplied by both factors, and volumes are divided by the split factor. For earlier bars, an earlier line applies.';

/**
 * Reads a factor file of a data vendor. Each line has the factor for all bars up to its day, including the
 * effect of later actions. A file without a symbol column applies to the symbol given by its file name.
 *
 * @returns adjustments by symbol, oldest first. Unlike a line of the file, an adjustment contains only the
 *   effect of its date, not of later actions
 * @throws AppError `bad_factors` with every fault of the file, by line
 */
export async function loadFactors(file: string, unpackedLimit?: number): Promise<Map<string, Adjustment[]>> {
  const { sheet } = await fileSheet(file, { columns: COLUMNS, needed: ['date', 'factor'] }, failed, {
    unpackedLimit,
  });
  const dates = sheet.stamps('date', true);
  const cumulative = new Map<string, { time: number; price: number; split: number }[]>();
  for (let row = 0; row < sheet.length; row++) {
    const symbol = sheet.has('symbol') ? sheet.text(row, 'symbol').toUpperCase() : symbolOfFile(file);
    const time = dates[row]?.instant;
    const price = numberOf(sheet.text(row, 'factor'));
    const split = sheet.has('split_factor') ? numberOf(sheet.text(row, 'split_factor')) : 1;
    if (symbol === '') sheet.report(row, 'the symbol is empty');
    if (!(price > 0)) sheet.report(row, `factor "${sheet.text(row, 'factor')}" is not a number above 0`);
    if (!(split > 0))
      sheet.report(row, `split factor "${sheet.text(row, 'split_factor')}" is not a number above 0`);
    if (time === undefined) continue;
    const own = cumulative.get(symbol) ?? [];
    if (own.some((one) => one.time === time)) sheet.report(row, `repeats the date of ${symbol}`);
    own.push({ time, price, split });
    cumulative.set(symbol, own);
  }
  if (sheet.faults.length > 0) throw failed(sheet.sorted());
  return new Map(
    [...cumulative].map(([symbol, own]) => {
      own.sort((a, b) => a.time - b.time);
      const steps = own.map(({ time, price, split }, index): Adjustment => {
        const later = own[index + 1] ?? { price: 1, split: 1 };
        return {
          time: time + DAY,
          price: (price * split) / (later.price * later.split),
          volume: later.split / split,
        };
      });
      return [symbol, steps];
    }),
  );
}

function numberOf(text: string): number {
  return /^\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text) ? Number(text) : Number.NaN;
}

function failed(faults: readonly Fault[]): Error {
  return faultsError('bad_factors', 'The factors cannot be used', faults, HINT);
}
