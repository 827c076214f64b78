import { DAY, type Instant } from '../../kernel/index.ts';
import { type Grouping, monthOf, readRule } from '../grouping.ts';
import type { Day } from './days.ts';

/** A session that bars belong to. */
export interface Session {
  /** Its date, in days since 1970. */
  readonly day: Day;
  readonly opens: Instant;
  /** Infinity where its clocks are put forward over the time: then only the next bar tells that it is over. */
  readonly closes: Instant;
  /** The date of the session that follows, in days since 1970. */
  readonly next: Day;
}

/** What session each bar of a series belongs to. */
export interface Sessions {
  /** Of bars that carry the time of their end, the millisecond by which one belongs to what is over; else 0. */
  readonly early: number;
  of(time: Instant): Session;
}

/** A session and the first bar of it: where its bars begin. */
export type SessionRow = readonly [from: Instant, day: Day, opens: Instant, closes: Instant, next: Day];

/** As it is sent to another process; JSON has no Infinity. */
const NEVER = 8.64e15;

/** Sessions as their rows come in from another process, which knows the calendar. */
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

/** The rows of sessions that begin among times in order, after the session of a day. */
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

/** Groups of a session are numbered from its open, those before it with negative numbers: no two sessions share one. */
const GROUPS_OF_A_SESSION = 1e10;

/**
 * Groups that follow sessions: of hours and less from the open of each, up to its close; of days, weeks and months by the
 * dates of sessions.
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
