import { DAY, type Instant } from '../kernel/index.ts';
import { isWholeDay, isZoned, readDates } from './dates.ts';
import { endOfLocalDay, instantsAt } from './zones.ts';

/**
 * When something is, as a row gives it: an instant, or a whole day by the instant it begins at. What is said of a whole
 * day is known when the bar of that day has ended.
 */
export interface Stamp {
  readonly instant: Instant;
  readonly wholeDay: boolean;
  /** When that day is over on the clocks of a zone; a day of UTC has none. */
  readonly over?: Instant;
}

/**
 * A column of cells as stamps; an empty or unreadable one is undefined and reported.
 *
 * @param isNeeded whether an empty cell is a fault
 * @param timezone whose clocks times without a zone were read from, by its IANA name; UTC when left out
 */
export function stampsOf(
  cells: readonly (string | null)[],
  what: string,
  isNeeded: boolean,
  report: (row: number, message: string) => void,
  timezone?: string,
): (Stamp | undefined)[] {
  const texts = cells.map((cell) => (cell ?? '').trim());
  const { times, ambiguous } = readDates(texts);
  // A column of midnights is one of dates, however they are spelt: pandas writes 2024-01-31 00:00:00 into Parquet.
  const areDays = texts.every((text, row) => text === '' || times[row]! % DAY === 0);
  const unlike = firstUnlike(texts, times);
  return texts.map((text, row) => {
    if (row === unlike?.row) {
      const other = texts[unlike.before]!.slice(0, 40);
      report(
        row,
        `${what} "${text.slice(0, 40)}" and "${other}" above it: one says its zone and the other does not; write every time with its offset, or none`,
      );
      return undefined;
    }
    if (text === '') {
      if (isNeeded) report(row, `the ${what} is empty`);
      return undefined;
    }
    const instant = times[row]!;
    if (Number.isNaN(instant)) {
      const reason = ambiguous === undefined ? 'is no date' : 'could be two dates: write it as 2020-03-31';
      report(row, `${what} "${text.slice(0, 40)}" ${reason}`);
      return undefined;
    }
    const wholeDay = areDays || isWholeDay(text);
    const meant = onClocks(text, instant, wholeDay, timezone);
    if (meant === undefined) {
      report(row, `${what} "${text}" is no time in ${timezone}: its clocks were put forward over it`);
    }
    return meant;
  });
}

/** The first time that says its zone where one before it does not, or the other way; days alone say none and go with both. */
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

/** A stamp as the clocks of a zone show it, unless it says its own; undefined for a time that they never show. */
function onClocks(
  text: string,
  instant: Instant,
  wholeDay: boolean,
  timezone: string | undefined,
): Stamp | undefined {
  if (timezone === undefined || isZoned(text)) return { instant, wholeDay };
  if (wholeDay) return { instant, wholeDay, over: endOfLocalDay(timezone, instant) };
  // Of an hour that comes twice the second one: what may have been known later is not known sooner.
  const meant = instantsAt(timezone, instant).at(-1);
  return meant === undefined ? undefined : { instant: meant, wholeDay };
}

/**
 * A text of its own as a stamp; undefined for one that is no date, or could be two, or is no time on the clocks of the zone.
 *
 * @param timezone whose clocks a time without a zone was read from, by its IANA name; UTC when left out
 */
export function stampOf(text: string, timezone?: string): Stamp | undefined {
  const { times, ambiguous } = readDates([text]);
  if (ambiguous !== undefined || Number.isNaN(times[0]!)) return undefined;
  return onClocks(text, times[0]!, isWholeDay(text), timezone);
}
