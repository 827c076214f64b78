import { DAY, type Instant } from '../../kernel/index.ts';
import type { BarBounds } from '../ended-bars.ts';
import { addInterval, type BarTimes } from '../interval.ts';
import type { Market } from '../market.ts';
import type { Stamp } from '../stamps.ts';
import type { FeatureTable } from './table.ts';

/** Minimum length of bars whose times are dates: nearly a day. */
const LONG = 0.8 * DAY;

/**
 * Publication times of rows relative to the bars of a market. A row without its own time becomes visible when
 * the bar of its date has ended.
 */
export class KnownAt {
  readonly #clock: Float64Array;
  readonly #interval: Market['interval'];
  readonly #bounds: BarBounds;
  readonly #barTimes: BarTimes;

  constructor(
    { clock, interval }: Pick<Market, 'clock' | 'interval'>,
    bounds: BarBounds,
    barTimes: BarTimes,
  ) {
    this.#clock = clock;
    this.#interval = interval;
    this.#bounds = bounds;
    this.#barTimes = barTimes;
  }

  /** Time at which a row of a table becomes visible. */
  of({ dates, known, lag }: FeatureTable, row: number): Instant {
    const given = known[row];
    if (given !== undefined) return this.ofStamp(given);
    const end = this.#endOf(dates[row]!);
    return lag === undefined ? end : addInterval(end, lag);
  }

  /** An instant is used as given. A day without a time counts as published when the day is over. */
  ofStamp(given: Stamp): Instant {
    return given.wholeDay ? this.#endOf(given) : given.instant;
  }

  /** End of the bar of a date. If the date has no bar, the time at which such a bar would have ended. */
  #endOf({ instant, wholeDay, over }: Stamp): Instant {
    return wholeDay ? this.#endOfDay(instant, over) : this.#endOfInstant(instant);
  }

  /**
   * @param local end of the day in the time zone of the data. Not used for daily bars, which are identified
   *   by their day
   */
  #endOfDay(day: Instant, local: Instant | undefined): Instant {
    const over = day + DAY;
    if (this.#interval === undefined || this.#interval.milliseconds < LONG) return local ?? over;
    const last = this.#lastBefore(over);
    const stamp = this.#clock[last];
    // A bar stamped with that day is the bar of that day, so its end is used.
    if (stamp !== undefined && stamp >= day) return this.#bounds.endOf(last);
    return Math.max(over, this.#containing(day) ?? over);
  }

  #endOfInstant(instant: Instant): Instant {
    const end = this.#containing(instant);
    if (end !== undefined) return end;
    if (this.#barTimes === 'end' || this.#interval === undefined) return instant;
    return addInterval(instant, this.#interval);
  }

  /** End of the bar that contains an instant. */
  #containing(instant: Instant): Instant | undefined {
    const bar = this.#barTimes === 'start' ? this.#lastBefore(instant + 1) : this.#lastBefore(instant) + 1;
    if (bar < 0 || bar >= this.#clock.length) return undefined;
    const [start, end] = [this.#bounds.startOf(bar), this.#bounds.endOf(bar)];
    const isInside =
      this.#barTimes === 'start' ? start <= instant && instant <= end : start < instant && instant <= end;
    return isInside ? end : undefined;
  }

  /** Index of the last bar whose time is before an instant. -1 without such a bar. */
  #lastBefore(instant: Instant): number {
    let [low, high] = [0, this.#clock.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#clock[middle]! < instant) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }
}
