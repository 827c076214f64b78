/** Calculations with calendar days, as days since 1970-01-01. */

import { DAY } from '../../kernel/index.ts';

export type Day = number;

/** @param month from 1 */
export function dayOf(year: number, month: number, day: number): Day {
  return Date.UTC(year, month - 1, day) / DAY;
}

/** 0 is Sunday. */
export function weekdayOf(day: Day): number {
  return (((day + 4) % 7) + 7) % 7;
}

export function isWeekend(day: Day): boolean {
  return weekdayOf(day) === 0 || weekdayOf(day) === 6;
}

/** Returns the nth given weekday of a month, from 1. */
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

/**
 * Opening and closing time of a session, in minutes after local midnight. If it closes before it opens, it
 * opens on the previous day.
 */
export interface Hours {
  readonly opens: number;
  readonly closes: number;
}

/** Hours of a whole day. Default for a session without hours. */
export const WHOLE_DAY = '00:00-24:00';

/** Parses times from `00:00` to `24:00` into minutes after midnight. `undefined` for invalid text. */
export function readClock(text: string): number | undefined {
  const match = /^(\d{1,2}):(\d{2})(?::00)?$/.exec(text.trim());
  if (match === null) return undefined;
  const minutes = 60 * Number(match[1]) + Number(match[2]);
  return Number(match[2]) < 60 && minutes <= 24 * 60 ? minutes : undefined;
}

/** Parses hours such as `09:30-16:00`, or `18:00-17:00` overnight. `undefined` for invalid text. */
export function readHours(text: string): Hours | undefined {
  const [opens, closes, ...more] = text.split('-').map(readClock);
  if (opens === undefined || closes === undefined || more.length > 0) return undefined;
  return opens === closes || opens === 24 * 60 || closes === 0 ? undefined : { opens, closes };
}

/** Formats hours for `readHours`. */
export function hoursText({ opens, closes }: Hours): string {
  return `${clockText(opens)}-${clockText(closes)}`;
}

/** Formats minutes after midnight for `readClock`. */
export function clockText(minutes: number): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}
