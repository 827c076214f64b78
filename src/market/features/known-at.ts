import { DAY, type Instant } from '../../kernel/index.ts';
import type { BarBounds } from '../ended-bars.ts';
import { addInterval, type BarTimes } from '../interval.ts';
import type { Market } from '../market.ts';
import type { Stamp } from '../stamps.ts';
import type { FeatureTable } from './table.ts';

/** Bars of a day and more: their stamp names days rather than times. */
const LONG = 0.8 * DAY;

/** When rows could be known, by the bars of a market: never before the bar of their date has ended. */
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

  /** When a row of a table was known. */
  of({ dates, known, lag }: FeatureTable, row: number): Instant {
    const given = known[row];
    if (given !== undefined) return this.ofStamp(given);
    const end = this.#endOf(dates[row]!);
    return lag === undefined ? end : addInterval(end, lag);
  }

  /** An instant is meant as it stands; of a day alone nobody knows the hour, so it counts when it is over. */
  ofStamp(given: Stamp): Instant {
    return given.wholeDay ? this.#endOf(given) : given.instant;
  }

  /** When the bar of a date has ended; where there is none, when it would have. */
  #endOf({ instant, wholeDay, over }: Stamp): Instant {
    return wholeDay ? this.#endOfDay(instant, over) : this.#endOfInstant(instant);
  }

  /** @param local when it is over on the clocks that times were read from: bars of a day are named by days instead */
  #endOfDay(day: Instant, local: Instant | undefined): Instant {
    const over = day + DAY;
    if (this.#interval === undefined || this.#interval.milliseconds < LONG) return local ?? over;
    const last = this.#lastBefore(over);
    const stamp = this.#clock[last];
    // A bar stamped with that day is the bar of that day, and has its end.
    if (stamp !== undefined && stamp >= day) return this.#bounds.endOf(last);
    return Math.max(over, this.#containing(day) ?? over);
  }

  #endOfInstant(instant: Instant): Instant {
    const end = this.#containing(instant);
    if (end !== undefined) return end;
    if (this.#barTimes === 'end' || this.#interval === undefined) return instant;
    return addInterval(instant, this.#interval);
  }

  /** The end of the bar that an instant lies in. */
  #containing(instant: Instant): Instant | undefined {
    const bar = this.#barTimes === 'start' ? this.#lastBefore(instant + 1) : this.#lastBefore(instant) + 1;
    if (bar < 0 || bar >= this.#clock.length) return undefined;
    const [start, end] = [this.#bounds.startOf(bar), this.#bounds.endOf(bar)];
    const isInside =
      this.#barTimes === 'start' ? start <= instant && instant <= end : start < instant && instant <= end;
    return isInside ? end : undefined;
  }

  /** The last bar whose stamp is before an instant; -1 where none is. */
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
