import { AppError, DAY, formatInstant, nearest } from '../../kernel/index.ts';
import type { BarSeries } from '../bar-series.ts';
import { type Day, isWeekend } from './days.ts';
import { EXCHANGES, type ExchangeName } from './exchanges.ts';
import { type ListedDays, listedCalendar } from './listed-days.ts';
import type { TradingCalendar } from './trading-calendar.ts';

/** Name of an exchange, or the days of a file. */
export type CalendarTerms = string | ListedDays;

const CALENDAR_NAMES = Object.keys(EXCHANGES) as ExchangeName[];

/** @throws AppError `bad_calendar` for an unknown exchange */
export function tradingCalendar(terms: CalendarTerms): TradingCalendar {
  if (typeof terms !== 'string') return listedCalendar(terms);
  const name = terms.trim().toUpperCase();
  if (!isExchange(name)) {
    const meant = nearest(name, CALENDAR_NAMES);
    throw new AppError({
      code: 'bad_calendar',
      message: `Unknown calendar "${terms}".`,
      hint: `${meant === undefined ? '' : `Did you mean ${meant}? `}Known calendars: ${CALENDAR_NAMES.join(', ')}. For a calendar file, write its name with the ending, such as days.csv.`,
    });
  }
  const { zone, since, opens, closes, closesEarly, closed, half } = EXCHANGES[name];
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
    closesEarly: (day) => (isSession(day) && inYear(day, halves, half) ? closesEarly : undefined),
  };
}

/** Last year for which the rules of exchanges are used. Holidays of later years are unknown. */
const LAST_YEAR = 2035;

/** Returns true if the value of `--calendar` is a file. Otherwise it is the name of an exchange. */
export function isCalendarFile(text: string): boolean {
  return !isExchange(text.trim().toUpperCase()) && /[./\\]/.test(text);
}

function isExchange(name: string): name is ExchangeName {
  return Object.hasOwn(EXCHANGES, name);
}

/**
 * Checks that a calendar covers all dates of the data. Outside its years every weekday would count as a
 * session.
 *
 * @throws AppError `bad_calendar` with the years of both
 */
export function checkCovers(calendar: TradingCalendar, series: readonly Pick<BarSeries, 'time'>[]): void {
  const { name, since, until, gaps } = calendar;
  const all = series.filter(({ time }) => time.length > 0);
  const first = all.reduce((least, { time }) => Math.min(least, time[0]!), Number.POSITIVE_INFINITY);
  const last = all.reduce((most, { time }) => Math.max(most, time.at(-1)!), Number.NEGATIVE_INFINITY);
  if (all.length === 0) return;
  // One day of tolerance: the local date of the exchange may be the next or the previous one.
  const yearOf = (time: number): number => new Date(time).getUTCFullYear();
  const isWithin = yearOf(first + DAY) >= since && (until === undefined || yearOf(last - DAY) <= until);
  const lacking = gaps.filter((year) => all.some(({ time }) => time.some((one) => yearOf(one) === year)));
  if (isWithin && lacking.length === 0) return;
  const without = lacking.length === 0 ? '' : ` without ${lacking.join(', ')}`;
  const covered = `${since}-01-01 ${until === undefined ? 'onwards' : `to ${until}-12-31`}`;
  throw new AppError({
    code: 'bad_calendar',
    message: `The calendar ${name} does not cover the data: it covers ${covered}${without}, and the data run from ${formatInstant(first)} to ${formatInstant(last)}.`,
    hint: 'Add the missing years to the calendar file, restrict the data with --from and --to, or remove --calendar.',
  });
}

/** Comparison of a series' days with a calendar. */
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

/** @param days days with bars, rising, as local dates of the exchange */
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
