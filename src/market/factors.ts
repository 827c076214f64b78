import { DAY, type Fault, faultsError } from '../kernel/index.ts';
import type { Adjustment } from './back-adjust.ts';
import { columnPositions, readDatedTable } from './dated-table.ts';
import { readDates } from './dates.ts';
import { symbolOfFile } from './find-files.ts';

const COLUMNS = {
  symbol: ['symbol', 'ticker'],
  date: ['date', 'day'],
  price: ['factor', 'price factor', 'adjustment factor'],
  split: ['split factor', 'volume factor'],
} as const;

const HINT =
  'A line looks like AAPL,2020-08-30,0.98,0.25 under symbol,date,price factor,split factor: bars up to and including that day are multiplied by both, and volumes divided by the split factor, until an earlier line takes over.';

/**
 * Reads a factor file as data vendors give them: each line says what all bars up to its day are multiplied by, later
 * actions included. A file without a symbol column is about the symbol of its name.
 *
 * @returns by symbol, what the bars before an instant are multiplied by beside what later ones are
 * @throws AppError `bad_factors` with every fault of the file, by line
 */
export async function loadFactors(file: string, unpackedLimit?: number): Promise<Map<string, Adjustment[]>> {
  const reading = await readDatedTable(file, unpackedLimit);
  if ('fault' in reading) throw failed([reading.fault]);
  const { header, rows, unit } = reading.table;
  const position = columnPositions(header, COLUMNS);
  const missing = (['date', 'price'] as const).filter((column) => position[column] < 0);
  if (missing.length > 0)
    throw failed([
      {
        where: file,
        message: `no column "${missing.join('", "').replace('price', 'factor')}" among "${header.join('", "')}"`,
      },
    ]);
  const textOf = (cells: readonly (string | null)[], column: keyof typeof COLUMNS): string =>
    (cells[position[column]] ?? '').trim();
  const dates = readDates(rows.map(({ cells }) => textOf(cells, 'date')));
  const faults: Fault[] = [];
  const cumulative = new Map<string, { time: number; price: number; split: number; where: string }[]>();
  for (const [row, { number, cells }] of rows.entries()) {
    const where = `${file} ${unit} ${number}`;
    const add = (message: string): void => void faults.push({ where, message });
    const symbol = position.symbol < 0 ? symbolOfFile(file) : textOf(cells, 'symbol').toUpperCase();
    const time = dates.times[row]!;
    const price = numberOf(textOf(cells, 'price'));
    const split = position.split < 0 ? 1 : numberOf(textOf(cells, 'split'));
    if (symbol === '') add('symbol is empty');
    if (Number.isNaN(time)) add(`"${textOf(cells, 'date')}" is no date`);
    if (!(price > 0)) add(`factor "${textOf(cells, 'price')}" is no number above 0`);
    if (!(split > 0)) add(`split factor "${textOf(cells, 'split')}" is no number above 0`);
    const own = cumulative.get(symbol) ?? [];
    if (own.some((one) => one.time === time)) add(`repeats the date of ${symbol}`);
    own.push({ time, price, split, where });
    cumulative.set(symbol, own);
  }
  if (faults.length > 0) throw failed(faults);
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
