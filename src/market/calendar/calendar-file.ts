import { basename } from 'node:path';
import { DAY, type Fault, faultsError, formatInstant } from '../../kernel/index.ts';
import { fileSheet } from '../sheet.ts';
import { type CalendarTerms, isCalendarFile, tradingCalendar } from './calendar.ts';
import { clockText, readClock } from './clock-times.ts';
import type { ListedDays } from './listed-days.ts';

const COLUMNS = { date: ['day'], closes: ['close', 'closes at'] } as const;

const HINT =
  'A line looks like 2024-12-25, or 2024-11-29,13:00 where the session ends early, under date,closes; weekends are closed anyway.';

/**
 * Reads the value of `--calendar`: the name of an exchange, or a file with a custom calendar.
 *
 * @throws AppError `bad_calendar` for an unknown exchange, or with every fault of the file
 */
export async function readCalendar(text: string, unpackedLimit?: number): Promise<CalendarTerms> {
  if (isCalendarFile(text)) return readListedDays(text, unpackedLimit);
  return tradingCalendar(text).name;
}

/** Reads closed days and early closes from CSV, TSV, JSON, NDJSON or Parquet. */
async function readListedDays(file: string, unpackedLimit?: number): Promise<ListedDays> {
  const rules = { columns: COLUMNS, needed: ['date'], shortRows: true } as const;
  const { sheet } = await fileSheet(file, rules, failed, { unpackedLimit });
  const dates = sheet.stamps('date', true);
  const closed: string[] = [];
  const early: Record<string, string> = {};
  const places = new Map<string, string>();
  for (let row = 0; row < sheet.length; row++) {
    const closes = sheet.text(row, 'closes');
    const minutes = readClock(closes);
    if (closes !== '' && (minutes === undefined || minutes === 0))
      sheet.report(
        row,
        `"${closes}" is not a time of day such as 13:00; leave closes empty for a closed day`,
      );
    const time = dates[row]?.instant;
    if (time === undefined) continue;
    if (time % DAY !== 0)
      sheet.report(row, `"${sheet.text(row, 'date')}" has a time of day: give the date only`);
    const date = formatInstant(time);
    const before = places.get(date);
    if (before !== undefined) sheet.report(row, `repeats ${date} of ${before}`);
    places.set(date, sheet.where(row));
    if (minutes === undefined) closed.push(date);
    else early[date] = clockText(minutes);
  }
  if (sheet.faults.length > 0) throw failed(sheet.sorted());
  return { name: basename(file), closed: closed.sort(), early };
}

function failed(faults: readonly Fault[]): Error {
  return faultsError('bad_calendar', 'The calendar cannot be used', faults, HINT);
}
