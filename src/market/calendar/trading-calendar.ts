import type { Hours } from './clock-times.ts';
import type { Day } from './days.ts';

/** The days on which an exchange trades. */
export interface TradingCalendar {
  readonly name: string;
  /** IANA name of its time zone; undefined where its file says none. */
  readonly zone: string | undefined;
  /** From when to when whole sessions last, in minutes on its clocks; undefined where nobody says. */
  readonly hours: Hours | undefined;
  /** The first year that is known. */
  readonly since: number;
  /** Last year that is known. `undefined` if the rules have no end. */
  readonly until: number | undefined;
  /** Years between them that are not known: a file lists no day of them. */
  readonly gaps: readonly number[];
  /** Whether there is a session on a day, counted since 1970-01-01. */
  isSession(day: Day): boolean;
  /** When that session ends early, in minutes on its clocks; undefined where it does not. */
  closesEarly(day: Day): number | undefined;
}
