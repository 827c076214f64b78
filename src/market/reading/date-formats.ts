/**
 * Date formats of data files.
 *
 *   2020-01-15  2020/1/15  20200115         year first, with or without a time of day
 *   15 Jan 2020  15-Jan-2020  Jan 15, 2020  month by name
 *   1/15/2020  15.01.2020                   day or month first: the whole column decides
 *   202001150930                            year first with hour and minute, if all such stamps are dates
 *   1579046400  1579046400000               epoch seconds, or ms, µs or ns, by magnitude
 *
 * A time of day is `09:30`, `09:30:00`, `09:30:00.123`, `093000` or `9:30 AM`, after a space or `T`, with an
 * optional `Z`, `UTC` or offset. Without an offset it is UTC. Fractions below a millisecond are truncated.
 */
import { DAY, type Instant } from '../../kernel/index.ts';

export type DateOrder = 'mdy' | 'dmy';

export interface DateColumn {
  /** UTC milliseconds since 1970, one per row. NaN if the text is not a date. */
  readonly times: Float64Array;
  /** True if the stamps have a time zone. */
  readonly zoned: boolean;
  /** First date whose order of day and month is unknown. Set only if no row of the column shows the order. */
  readonly ambiguous?: string;
  /**
   * Set if some rows have a time zone and others have none. `row` is the first row that differs from an
   * earlier row, `before` is that earlier row.
   */
  readonly mixed?: { readonly row: number; readonly before: number };
}

const YEAR_FIRST = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?![\d/.-])/;
const WHOLE_DAY = /^\d{4}([-/.])\d{2}\1\d{2}$/;
const COMPACT_MINUTE = /^(\d{8})(\d{4})$/;
const COMPACT = /^(\d{4})(\d{2})(\d{2})(?=$|[T ]|\d{6}$)/;
const YEAR_LAST = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4})(?!\d)/;
const DAY_MONTH_NAME = /^(\d{1,2})[ -]([A-Za-z]{3,9})\.?,?[ -](\d{4})(?!\d)/;
const MONTH_NAME_DAY = /^([A-Za-z]{3,9})\.? (\d{1,2}),? (\d{4})(?!\d)/;
const EPOCH = /^-?\d{9,20}(?:\.\d*)?$/;
const CLOCK =
  /^(?:T|,? +)?(\d{1,2}):?(\d{2})(?::?(\d{2})(?:\.(\d{1,9}))?)?(?: ?([AP]M))?(?: ?(Z|(?:UTC|GMT)?[+-]\d{2}(?::?\d{2})?|UTC|GMT))?$/i;

const ZONED =
  /[T ,]\d{1,2}:?\d{2}(?::?\d{2}(?:\.\d{1,9})?)?(?: ?[AP]M)? ?(?:Z|(?:UTC|GMT)?[+-]\d{2}(?::?\d{2})?|UTC|GMT)$/i;

const MONTHS = 'january february march april may june july august september october november december'.split(
  ' ',
);

/**
 * Reads a whole column of dates, because a single `01/02/2020` has two meanings.
 *
 * @param written trimmed cells
 * @param order order of day and month, if the user has given one
 */
export function readDates(written: readonly string[], order?: DateOrder): DateColumn {
  const texts = spacedMinutes(written);
  const decided = order ?? orderOf(texts);
  const readStamp = stampReader(decided === 'ambiguous' ? undefined : decided);
  const times = new Float64Array(texts.length);
  let [before, zoned] = [-1, false];
  let mixed: DateColumn['mixed'];
  for (let row = 0; row < texts.length; row++) {
    const stamp = readStamp(texts[row]!);
    times[row] = stamp.time;
    if (Number.isNaN(stamp.time)) continue;
    if (before < 0) zoned = stamp.zoned;
    else if (stamp.zoned !== zoned) mixed ??= { row, before };
    before = row;
  }
  if (decided !== 'ambiguous') return { times, zoned, ...(mixed === undefined ? {} : { mixed }) };
  return { times, zoned, ambiguous: texts.find((text) => YEAR_LAST.test(text))! };
}

