import type { Fault } from '../../kernel/index.ts';
import { type Rows, Sheet } from '../sheet.ts';
import type { GivenFundamental } from './tables.ts';

/** Figure written in code. */
export interface FundamentalRow {
  readonly symbol: string;
  readonly field: string;
  /** Last day of the period: a date as text, or milliseconds since 1970. */
  readonly period_end: string | number;
  /** Publication time: a date or an instant as text, or milliseconds since 1970. */
  readonly available_at: string | number;
  readonly value: number;
}

const COLUMNS = {
  symbol: ['symbol', 'ticker'],
  field: ['field', 'item'],
  period_end: ['period end', 'periodend', 'period'],
  available_at: ['available at', 'availableat'],
  value: ['value'],
} as const;
const NEEDED = ['symbol', 'field', 'period_end', 'available_at', 'value'] as const;

export const FUNDAMENTALS_HINT =
  'A line looks like AAPL,revenue,2023-12-30,2024-02-01 21:30,119575 under symbol,field,period_end,available_at,value; a restatement is a line with the same period_end and a later available_at.';

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

export function readFundamentals(
  file: string,
  given: Rows,
  taken: Map<string, string>,
): { readonly fundamentals: readonly GivenFundamental[]; readonly faults: readonly Fault[] } {
  const sheet = new Sheet(file, given, { columns: COLUMNS, needed: NEEDED });
  if (!sheet.isReadable) return { fundamentals: [], faults: sheet.faults };
  const known = sheet.stamps('available_at', true);
  const periods = sheet.stamps('period_end', true);
  const fundamentals: GivenFundamental[] = [];
  for (let row = 0; row < sheet.length; row++) {
    const symbol = sheet.text(row, 'symbol').toUpperCase();
    const field = sheet.text(row, 'field');
    const written = sheet.text(row, 'value');
    const value = NUMBER.test(written) ? Number(written) : Number.NaN;
    if (symbol === '') sheet.report(row, 'the symbol is empty');
    if (field === '') sheet.report(row, 'the field is empty');
    if (written === '') sheet.report(row, 'the value is empty');
    else if (!Number.isFinite(value))
      sheet.report(row, `value "${written.slice(0, 40)}" is not a finite number`);
    const [stamp, period] = [known[row], periods[row]];
    if (stamp === undefined || period === undefined) continue;
    if (stamp.instant < period.instant)
      sheet.report(row, 'available_at is before period_end: nobody knew it before the period was over');
    const key = `${symbol}\n${field}\n${period.instant}\n${stamp.instant}`;
    const before = taken.get(key);
    if (before !== undefined)
      sheet.report(
        row,
        `repeats the period_end and the available_at of ${before}`,
        'a restatement needs its own, different available_at',
      );
    taken.set(key, sheet.where(row));
    fundamentals.push({ symbol, field, periodEnd: period.instant, known: stamp, value });
  }
  return { fundamentals, faults: sheet.sorted() };
}
