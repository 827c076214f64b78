import { DAY, type Instant } from '../../kernel/index.ts';
import { type Grouping, monthOf, readRule } from '../bars/interval.ts';
import type { Day } from './days.ts';

/** Session of bars. */
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
   * 1 ms for bars stamped with their end, so that a bar at the close belongs to the session that ends.
   * Otherwise 0.
   */
  readonly early: number;
  of(time: Instant): Session;
}

/** Session with the time of its first bar. */
export type SessionRow = readonly [from: Instant, day: Day, opens: Instant, closes: Instant, next: Day];

/** Replacement for Infinity in JSON for another process. */
const NEVER = 8.64e15;

/** Sessions received as rows from another process, which has the calendar. */
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

/** Returns the rows of the sessions that begin among rising times, after the session of a given day. */
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
 * Range of group numbers per session. Groups are numbered from the session's open; groups before the open
 * have negative numbers. Two sessions never share a number.
 */
const GROUPS_OF_A_SESSION = 1e10;

/**
 * Grouping that follows sessions. Groups of hours and shorter start at each session's open and end at its
 * close. Days, weeks and months use the dates of sessions.
 *
 * @throws AppError `bad_rule`
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
