import { basename } from 'node:path';
import { AppError, DAY, type Fault, faultsError, formatInstant, nearest } from '../../kernel/index.ts';
import type { BarSeries } from '../bars/bar-columns.ts';
import { fileSheet } from '../reading/sheet.ts';
import { EXCHANGES, type Exchange, type ExchangeName } from './exchanges.ts';
import { type Day, isWeekend } from './holiday-dates.ts';
import { clockText, type Hours, readClock } from './sessions.ts';

/** Days on which an exchange trades. */
export interface TradingCalendar {
  readonly name: string;
  /** IANA name of the exchange's time zone. `undefined` for a calendar file, which has no zone. */
  readonly zone: string | undefined;
  /**
   * Opening and closing time of a session that does not end early, in minutes after local midnight.
   * `undefined` if unknown.
   */
  readonly hours: Hours | undefined;
  /** First year that the calendar covers. */
  readonly since: number;
  /** Last year that the calendar covers. `undefined` if the rules have no end. */
  readonly until: number | undefined;
  /** Years between `since` and `until` without a day in the calendar file. Their holidays are unknown. */
  readonly gaps: readonly number[];
  /** Returns true if there is a session on a day, given in days since 1970-01-01. */
  isSession(day: Day): boolean;
  /**
   * Returns the regular closing time on a day, in minutes after local midnight. Differs from `hours.closes`
   * before the exchange changed its hours. `undefined` if the hours are unknown.
   */
  closesOn(day: Day): number | undefined;
  /**
   * Returns the early closing time of a session, in minutes after local midnight. `undefined` if the session
   * does not end early.
   */
  closesEarly(day: Day): number | undefined;
}

/** Name of an exchange such as `XNYS`, or the days listed in a calendar file. */
export type CalendarTerms = string | ListedDays;

const CALENDAR_NAMES = Object.keys(EXCHANGES) as ExchangeName[];

/**
 * Returns the calendar of an exchange or of a file.
 *
 * @throws AppError `bad_calendar` for an unknown exchange
 */
export function tradingCalendar(terms: CalendarTerms): TradingCalendar {
  if (typeof terms !== 'string') return listedCalendar(terms);
  const name = terms.trim().toUpperCase();
  if (!isExchange(name)) {
    const meant = nearest(name, CALENDAR_NAMES);
    throw new AppError({
      code: 'bad_calendar',
      message: `Unknown calendar "${terms}". Known calendars: ${CALENDAR_NAMES.join(', ')}.`,
      hint: `${meant === undefined ? '' : `Did you mean ${meant}? `}For a calendar file, write its name with the ending, such as days.csv.`,
    });
  }
  const { zone, since, opens, closes, before, closesEarly, closed, half }: Exchange = EXCHANGES[name];
  const [holidays, halves] = [new Map<number, Set<Day>>(), new Map<number, Set<Day>>()];
  const inYear = (
    day: Day,
    years: Map<number, Set<Day>>,
    rule: (year: number) => readonly Day[],
  ): boolean => {
    const year = new Date(day * DAY).getUTCFullYear();
    const known = years.get(year) ?? new Set(rule(year));
    years.set(year, known);
    return known.has(day);
  };
  const isSession = (day: Day): boolean => !isWeekend(day) && !inYear(day, holidays, closed);
  return {
    name,
    zone,
    hours: { opens, closes },
    since,
    until: LAST_YEAR,
    gaps: [],
    isSession,
    closesOn: (day) => (before !== undefined && day < before.day ? before.closes : closes),
    closesEarly: (day) => (isSession(day) && inYear(day, halves, half) ? closesEarly : undefined),
  };
}

/** Last year that the built-in exchange calendars cover. Holidays of later years are unknown. */
const LAST_YEAR = 2035;

/** Returns true if a value of `--calendar` is the name of a file, false if it is the name of an exchange. */
export function isCalendarFile(text: string): boolean {
  return !isExchange(text.trim().toUpperCase()) && /[./\\]/.test(text);
}

