import { DAY, type Instant } from '../../kernel/index.ts';
import { endOfLocalDay, instantsAt, localTime } from '../bars/zones.ts';
import { isWholeDay, isZoned, readDates, spacedMinutes } from './date-formats.ts';

/**
 * Time in a row: an instant, or a whole day given by its first instant. Data about a whole day become visible
 * at the end of the bar of that day.
 */
export interface Stamp {
  readonly instant: Instant;
  readonly wholeDay: boolean;
  /** End of the day in the time zone of the data. Absent for UTC days. */
  readonly over?: Instant;
}

/**
 * Reads a column of cells as stamps. Invalid cells become `undefined` and are reported.
 *
 * @param what name of the column, for messages
 * @param isNeeded if true, an empty cell is a fault
 * @param timezone time zone of times without a zone, as an IANA name. Default: UTC
 */
export function stampsOf(
  cells: readonly (string | null)[],
  what: string,
  isNeeded: boolean,
  report: (row: number, message: string) => void,
  timezone?: string,
): (Stamp | undefined)[] {
  const texts = spacedMinutes(cells.map((cell) => (cell ?? '').trim()));
  const { times, ambiguous } = readDates(texts);
  // If all times are midnight, the column contains dates: pandas writes dates to Parquet as 2024-01-31
  // 00:00:00.
  const areDays = texts.every((text, row) => text === '' || times[row]! % DAY === 0);
  const unlike = firstUnlike(texts, times);
  return texts.map((text, row) => {
    if (row === unlike?.row) {
      const other = texts[unlike.before]!.slice(0, 40);
      report(
        row,
        `${what} "${text.slice(0, 40)}" and "${other}" above it: one has a UTC offset and the other does not; write every time with its offset, or none`,
      );
      return undefined;
    }
    if (text === '') {
      if (isNeeded) report(row, `the ${what} is empty`);
      return undefined;
    }
    const instant = times[row]!;
    if (Number.isNaN(instant)) {
      const reason = ambiguous === undefined ? 'is not a date' : 'could be two dates: write it as 2020-03-31';
      report(row, `${what} "${text.slice(0, 40)}" ${reason}`);
      return undefined;
    }
    const wholeDay = areDays || isWholeDay(text);
    const meant = onClocks(text, instant, wholeDay, timezone);
    if (meant === undefined) {
      report(
        row,
        `${what} "${text}" does not exist in ${timezone}: the clocks were put forward at this time`,
      );
    }
    return meant;
  });
}

/**
 * Returns the first time with a zone after a time without a zone, or the reverse. Dates without a time are
 * ignored.
 */
function firstUnlike(
  texts: readonly string[],
  times: Float64Array,
): { row: number; before: number } | undefined {
  let before = -1;
  for (const [row, text] of texts.entries()) {
    if (Number.isNaN(times[row]!) || isWholeDay(text)) continue;
    if (before >= 0 && isZoned(text) !== isZoned(texts[before]!)) return { row, before };
    before = row;
  }
  return undefined;
}

/**
 * Converts a local time to a stamp. A text with a zone is already an instant. `undefined` for a local time
 * that a clock change skips.
 */
function onClocks(
  text: string,
  instant: Instant,
  wholeDay: boolean,
  timezone: string | undefined,
): Stamp | undefined {
  if (timezone === undefined || isZoned(text)) return { instant, wholeDay };
  if (wholeDay) return { instant, wholeDay, over: endOfLocalDay(timezone, instant) };
  // If a clock change repeats an hour, the second occurrence is used, so that data never become visible too
  // early.
  const meant = instantsAt(timezone, instant).at(-1);
  return meant === undefined ? undefined : { instant: meant, wholeDay };
}

/**
 * Reads a single text as a stamp. `undefined` for an invalid or ambiguous date, and for a local time that a
 * clock change skips.
 *
 * @param timezone time zone of times without a zone, as an IANA name. Default: UTC
 */
export function stampOf(written: string, timezone?: string): Stamp | undefined {
  const text = spacedMinutes([written])[0]!;
  const { times, ambiguous } = readDates([text]);
  if (ambiguous !== undefined || Number.isNaN(times[0]!)) return undefined;
  return onClocks(text, times[0]!, isWholeDay(text), timezone);
}

/** Column of stamps as instants, with faults of single rows. */
interface LocalStamps {
  readonly times: Float64Array;
  readonly faults: readonly { readonly row: number; readonly message: string }[];
}

/**
 * Converts a column of local times of a zone to instants. A column of dates without times of day is not
 * changed, and neither is a column of stamps with a zone. Exception: if all stamps with a zone are midnight
 * in `zone`, they become the dates of these days.
 *
 * @param times local times, represented as if they were UTC
 * @param isZoned true if the stamps have a zone
 * @param symbolOf returns the symbol of a row. Default: all rows have the same symbol
 */
export function readLocalStamps(
  times: Float64Array,
  zone: string,
  isZoned: boolean,
  symbolOf: (row: number) => string | undefined = () => undefined,
): LocalStamps {
  if (isZoned) {
    const local = times.map((time) => (Number.isNaN(time) ? time : localTime(zone, time)));
    const isDaily = local.length > 0 && local.every((time) => Number.isNaN(time) || time % DAY === 0);
    return { times: isDaily ? local : times, faults: [] };
  }
  if (times.every((time) => Number.isNaN(time) || time % DAY === 0)) return { times, faults: [] };
  const faults: { row: number; message: string }[] = [];
  const before = new Map<string | undefined, Instant>();
  const instants = times.map((time, row) => {
    if (Number.isNaN(time)) return time;
    const found = instantsAt(zone, time);
    const symbol = symbolOf(row);
    const previous = before.get(symbol) ?? Number.NEGATIVE_INFINITY;
    // If a clock change repeats an hour, a local time has two instants. The first instant after the previous
    // row of the symbol is used.
    const instant = found.find((one) => one > previous) ?? found.at(-1);
    if (instant === undefined) {
      faults.push({ row, message: `does not exist in ${zone}: the clocks were put forward at this time` });
      return Number.NaN;
    }
    before.set(symbol, instant);
    return instant;
  });
  return { times: instants, faults };
}
