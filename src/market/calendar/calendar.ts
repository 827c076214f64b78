import { AppError, DAY, formatInstant, nearest } from '../../kernel/index.ts';
import { type Day, isWeekend } from './days.ts';
import { EXCHANGES, type ExchangeName } from './exchanges.ts';
import { type ListedDays, listedCalendar } from './listed-days.ts';
import type { TradingCalendar } from './trading-calendar.ts';

/** An exchange by its name, or the days of a file. */
export type CalendarTerms = string | ListedDays;

const CALENDAR_NAMES = Object.keys(EXCHANGES) as ExchangeName[];

/** @throws AppError `bad_calendar` for an exchange that is not known */
export function tradingCalendar(terms: CalendarTerms): TradingCalendar {
  if (typeof terms !== 'string') return listedCalendar(terms);
  const name = terms.trim().toUpperCase();
  if (!isExchange(name)) {
    const meant = nearest(name, CALENDAR_NAMES);
    throw new AppError({
      code: 'bad_calendar',
      message: `There is no calendar "${terms}".`,
      hint:
        meant === undefined
          ? `There is ${CALENDAR_NAMES.join(', ')}; a file is named with its ending, such as days.csv.`
          : `Did you mean ${meant}?`,
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
    isSession,
    closesEarly: (day) => (isSession(day) && inYear(day, halves, half) ? closesEarly : undefined),
  };
}

/** Whether the text of `--calendar` names a file; else it is an exchange's name. */
export function isCalendarFile(text: string): boolean {
  return !isExchange(text.trim().toUpperCase()) && /[./\\]/.test(text);
}

function isExchange(name: string): name is ExchangeName {
  return Object.hasOwn(EXCHANGES, name);
}

/** What a calendar says of the days of a series. */
export interface CalendarReport {
  readonly calendar: string;
  /** From the first day with a bar to the last. */
  readonly sessions: number;
  /** Sessions without a bar. */
  readonly missing: readonly string[];
  /** Days with bars on which the exchange was closed. */
  readonly closed: readonly string[];
  /** Sessions that ended early. */
  readonly halfDays: readonly string[];
}

/** @param days with bars, rising, in the exchange's own dates */
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
