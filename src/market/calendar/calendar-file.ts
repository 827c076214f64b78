import { basename } from 'node:path';
import { DAY, type Fault, faultsError, formatInstant } from '../../kernel/index.ts';
import { columnPositions, readDatedTable } from '../dated-table.ts';
import { readDates } from '../dates.ts';
import { type CalendarTerms, isCalendarFile, tradingCalendar } from './calendar.ts';
import { clockText, readClock } from './clock-times.ts';
import type { ListedDays } from './listed-days.ts';

const COLUMNS = { date: ['date', 'day'], closes: ['closes', 'close', 'closes at'] } as const;

const HINT =
  'A line looks like 2024-12-25, or 2024-11-29,13:00 where the session ends early, under date,closes; weekends are closed anyway.';

/**
 * What `--calendar` names: an exchange, or a file of its own.
 *
 * @throws AppError `bad_calendar` for an exchange that is not known, or with every fault of the file
 */
export async function readCalendar(text: string, unpackedLimit?: number): Promise<CalendarTerms> {
  if (isCalendarFile(text)) return readListedDays(text, unpackedLimit);
  return tradingCalendar(text).name;
}

/** Reads closed days and early closes from CSV, TSV, JSON, NDJSON or Parquet. */
async function readListedDays(file: string, unpackedLimit?: number): Promise<ListedDays> {
  const reading = await readDatedTable(file, unpackedLimit);
  if ('fault' in reading) throw failed(reading.fault);
  const { header, rows, unit } = reading.table;
  const position = columnPositions(header, COLUMNS);
  const unknown = header.filter((_, place) => place !== position.date && place !== position.closes);
  const ofFile: Fault[] = [];
  if (position.date < 0)
    ofFile.push({ where: file, message: `no column "date" among "${header.join('", "')}"` });
  else if (unknown.length > 0)
    ofFile.push({ where: file, message: `columns beside date and closes: "${unknown.join('", "')}"` });
  if (ofFile.length > 0) throw failed(...ofFile);
  const cellOf = (cells: readonly (string | null)[], column: number): string => (cells[column] ?? '').trim();
  const dates = readDates(rows.map(({ cells }) => cellOf(cells, position.date)));
  const faults: Fault[] = [];
  const closed: string[] = [];
  const early: Record<string, string> = {};
  const places = new Map<string, string>();
  rows.forEach(({ number, cells }, row) => {
    const where = `${file} ${unit} ${number}`;
    const add = (message: string): void => void faults.push({ where, message });
    const [text, closes] = [cellOf(cells, position.date), cellOf(cells, position.closes)];
    const time = dates.times[row]!;
    const minutes = readClock(closes);
    if (cells.length > header.length) add(`has ${cells.length} cells where the header has ${header.length}`);
    if (closes !== '' && (minutes === undefined || minutes === 0))
      add(`"${closes}" is no time of day such as 13:00; leave closes empty for a day that is closed`);
    if (Number.isNaN(time)) {
      const why = dates.ambiguous === undefined ? 'is no date' : 'could be two dates: write it as 2020-03-31';
      add(text === '' ? 'date is empty' : `"${text}" ${why}`);
      return;
    }
    if (time % DAY !== 0) add(`"${text}" has a time of day: name the day`);
    const date = formatInstant(time);
    const before = places.get(date);
    if (before !== undefined) add(`${date} is there already, in ${unit} ${before}`);
    places.set(date, String(number));
    if (minutes === undefined) closed.push(date);
    else early[date] = clockText(minutes);
  });
  if (faults.length > 0) throw failed(...faults);
  return { name: basename(file), closed: closed.sort(), early };
}

function failed(...faults: readonly Fault[]): Error {
  return faultsError('bad_calendar', 'The calendar cannot be used', faults, HINT);
}
