import { DAY } from '../../kernel/index.ts';
import { readClock } from './clock-times.ts';
import { type Day, isWeekend } from './days.ts';
import type { TradingCalendar } from './trading-calendar.ts';

/** Days of a custom calendar, as listed in its file. */
export interface ListedDays {
  readonly name: string;
  /** Dates such as `2024-12-25`. */
  readonly closed: readonly string[];
  /** Early closing times by date, for example `13:00`. A listed weekend day is a session. */
  readonly early: Readonly<Record<string, string>>;
}

export function listedCalendar({ name, closed, early }: ListedDays): TradingCalendar {
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
    closesEarly: (day) => ends.get(day),
  };
}
