import type { Hours } from './clock-times.ts';
import type { Day } from './days.ts';

/** Days on which an exchange trades. */
export interface TradingCalendar {
  readonly name: string;
  /** IANA name of its time zone. `undefined` if its file gives no zone. */
  readonly zone: string | undefined;
  /** Hours of a whole session in minutes after local midnight. `undefined` if unknown. */
  readonly hours: Hours | undefined;
  /** First year that the calendar covers. */
  readonly since: number;
  /** Last year that the calendar covers. `undefined` if the rules have no end. */
  readonly until: number | undefined;
  /** Unknown years in between: a file lists no day of them. */
  readonly gaps: readonly number[];
  /** Returns true if there is a session on a day, given in days since 1970-01-01. */
  isSession(day: Day): boolean;
  /**
   * Returns the early closing time of a session, in minutes after local midnight. `undefined` if the session
   * does not end early.
   */
  closesEarly(day: Day): number | undefined;
}
