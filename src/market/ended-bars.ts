import type { Instant } from '../kernel/index.ts';
import type { BarSeries } from './bar-series.ts';
import { addInterval, type BarTimes, type Interval } from './interval.ts';
import type { Market } from './market.ts';
import { intervalOf } from './one-interval.ts';

/** When bars begin and end: an interval from or to their stamps, and never across the next one or the one before. */
export class BarBounds {
  readonly #times: Float64Array;
  readonly #interval: Interval | undefined;
  readonly #barTimes: BarTimes;

  constructor(bars: Pick<Market, 'clock' | 'interval'>, barTimes: BarTimes) {
    this.#times = bars.clock;
    this.#interval = bars.interval;
    this.#barTimes = barTimes;
  }

  /** The instant a bar's interval begins. */
  startOf(bar: number): Instant {
    const time = this.#times[bar]!;
    if (this.#barTimes === 'start' || this.#interval === undefined) return time;
    return Math.max(addInterval(time, this.#interval, -1), this.#times[bar - 1] ?? Number.NEGATIVE_INFINITY);
  }

  /** The instant a bar's interval has ended, and the bar is known. */
  endOf(bar: number): Instant {
    const time = this.#times[bar]!;
    if (this.#barTimes === 'end' || this.#interval === undefined) return time;
    return Math.min(addInterval(time, this.#interval), this.#times[bar + 1] ?? Number.POSITIVE_INFINITY);
  }
}

/**
 * A series that is no part of the clock, read forward in time: of a bar nothing is given before it has begun, and nothing
 * but its open before it has ended.
 */
export class EndedBars {
  readonly #series: BarSeries;
  readonly #bounds: BarBounds;
  /** Whether a bar's length is known: without it none counts as ended before the next one begins. */
  readonly #isMeasured: boolean;
  readonly #barTimes: BarTimes;
  /** Of the first bar that had not ended when last asked. */
  #next = 0;

  constructor(series: BarSeries, barTimes: BarTimes) {
    const interval = intervalOf(series);
    this.#series = series;
    this.#bounds = new BarBounds({ clock: series.time, interval }, barTimes);
    this.#isMeasured = interval !== undefined;
    this.#barTimes = barTimes;
  }

  /** Bars that have ended at an instant; instants must not fall. */
  endedAt(instant: Instant): number {
    const { time } = this.#series;
    while (this.#next < time.length && this.endOf(this.#next) <= instant) this.#next += 1;
    return this.#next;
  }

  /** When a bar has ended; Infinity for one whose length nobody knows. */
  endOf(bar: number): Instant {
    if (this.#series.ends !== undefined) return this.#series.ends[bar] ?? Number.POSITIVE_INFINITY;
    if (this.#isMeasured || this.#barTimes === 'end') return this.#bounds.endOf(bar);
    return Number.POSITIVE_INFINITY;
  }

  /**
   * The open of a bar that is under way, else the close of the newest that has ended; NaN before the first.
   *
   * @param moment whether the instant is where something opens, so that a bar that begins there has begun, or where
   *   something closes
   */
  priceAt(instant: Instant, moment: 'open' | 'close'): number {
    const { open, close, time } = this.#series;
    const ended = this.endedAt(instant);
    const began = ended < time.length ? this.#bounds.startOf(ended) : Number.POSITIVE_INFINITY;
    if (moment === 'open' ? began <= instant : began < instant) return open[ended]!;
    return ended > 0 ? close[ended - 1]! : Number.NaN;
  }
}