function isExchange(name: string): name is ExchangeName {
  return Object.hasOwn(EXCHANGES, name);
}

/**
 * Checks that a calendar covers all dates of the data, and that each year of a calendar file has enough
 * sessions. Without this check, every weekday of an uncovered year would count as a session.
 *
 * @throws AppError `bad_calendar` if dates are not covered or a year has too few sessions
 */
export function checkCovers(calendar: TradingCalendar, series: readonly Pick<BarSeries, 'time'>[]): void {
  const { name, since, until, gaps } = calendar;
  const all = series.filter(({ time }) => time.length > 0);
  const first = all.reduce((least, { time }) => Math.min(least, time[0]!), Number.POSITIVE_INFINITY);
  const last = all.reduce((most, { time }) => Math.max(most, time.at(-1)!), Number.NEGATIVE_INFINITY);
  if (all.length === 0) return;
  // The dates are UTC. The local date at the exchange may be one day earlier or later, so one day is
  // tolerated.
  const yearOf = (time: number): number => new Date(time).getUTCFullYear();
  const isWithin = yearOf(first + DAY) >= since && (until === undefined || yearOf(last - DAY) <= until);
  const lacking = gaps.filter((year) => all.some(({ time }) => time.some((one) => yearOf(one) === year)));
  if (isWithin && lacking.length === 0) return checkYears(calendar, yearOf(first), yearOf(last));
  const without = lacking.length === 0 ? '' : ` without ${lacking.join(', ')}`;
  const covered = `${since}-01-01 ${until === undefined ? 'onwards' : `to ${until}-12-31`}`;
  throw new AppError({
    code: 'bad_calendar',
    message: `The calendar ${name} does not cover the data: it covers ${covered}${without}, and the data run from ${formatInstant(first)} to ${formatInstant(last)}.`,
    hint:
      calendar.hours === undefined
        ? 'Add the missing years to the calendar file, restrict the data with --from and --to, or remove --calendar.'
        : `The holidays of other years are unknown. Restrict the data with --from ${since}-01-01 --to ${until}-12-31, use a calendar file, or remove --calendar.`,
  });
}

/** Minimum number of sessions in a year of a calendar file. Every known exchange has more than 230. */
const FEWEST_SESSIONS = 180;

/**
 * Minimum number of closed weekdays per year. A lower number causes a warning. Even currencies do not trade
 * at Christmas and on New Year's Day.
 */
const FEWEST_CLOSED = 2;

interface CalendarYear {
  readonly year: number;
  readonly sessions: number;
  readonly closedWeekdays: number;
}

/** Counts sessions and closed weekdays of a calendar in each year of the data. */
function yearsOf({ isSession }: TradingCalendar, from: number, to: number): CalendarYear[] {
  return Array.from({ length: to - from + 1 }, (_, index) => {
    const year = from + index;
    let [sessions, closedWeekdays] = [0, 0];
    for (let day = Date.UTC(year, 0, 1) / DAY; day < Date.UTC(year + 1, 0, 1) / DAY; day++) {
      if (isSession(day)) sessions += 1;
      else if (!isWeekend(day)) closedWeekdays += 1;
    }
    return { year, sessions, closedWeekdays };
  });
}

/**
 * Checks that each year of a calendar file has enough sessions. Built-in calendars are skipped: only they
 * have `hours`.
 *
 * @throws AppError `bad_calendar` if a year has too few sessions
 */
function checkYears(calendar: TradingCalendar, from: number, to: number): void {
  if (calendar.hours !== undefined) return;
  const few = yearsOf(calendar, from, to).filter(({ sessions }) => sessions < FEWEST_SESSIONS);
  if (few.length === 0) return;
  throw new AppError({
    code: 'bad_calendar',
    message: `The calendar ${calendar.name} has too few sessions: ${few.map(({ year, sessions }) => `${sessions} in ${year}`).join(', ')}. An exchange has 240 to 256 in a year.`,
    hint: 'List the closed days of the exchange in the file, not its sessions.',
  });
}