/**
 * Writes stamps of 12 digits such as `202001150930` as `20200115 0930`, if all of them are dates with a time.
 * Otherwise they are epoch milliseconds of the years 1973 to 2001, and all texts are returned as they are.
 */
export function spacedMinutes(texts: readonly string[]): readonly string[] {
  const spaced = (text: string): string =>
    text.length === 12 ? text.replace(COMPACT_MINUTE, '$1 $2') : text;
  let found = false;
  for (const text of texts) {
    if (text.length !== 12 || !COMPACT_MINUTE.test(text)) continue;
    if (Number.isNaN(readDate(spaced(text)))) return texts;
    found = true;
  }
  return found ? texts.map(spaced) : texts;
}

interface Stamp {
  /** NaN if the text is not a date. */
  readonly time: Instant;
  readonly zoned: boolean;
}

/** Maximum number of days in the cache, and of times of day. */
const MOST_KEPT = 100_000;

/**
 * Returns a function that reads the stamps of a column. Columns contain few different days and times of day.
 * Each day and each time of day is therefore parsed once and cached.
 */
function stampReader(order: DateOrder | undefined): (text: string) => Stamp {
  const days = new Map<string, Instant>();
  const clocks = new Map<string, Stamp>();
  const stamp = { time: Number.NaN, zoned: false };
  return (text) => {
    const [day, clock] = [text.slice(0, 10), text.slice(10)];
    let midnight = days.get(day);
    if (midnight === undefined) {
      midnight = WHOLE_DAY.test(day) ? readDate(day) : Number.NaN;
      if (days.size < MOST_KEPT) days.set(day, midnight);
    }
    if (Number.isNaN(midnight)) {
      stamp.time = readDate(text, order);
      stamp.zoned = isZoned(text);
      return stamp;
    }
    let own = clocks.get(clock);
    if (own === undefined) {
      own = { time: readDate(text) - midnight, zoned: isZoned(text) };
      if (clocks.size < MOST_KEPT) clocks.set(clock, own);
    }
    stamp.time = midnight + own.time;
    stamp.zoned = own.zoned;
    return stamp;
  };
}

/**
 * Returns true if a stamp identifies an instant without a default time zone: it has a zone or an offset, or
 * is an epoch number.
 */
export function isZoned(text: string): boolean {
  if (text.length <= 10) return EPOCH.test(text);
  // Only stamps longer than a date are tested here. Most of them have a time of day without a zone and match
  // neither pattern.
  return ZONED.test(text) || (EPOCH.test(text) && !COMPACT.test(text));
}

/**
 * Reads one date. NaN if the date is invalid, or if it needs an order of day and month and `order` is absent.
 */
export function readDate(text: string, order?: DateOrder): Instant {
  const date = YEAR_FIRST.exec(text);
  if (date !== null) return instantOf(date[1]!, Number(date[3]), date[4]!, text.slice(date[0].length));
  if (EPOCH.test(text)) {
    const digits = text.replace('-', '').split('.')[0]!.length;
    // A number of 14 digits is a compact date with a time, such as 20200115093000. As epoch milliseconds it
    // would be in the year 2286 or later.
    if (digits !== 14) return epoch(text, digits);
  }
  const compact = COMPACT.exec(text);
  if (compact !== null) return instantOf(compact[1]!, Number(compact[2]), compact[3]!, text.slice(8));
  const last = YEAR_LAST.exec(text);
  if (last !== null) {
    if (order === undefined) return Number.NaN;
    const [month, day] = order === 'mdy' ? [last[1]!, last[3]!] : [last[3]!, last[1]!];
    return instantOf(last[4]!, Number(month), day, text.slice(last[0].length));
  }
  const dayFirst = DAY_MONTH_NAME.exec(text);
  if (dayFirst !== null) {
    return instantOf(dayFirst[3]!, monthOf(dayFirst[2]!), dayFirst[1]!, text.slice(dayFirst[0].length));
  }
  const nameFirst = MONTH_NAME_DAY.exec(text);
  if (nameFirst !== null) {
    return instantOf(nameFirst[3]!, monthOf(nameFirst[1]!), nameFirst[2]!, text.slice(nameFirst[0].length));
  }
  return Number.NaN;
}

