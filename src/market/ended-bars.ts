import type { Instant } from '../kernel/index.ts';
import type { BarSeries } from './bar-series.ts';
import { addInterval, type BarTimes, type Interval } from './interval.ts';
import type { Market } from './market.ts';
import { intervalOf } from './one-interval.ts';

/** Start and end of bars: one interval after or before their times, without overlapping neighbouring bars. */
export class BarBounds {
  readonly #times: Float64Array;
  readonly #interval: Interval | undefined;
  readonly #barTimes: BarTimes;

  constructor(bars: Pick<Market, 'clock' | 'interval'>, barTimes: BarTimes) {
    this.#times = bars.clock;
    this.#interval = bars.interval;
    this.#barTimes = barTimes;
  }

  /** Instant at which a bar's interval begins. */
  startOf(bar: number): Instant {
    const time = this.#times[bar]!;
    if (this.#barTimes === 'start' || this.#interval === undefined) return time;
    return Math.max(addInterval(time, this.#interval, -1), this.#times[bar - 1] ?? Number.NEGATIVE_INFINITY);
  }

  /** Instant at which a bar's interval has ended and the bar becomes visible. */
  endOf(bar: number): Instant {
    const time = this.#times[bar]!;
    if (this.#barTimes === 'end' || this.#interval === undefined) return time;
    return Math.min(addInterval(time, this.#interval), this.#times[bar + 1] ?? Number.POSITIVE_INFINITY);
  }
}

/**
 * Reads a series outside the clock forward in time. Returns the open of a bar only after the bar has begun,
 * and its other values only after it has ended.
 */
export class EndedBars {
  readonly #series: BarSeries;
  readonly #bounds: BarBounds;
  /** True if a bar's length is known. Otherwise a bar counts as ended only when the next one begins. */
  readonly #isMeasured: boolean;
  readonly #barTimes: BarTimes;
  /** Index of the first bar that had not ended at the last call. */
  #next = 0;

  constructor(series: BarSeries, barTimes: BarTimes) {
    const interval = intervalOf(series);
    this.#series = series;
    this.#bounds = new BarBounds({ clock: series.time, interval }, barTimes);
    this.#isMeasured = interval !== undefined;
    this.#barTimes = barTimes;
  }

  /** Number of bars that have ended at an instant. Instants must not decrease. */
  endedAt(instant: Instant): number {
    const { time } = this.#series;
    while (this.#next < time.length && this.endOf(this.#next) <= instant) this.#next += 1;
    return this.#next;
  }

  /** End of a bar. Infinity if its length is unknown. */
  endOf(bar: number): Instant {
    if (this.#series.ends !== undefined) return this.#series.ends[bar] ?? Number.POSITIVE_INFINITY;
    if (this.#isMeasured || this.#barTimes === 'end') return this.#bounds.endOf(bar);
    return Number.POSITIVE_INFINITY;
  }

  /**
   * Returns the open of the current bar, or else the close of the newest ended bar. NaN before the first bar.
   *
   * @param moment `open` includes a bar that begins at this instant, `close` does not
   */
  priceAt(instant: Instant, moment: 'open' | 'close'): number {
    const { open, close, time } = this.#series;
    const ended = this.endedAt(instant);
    const began = ended < time.length ? this.#bounds.startOf(ended) : Number.POSITIVE_INFINITY;
    if (moment === 'open' ? began <= instant : began < instant) return open[ended]!;
    return ended > 0 ? close[ended - 1]! : Number.NaN;
  }
}
