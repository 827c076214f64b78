import { z } from 'zod';
import { AppError, DAY, type Instant, parseInstant, type TradingDays, utcDays } from '../../kernel/index.ts';
import type { BarTimes, Interval } from '../bars/interval.ts';
import { instantsAt, isZone, localTime } from '../bars/zones.ts';
import { type CalendarTerms, isCalendarFile, tradingCalendar } from './calendar.ts';
import type { Day } from './holiday-dates.ts';
import { hoursText, readClock, readHours, type Session, type Sessions, WHOLE_DAY } from './sessions.ts';

const dateText = z
  .string()
  .refine((text) => /^\d{4}-\d{2}-\d{2}$/.test(text) && parseInstant(text) !== undefined, {
    error: ({ input }) => `"${String(input)}" is not a date. Expected YYYY-MM-DD, for example 2024-12-25`,
  });

const exchangeName = z.string().check((context) => {
  try {
    tradingCalendar(context.value);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    context.issues.push({ code: 'custom', message: `${error.message} ${error.hint}`, input: context.value });
  }
});

/** Indices of the bars that contain an opening or a closing auction, in rising order. */
export const auctionBarsSchema = z.strictObject({
  opens: z.array(z.number().int().min(0)),
  closes: z.array(z.number().int().min(0)),
});

export type AuctionBars = z.infer<typeof auctionBarsSchema>;

/** Hours, time zone and calendar of the sessions to which a run's bars belong. */
export const sessionSchema = z.strictObject({
  hours: z
    .string()
    .refine((text) => readHours(text) !== undefined, 'must be hours such as 09:30-16:00')
    .default(WHOLE_DAY)
    .describe('start and end of a session, such as 09:30-16:00; 18:00-17:00 opens on the day before'),
  timezone: z
    .string()
    .refine(isZone, 'must be a time zone such as America/New_York')
    .default('UTC')
    .describe('time zone of the session hours'),
  calendar: z
    .union([
      exchangeName,
      z.strictObject({
        name: z.string(),
        closed: z.array(dateText),
        early: z.record(
          dateText,
          z.string().refine((text) => (readClock(text) ?? 0) > 0, 'must be a time such as 13:00'),
        ),
      }),
    ])
    .optional()
    .describe('an exchange such as XNYS, or a calendar file'),
  /**
   * Bars with auctions. Set only if dates are masked, because the times of masked bars do not show the
   * session hours. `null` if the auctions are unknown.
   */
  auctionBars: auctionBarsSchema.nullable().optional(),
});

export type SessionTerms = z.infer<typeof sessionSchema>;

/**
 * Combines `--session`, `--calendar` and `--timezone`. Default hours are the hours of the exchange, or a
 * whole day. The time zone of an exchange takes precedence over `timezone`. `undefined` if neither a session
 * nor a calendar is given.
 */
export function sessionTerms(
  hours: string | undefined,
  calendar: CalendarTerms | undefined,
  timezone: string | undefined,
): SessionTerms | undefined {
  if (hours === undefined && calendar === undefined) return undefined;
  const known = calendar === undefined ? undefined : tradingCalendar(calendar);
  const own = known?.hours === undefined ? WHOLE_DAY : hoursText(known.hours);
  return sessionSchema.parse({
    hours: hours ?? own,
    timezone: known?.zone ?? timezone ?? 'UTC',
    ...(calendar === undefined ? {} : { calendar }),
  });
}

/** Returns true for a valid value of `--session`. */
export function isSessionText(text: string): boolean {
  return readHours(text) !== undefined;
}

/**
 * Checks that a value of `--calendar` is a known exchange or the name of a file. Does not read the file.
 *
 * @throws AppError `bad_calendar` for an unknown exchange
 */
export function checkCalendarText(text: string): void {
  if (!isCalendarFile(text)) tradingCalendar(text);
}

/**
 * Maximum number of consecutive closed days that are searched for the next session. If all these days are
 * closed, the first of them counts as a session. No exchange was closed this long.
 */
const LONGEST_CLOSURE = 60;

/**
 * Sessions by local date of the exchange. A bar outside the hours of all sessions belongs to the next
 * session.
 */
export class SessionDays implements TradingDays {
  readonly #terms: SessionTerms;
  readonly #early: number;
  readonly #closes: number;
  readonly #calendar: ReturnType<typeof tradingCalendar> | undefined;
  /** True if the hours are those of the exchange, which may have closed at another time in earlier years. */
  readonly #hasHoursOfExchange: boolean;