/**
 * Returns a warning about years of the data in which a calendar file has almost no closed weekday. Empty if
 * every year has enough closed weekdays, and for built-in calendars.
 */
export function unlikelyYears(
  calendar: TradingCalendar,
  series: readonly Pick<BarSeries, 'time'>[],
): string[] {
  const ends = series.flatMap(({ time }) => (time.length === 0 ? [] : [time[0]!, time.at(-1)!]));
  if (calendar.hours !== undefined || ends.length === 0) return [];
  const years = ends.map((time) => new Date(time).getUTCFullYear());
  const [from, to] = [Math.min(...years), Math.max(...years)];
  const many = yearsOf(calendar, from, to).filter(({ closedWeekdays }) => closedWeekdays < FEWEST_CLOSED);
  if (many.length === 0) return [];
  return [
    `The calendar ${calendar.name} has ${many.map(({ year, sessions }) => `${sessions} sessions in ${year}`).join(', ')}. An exchange has 240 to 256 in a year. Check that the file lists every closed day.`,
  ];
}

/** Comparison of the days on which a series has bars with the sessions of a calendar. */
export interface CalendarReport {
  readonly calendar: string;
  /** Number of sessions from the first day with a bar to the last. */
  readonly sessions: number;
  /** Sessions without a bar. */
  readonly missing: readonly string[];
  /** Days with bars on which the exchange was closed. */
  readonly closed: readonly string[];
  /** Sessions that ended early. */
  readonly halfDays: readonly string[];
}

/**
 * Compares days with the sessions of a calendar.
 *
 * @param days days with bars, rising, as local dates of the exchange
 */
export function compareWithCalendar(calendar: TradingCalendar, days: readonly Day[]): CalendarReport {
  const there = new Set(days);
  const [missing, halfDays]: [string[], string[]] = [[], []];
  let sessions = 0;
  const first = Math.max(days[0] ?? 0, Date.UTC(calendar.since, 0, 1) / DAY);
  for (let day = first; day <= (days.at(-1) ?? -1); day++) {
    if (!calendar.isSession(day)) continue;
    sessions++;
    if (!there.has(day)) missing.push(formatInstant(day * DAY));
    if (calendar.closesEarly(day) !== undefined) halfDays.push(formatInstant(day * DAY));
  }
  const closed = [...there].filter((day) => day >= first && !calendar.isSession(day));
  return {
    calendar: calendar.name,
    sessions,
    missing,
    closed: closed.map((day) => formatInstant(day * DAY)),
    halfDays,
  };
}

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

/** Days of a custom calendar, as listed in its file. */
interface ListedDays {
  readonly name: string;
  /** Dates such as `2024-12-25`. */
  readonly closed: readonly string[];
  /** Early closing times by date, for example `13:00`. A weekend day that is listed here is a session. */
  readonly early: Readonly<Record<string, string>>;
}

function listedCalendar({ name, closed, early }: ListedDays): TradingCalendar {
  const dayOf = (date: string): Day => Date.parse(date) / DAY;
  const holidays = new Set(closed.map(dayOf));
  const ends = new Map(Object.entries(early).map(([date, time]) => [dayOf(date), readClock(time)]));
  const days = [...holidays, ...ends.keys()];
  const years = days.map((day) => new Date(day * DAY).getUTCFullYear());
  const isEmpty = years.length === 0;
  const since = isEmpty ? 1 : years.reduce((least, year) => Math.min(least, year));
  const until = isEmpty ? undefined : years.reduce((most, year) => Math.max(most, year));
  const listed = new Set(years);
  const all =
    until === undefined ? [] : Array.from({ length: until - since + 1 }, (_, index) => since + index);
  return {
    name,
    zone: undefined,
    hours: undefined,
    since,
    until,
    gaps: all.filter((year) => !listed.has(year)),
    isSession: (day) => ends.has(day) || (!isWeekend(day) && !holidays.has(day)),
    closesOn: () => undefined,
    closesEarly: (day) => ends.get(day),
  };
}
