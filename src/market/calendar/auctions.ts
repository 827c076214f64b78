import { DAY, type Instant } from '../../kernel/index.ts';
import type { BarTimes, Interval } from '../bars/interval.ts';
import { type AuctionBars, SessionDays, type SessionTerms } from './session.ts';
import { readHours, type Session, WHOLE_DAY } from './sessions.ts';

/** Length and time stamps of the bars of a run. */
export interface BarShape {
  readonly interval: Interval | undefined;
  readonly barTimes: BarTimes;
}

/**
 * Auctions of sessions: the bar of the opening auction and the bar of the closing auction. Both follow from the hours of the
 * session, the time of the bar and its length. No other bar is read.
 */
export class SessionAuctions {
  readonly #days: SessionDays;
  readonly #length: number;
  /** Milliseconds from a bar's start to its time. */
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
   * Returns `undefined` if the auctions are unknown: bars of a day or longer, bars of unknown length, sessions of a whole day.
   *
   * @param tradesOnlyInside true if bars that begin outside the hours fill nothing
   */
  static of(terms: SessionTerms, shape: BarShape, tradesOnlyInside = false): SessionAuctions | undefined {
    const isShort = shape.interval !== undefined && shape.interval.milliseconds < DAY;
    return isShort && isKnown(terms.hours) ? new SessionAuctions(terms, shape, tradesOnlyInside) : undefined;
  }

  /**
   * True if the bar contains the opening of its session, or is the first bar that begins inside the session.
   */
  isOpening(time: Instant): boolean {
    const begin = time - this.#stamp;
    const { opens } = this.#sessionAt(begin);
    return this.#tradesOnlyInside
      ? opens <= begin && begin < opens + this.#length
      : begin <= opens && opens < begin + this.#length;
  }

  /** True if the bar ends with its session or after it. */
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

  /** Returns the current session at an instant, or the next session. */
  #sessionAt(instant: Instant): Session {
    const known = this.#session;
    if (known !== undefined && instant >= this.#from && instant < known.closes) return known;
    const session = this.#days.sessionOf(instant + this.#early);
    this.#from = instant;
    // If a clock change skips the close, the end of the session is unknown.
    this.#session = Number.isFinite(session.closes) ? session : undefined;
    return session;
  }
}

/** True if hours have an opening and a close. A session of a whole day has neither. */
function isKnown(hours: string): boolean {
  const { opens, closes } = readHours(hours)!;
  const whole = readHours(WHOLE_DAY)!;
  return opens !== whole.opens || closes !== whole.closes;
}
