/** From when to when a session lasts, in minutes after midnight on its clocks; it opens on the day before where it closes first. */
export interface Hours {
  readonly opens: number;
  readonly closes: number;
}

/** A whole day, which is a session where nobody gives its hours. */
export const WHOLE_DAY = '00:00-24:00';

/** Minutes after midnight of `16:00`, up to `24:00`; undefined for what is no such time. */
export function readClock(text: string): number | undefined {
  const match = /^(\d{1,2}):(\d{2})(?::00)?$/.exec(text.trim());
  if (match === null) return undefined;
  const minutes = 60 * Number(match[1]) + Number(match[2]);
  return Number(match[2]) < 60 && minutes <= 24 * 60 ? minutes : undefined;
}

/** The hours of `09:30-16:00`, or of `18:00-17:00` overnight; undefined for what is none. */
export function readHours(text: string): Hours | undefined {
  const [opens, closes, ...more] = text.split('-').map(readClock);
  if (opens === undefined || closes === undefined || more.length > 0) return undefined;
  return opens === closes || opens === 24 * 60 || closes === 0 ? undefined : { opens, closes };
}

/** As `readHours` reads them. */
export function hoursText({ opens, closes }: Hours): string {
  return `${clockText(opens)}-${clockText(closes)}`;
}

/** As `readClock` reads it. */
export function clockText(minutes: number): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}
