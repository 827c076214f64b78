import { DAY } from '../../kernel/index.ts';

/** Calendar day, as the number of days since 1970-01-01. */
export type Day = number;

/**
 * Returns the days since 1970-01-01.
 *
 * @param month from 1
 */
export function dayOf(year: number, month: number, day: number): Day {
  return Date.UTC(year, month - 1, day) / DAY;
}

/** Returns the weekday of a day, from 0 (Sunday) to 6 (Saturday). */
export function weekdayOf(day: Day): number {
  return (((day + 4) % 7) + 7) % 7;
}

export function isWeekend(day: Day): boolean {
  return weekdayOf(day) === 0 || weekdayOf(day) === 6;
}

/** Returns the nth occurrence of a weekday in a month. Weekday 0 is Sunday, month 1 is January. */
export function nth(year: number, month: number, weekday: number, count: number): Day {
  const first = dayOf(year, month, 1);
  return first + ((weekday - weekdayOf(first) + 7) % 7) + 7 * (count - 1);
}

export function last(year: number, month: number, weekday: number): Day {
  const end = dayOf(year, month + 1, 1) - 1;
  return end - ((weekdayOf(end) - weekday + 7) % 7);
}

/**
 * Western Easter Sunday, by the anonymous Gregorian algorithm (Meeus, Astronomical Algorithms, chapter 8).
 */
export function easter(year: number): Day {
  const a = year % 19;
  const [b, c] = [Math.floor(year / 100), year % 100];
  const [d, e] = [Math.floor(b / 4), b % 4];
  const g = Math.floor((8 * b + 13) / 25);
  const h = (19 * a + b - d - g + 15) % 30;
  const [i, k] = [Math.floor(c / 4), c % 4];
  const l = (32 + 2 * e + 2 * i - h - k) % 7;
  const m = Math.floor((a + 11 * h + 19 * l) / 433);
  const month = Math.floor((h + l - 7 * m + 90) / 25);
  return dayOf(year, month, (h + l - 7 * m + 33 * month + 19) % 32);
}

export function daysOf(...texts: readonly string[]): Day[] {
  return texts.map((text) => Date.parse(text) / DAY);
}
