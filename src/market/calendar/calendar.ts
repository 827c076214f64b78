import { AppError, DAY, formatInstant, nearest } from '../../kernel/index.ts';
import { type Day, isWeekend } from './days.ts';
import { EXCHANGES, type ExchangeName } from './exchanges.ts';

/** The days on which an exchange trades. */
export interface TradingCalendar {
  readonly name: string;
  /** IANA name of its time zone. */
  readonly zone: string;
  /** The first year that is known. */
  readonly since: number;
  /** Whether there is a session on a day, counted since 1970-01-01. */
  isSession(day: Day): boolean;
  /** Whether that session ends early. */
  isHalf(day: Day): boolean;
}

const CALENDAR_NAMES = Object.keys(EXCHANGES) as ExchangeName[];

/** @throws AppError `bad_calendar` for an exchange that is not known */
export function tradingCalendar(text: string): TradingCalendar {
  const name = text.trim().toUpperCase();
  if (!isExchange(name)) {
    const meant = nearest(name, CALENDAR_NAMES);
    throw new AppError({
      code: 'bad_calendar',
      message: `There is no calendar "${text}".`,
      hint: meant === undefined ? `There is ${CALENDAR_NAMES.join(', ')}.` : `Did you mean ${meant}?`,
    });
  }
  const { zone, since, closed, half } = EXCHANGES[name];
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
  return { name, zone, since, isSession, isHalf: (day) => isSession(day) && inYear(day, halves, half) };
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
    if (calendar.isHalf(day)) halfDays.push(formatInstant(day * DAY));
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
