import { DAY, type Fault, faultsError } from '../kernel/index.ts';
import type { Adjustment } from './back-adjust.ts';
import { symbolOfFile } from './find-files.ts';
import { fileSheet } from './sheet.ts';

const COLUMNS = {
  symbol: ['symbol', 'ticker'],
  date: ['day'],
  factor: ['price factor', 'adjustment factor'],
  split_factor: ['volume factor'],
} as const;

const HINT =
  'A line looks like AAPL,2020-08-30,0.98,0.25 under symbol,date,price factor,split factor: bars up to and including that day are multiplied by both, and volumes divided by the split factor, until an earlier line takes over.';

/**
 * Reads a factor file of a data vendor. Each line has the factor for all bars up to its day, including the
 * effect of later actions. A file without a symbol column applies to the symbol of its name.
 *
 * @returns by symbol, the additional factor for the bars before each instant, without the effect of later
 *   actions
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
