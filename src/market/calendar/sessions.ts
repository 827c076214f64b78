import { DAY, type Instant } from '../../kernel/index.ts';
import { type Grouping, monthOf, readRule } from '../bars/interval.ts';
import type { Day } from './holiday-dates.ts';

/**
 * Opening and closing time of a session, in minutes after local midnight. A session whose closing time is
 * before its opening time opens on the previous day.
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

/** Formats hours as text that `readHours` parses, for example `09:30-16:00`. */
export function hoursText({ opens, closes }: Hours): string {
  return `${clockText(opens)}-${clockText(closes)}`;
}

/** Formats minutes after midnight as text that `readClock` parses, for example `09:30`. */
export function clockText(minutes: number): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

/** Trading session to which a bar belongs. */
export interface Session {
  /** Date of the session, in days since 1970. */
  readonly day: Day;
  readonly opens: Instant;
  /**
   * Closing instant. Infinity if a clock change skips the closing time: the session is then over when the
   * next bar arrives.
   */
  readonly closes: Instant;
  /** Date of the next session, in days since 1970. */
  readonly next: Day;
}

/** Assigns the bars of a series to sessions. */
export interface Sessions {
  /**
   * 1 if bars are stamped with their end, otherwise 0. This number of milliseconds is subtracted from a bar's
   * time, so that a bar stamped with the close belongs to the session that closes.
   */
  readonly early: number;
  of(time: Instant): Session;
}

/** Session as an array for transfer to another process. `from` is the time of the session's first bar. */
export type SessionRow = readonly [from: Instant, day: Day, opens: Instant, closes: Instant, next: Day];

/** Largest valid date, in ms. Replaces Infinity, which JSON cannot represent. */
const NEVER = 8.64e15;

/** Sessions received as rows from another process. Used in processes that have no calendar. */
export class ListedSessions implements Sessions {
  readonly early: number;
  readonly #rows: SessionRow[] = [];

  constructor(early: number) {
    this.early = early;
  }

  push(row: SessionRow): void {
    this.#rows.push(row);
  }

  of(time: Instant): Session {
    let [low, high] = [0, this.#rows.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (this.#rows[middle]![0] <= time) low = middle;
      else high = middle - 1;
    }
    const [, day, opens, closes, next] = this.#rows[low]!;
    return { day, opens, closes, next };
  }
}

/**
 * Returns a row for each session that contains one of the times. Skips sessions up to the day `after`.
 *
 * @param times in rising order
 */
export function sessionRows(
  sessions: Sessions,
  times: Iterable<Instant>,
  after: Day = Number.NEGATIVE_INFINITY,
): SessionRow[] {
  const rows: SessionRow[] = [];
  let last = after;
  for (const time of times) {
    const { day, opens, closes, next } = sessions.of(time);
    if (day <= last) continue;
    rows.push([time, day, opens, Math.min(closes, NEVER), next]);
    last = day;
  }
  return rows;
}

/**
 * Number of group numbers reserved for each session, so that groups of different sessions never have equal
 * numbers. Groups are counted from the session's open. Groups before the open have negative offsets.
 */
const GROUPS_OF_A_SESSION = 1e10;

/**
 * Returns the grouping of bars by a rule such as `4h` and by sessions. Groups of hours and shorter start at
 * each session's open and end at its close. Days, weeks and months use the dates of sessions.
 *
 * @throws AppError `bad_rule` for an invalid rule
 */
export function groupingBySessions(rule: string, sessions: Sessions): Grouping {
  const { unit, milliseconds, months, firstDay } = readRule(rule);
  if (unit !== 'd' && unit !== 'w' && unit !== 'mo') {
    const placeIn = ({ opens }: Session, time: Instant): number =>
      Math.floor((time - sessions.early - opens) / milliseconds);
    return {
      groupOf(time) {
        const session = sessions.of(time);
        return session.day * GROUPS_OF_A_SESSION + placeIn(session, time);
      },
      endOf(time) {
        const session = sessions.of(time);
        const end = session.opens + (placeIn(session, time) + 1) * milliseconds;
        return Math.min(end, session.closes);
      },
    };
  }
  const groupOfDay = (day: Day): number =>
    months === undefined
      ? Math.floor((day - firstDay) / (milliseconds / DAY))
      : Math.floor(monthOf(day * DAY) / months);
  return {
    groupOf: (time) => groupOfDay(sessions.of(time).day),
    endOf(time) {
      const { day, next, closes } = sessions.of(time);
      return groupOfDay(next) === groupOfDay(day) ? Number.POSITIVE_INFINITY : closes;
    },
  };
}