  /** @param barTimes with `end`, a bar stamped with a session's close is the last bar of that session */
  constructor(terms: SessionTerms, barTimes: BarTimes) {
    this.#terms = terms;
    this.#early = barTimes === 'end' ? 1 : 0;
    this.#closes = readHours(terms.hours)!.closes;
    this.#calendar = terms.calendar === undefined ? undefined : tradingCalendar(terms.calendar);
    const hours = this.#calendar?.hours;
    this.#hasHoursOfExchange = hours !== undefined && hoursText(hours) === terms.hours;
  }

  dayOf(time: Instant): Day {
    const local = localTime(this.#terms.timezone, time - this.#early);
    const day = Math.floor(local / DAY);
    return this.#sessionFrom(local < this.#closeOf(day) ? day : day + 1);
  }

  lastOf(day: Day): Instant {
    // If clocks skip the closing time, no instant has this local time. No instant then counts as inside the
    // session.
    const close = this.#instantOf(this.#closeOf(day));
    return close === undefined ? Number.NEGATIVE_INFINITY : close - 1;
  }

  /** Returns the session of an intraday bar. */
  sessionOf(time: Instant): Session {
    const day = this.dayOf(time);
    const hours = readHours(this.#terms.hours)!;
    const opensOn = hours.opens < hours.closes ? day : day - 1;
    const closes = this.#instantOf(this.#closeOf(day));
    return {
      day,
      // If a clock change skips the opening time, the session opens one hour later.
      opens:
        this.#instantOf(opensOn * DAY + hours.opens * 60_000) ??
        this.#instantOf(opensOn * DAY + (hours.opens + 60) * 60_000) ??
        time,
      closes: closes ?? Number.POSITIVE_INFINITY,
      next: this.#sessionFrom(day + 1),
    };
  }

  /**
   * Returns the session of a daily bar: its UTC day, or the next session if the exchange is closed on that
   * day.
   */
  sessionOn(time: Instant): Session {
    const day = this.#sessionFrom(this.dateOf(time));
    const opens = day * DAY;
    return { day, opens, closes: opens + DAY, next: this.#sessionFrom(day + 1) };
  }

  #instantOf(local: number): Instant | undefined {
    const [instant] = instantsAt(this.#terms.timezone, local);
    return instant === undefined ? undefined : instant;
  }

  /** Name of the calendar, if there is one. */
  get calendarName(): string | undefined {
    return this.#calendar?.name;
  }

  /** UTC date of a bar of a day or longer. */
  dateOf(time: Instant): Day {
    return Math.floor((time - this.#early) / DAY);
  }

  /** Number of sessions between two days, both included. */
  countBetween(first: Day, last: Day): number {
    let count = 0;
    for (let day = first; day <= last; day++) if (this.#isSession(day)) count += 1;
    return count;
  }

  /** Returns the closing time of a session in local time, represented as if it were UTC. */
  #closeOf(day: Day): number {
    const regular = (this.#hasHoursOfExchange ? this.#calendar?.closesOn(day) : undefined) ?? this.#closes;
    const early = this.#calendar?.closesEarly(day) ?? Number.POSITIVE_INFINITY;
    return day * DAY + Math.min(regular, early) * 60_000;
  }

  #sessionFrom(day: Day): Day {
    for (let next = day; next < day + LONGEST_CLOSURE; next++) if (this.#isSession(next)) return next;
    return day;
  }

  #isSession(day: Day): boolean {
    return this.#calendar?.isSession(day) ?? true;
  }
}

/** Returns true if bars are shorter than a day. A bar of a day or longer is not divided into sessions. */
function isIntraday(interval: Interval | undefined): boolean {
  return interval !== undefined && interval.milliseconds < DAY;
}

/**
 * Returns the trading days of bars: sessions if they are given and bars are shorter than a day, otherwise UTC
 * days.
 */
export function tradingDays(
  terms: SessionTerms | undefined,
  barTimes: BarTimes = 'start',
  interval: Interval | undefined,
): TradingDays {
  return terms === undefined || !isIntraday(interval) ? utcDays(barTimes) : new SessionDays(terms, barTimes);
}

/**
 * Sessions of one series. Caches the last session, because successive bars usually belong to the same
 * session.
 */
class SeriesSessions implements Sessions {
  readonly early: number;
  readonly #find: (time: Instant) => Session;
  #from = Number.POSITIVE_INFINITY;
  #last: Session | undefined;

  constructor(early: number, find: (time: Instant) => Session) {
    this.early = early;
    this.#find = find;
  }

  of(time: Instant): Session {
    if (this.#last !== undefined && time >= this.#from && time - this.early < this.#last.closes)
      return this.#last;
    this.#from = time;
    this.#last = this.#find(time);
    return this.#last;
  }
}

/**
 * Returns the sessions used to combine bars into longer bars. `undefined` if `terms` is `undefined`, for bars
 * longer than a day, and for daily bars without a calendar. Daily bars use the days of the calendar.
 *
 * @param terms result of `sessionTerms`
 * @param interval length of the bars that are combined
 */
export function sessionsOf(
  terms: SessionTerms | undefined,
  barTimes: BarTimes,
  interval: Interval | undefined,
): Sessions | undefined {
  if (terms === undefined || interval === undefined || interval.milliseconds > DAY) return undefined;
  const isShort = isIntraday(interval);
  if (!isShort && terms.calendar === undefined) return undefined;
  const days = new SessionDays(terms, barTimes);
  return new SeriesSessions(barTimes === 'end' ? 1 : 0, (time) =>
    isShort ? days.sessionOf(time) : days.sessionOn(time),
  );
}

/** Length and time stamps of the bars of a run. */
export interface BarShape {
  readonly interval: Interval | undefined;
  readonly barTimes: BarTimes;
}

/**
 * Finds the bars that contain the opening and closing auctions of sessions. Uses only the session hours and
 * the time and length of each bar, so later bars are not needed.
 */
export class SessionAuctions {
  readonly #days: SessionDays;
  readonly #length: number;
  /**
   * Milliseconds from a bar's start to its time stamp: 0, or the bar length if bars are stamped with their
   * end.
   */
  readonly #stamp: number;
  readonly #early: number;
  readonly #tradesOnlyInside: boolean;
  #session: Session | undefined;
  #from = Number.POSITIVE_INFINITY;

  private constructor(terms: SessionTerms, { interval, barTimes }: BarShape, tradesOnlyInside: boolean) {
    const isEnd = barTimes === 'end';
    this.#days = new SessionDays(terms, barTimes);
    this.#length = interval!.milliseconds;
    this.#stamp = isEnd ? this.#length : 0;
    this.#early = isEnd ? 1 : 0;
    this.#tradesOnlyInside = tradesOnlyInside;
  }

  /**
   * Creates the object for the bars of a run. Returns `undefined` if the auctions are unknown: for bars of a
   * day or longer, for bars of unknown length, and for sessions of a whole day.
   *
   * @param tradesOnlyInside true if no order fills in bars that begin outside the session hours
   */
  static of(terms: SessionTerms, shape: BarShape, tradesOnlyInside = false): SessionAuctions | undefined {
    const isShort = shape.interval !== undefined && shape.interval.milliseconds < DAY;
    return isShort && isKnown(terms.hours) ? new SessionAuctions(terms, shape, tradesOnlyInside) : undefined;
  }

  /**
   * True for the bar during which the session opens. With `tradesOnlyInside`, true for the first bar in which
   * orders fill: it begins at the open or less than one bar length after the open.
   */
  isOpening(time: Instant): boolean {
    const begin = time - this.#stamp;
    const { opens } = this.#sessionAt(begin);
    return this.#tradesOnlyInside
      ? opens <= begin && begin < opens + this.#length
      : begin <= opens && opens < begin + this.#length;
  }

  /** True if the session closes during the bar or at its end. */
  isClosing(time: Instant): boolean {
    const begin = time - this.#stamp;
    return this.#sessionAt(begin).closes <= begin + this.#length;
  }

  barsOf(clock: ArrayLike<Instant>): AuctionBars {
    const bars = Array.from(clock, (_, bar) => bar);
    return {
      opens: bars.filter((bar) => this.isOpening(clock[bar]!)),
      closes: bars.filter((bar) => this.isClosing(clock[bar]!)),
    };
  }

  /** Returns the session that contains an instant, or the next session if the exchange is closed. */
  #sessionAt(instant: Instant): Session {
    const known = this.#session;
    if (known !== undefined && instant >= this.#from && instant < known.closes) return known;
    const session = this.#days.sessionOf(instant + this.#early);
    this.#from = instant;
    // If a clock change skips the closing time, the end of the session is unknown and the session is not
    // cached.
    this.#session = Number.isFinite(session.closes) ? session : undefined;
    return session;
  }
}

/** True if hours have an opening and a closing time. A session of a whole day has neither. */
function isKnown(hours: string): boolean {
  const { opens, closes } = readHours(hours)!;
  const whole = readHours(WHOLE_DAY)!;
  return opens !== whole.opens || closes !== whole.closes;
}
