import { minuteText } from '../../../kernel/instants.ts';

/**
 * Formats a time as a date. Includes the time of day unless it is midnight: `2008-09-15`, `2008-09-15 14:30`.
 */
export function dateText(seconds: number): string {
  const text = new Date(seconds * 1000).toISOString();
  return text.slice(11, 19) === '00:00:00' ? text.slice(0, 10) : minuteText(text);
}

/** Formats the day of a time. */
export function dayText(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 10);
}

/** Returns the first second of a day. Undefined if the text is not a valid date. */
export function secondsOf(day: string): number | undefined {
  const time = /^\d{4}-\d\d-\d\d$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN;
  return Number.isNaN(time) ? undefined : time / 1000;
}
