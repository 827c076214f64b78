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