/** Returns true if a date has no time of day, so that it means a whole day. */
export function isWholeDay(text: string): boolean {
  const shape = [YEAR_FIRST, COMPACT, YEAR_LAST, DAY_MONTH_NAME, MONTH_NAME_DAY].find((one) =>
    one.test(text),
  );
  return shape !== undefined && text.replace(shape, '').trim() === '';
}

function orderOf(texts: readonly string[]): DateOrder | 'ambiguous' | undefined {
  let seen = false;
  for (const text of texts) {
    const match = YEAR_LAST.exec(text);
    if (match === null) continue;
    seen = true;
    // The first unambiguous row decides. A later row that contradicts this order is reported as an impossible
    // date.
    if (Number(match[1]) > 12) return 'dmy';
    if (Number(match[3]) > 12) return 'mdy';
  }
  return seen ? 'ambiguous' : undefined;
}

function monthOf(name: string): number {
  const lower = name.toLowerCase();
  return (
    MONTHS.findIndex(
      (month) =>
        lower === month || lower === month.slice(0, 3) || (lower === 'sept' && month === 'september'),
    ) + 1
  );
}

// Numbers of 9 to 11 digits are seconds from 1973 on, 12 to 14 milliseconds, 15 to 17 microseconds, more
// digits nanoseconds.
function epoch(text: string, digits: number): Instant {
  const value = Number(text);
  if (digits <= 11) return Math.round(value * 1000);
  if (digits <= 14) return Math.floor(value);
  if (digits <= 17) return Math.floor(value / 1e3);
  // Nanoseconds are divided as integers. As float64, the last nanosecond of a day would become the next day.
  const nanoseconds = BigInt(text.split('.')[0]!);
  return Number(nanoseconds / 1_000_000n) - (nanoseconds % 1_000_000n < 0n ? 1 : 0);
}

function instantOf(yearText: string, month: number, dayText: string, clock: string): Instant {
  const year = Number(yearText);
  const day = Number(dayText);
  // Years before 1000 are refused, because `Date.UTC` maps the years 0 to 99 to 1900 to 1999. Market data is
  // never that old.
  if (year < 1000 || month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return Number.NaN;
  const midnight = Date.UTC(year, month - 1, day);
  return clock === '' ? midnight : midnight + timeOfDay(clock);
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

// Milliseconds after midnight UTC. NaN if the text is not a time of day.
function timeOfDay(text: string): number {
  const match = CLOCK.exec(text);
  if (match === null) return Number.NaN;
  const [, hourText, minuteText, secondText = '0', fraction = '', half, zone = 'Z'] = match;
  let hour = Number(hourText);
  const minute = Number(minuteText);
  const second = Number(secondText);
  if (half !== undefined) {
    if (hour < 1 || hour > 12) return Number.NaN;
    hour = (hour % 12) + (half.toUpperCase() === 'PM' ? 12 : 0);
  }
  if (hour > 23 || minute > 59 || second > 59) return Number.NaN;
  const milliseconds = Number(fraction.slice(0, 3).padEnd(3, '0'));
  return ((hour * 60 + minute) * 60 + second) * 1000 + milliseconds - offsetOf(zone);
}

function offsetOf(written: string): number {
  const zone = written.replace(/^(?:UTC|GMT)/i, '');
  if (!/^[+-]/.test(zone)) return 0;
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(3).replace(':', '') || 0);
  if (minutes * 60_000 >= DAY) return Number.NaN;
  return (zone[0] === '-' ? -minutes : minutes) * 60_000;
}
