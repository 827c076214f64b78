import type { MaskCalendar } from '../engine/index.ts';
import type { Instant } from '../kernel/index.ts';
import { BarBounds, parseInterval } from '../market/index.ts';
import { readSteps } from './time-steps.ts';

const SECOND = 1_000;

/**
 * Maps rising instants of the real calendar to those of the masked one. Instants in between are interpolated,
 * so the order is preserved.
 */
export class TimeMap {
  readonly #real: Float64Array;
  readonly #shown: Float64Array;

  constructor(real: Float64Array, shown: Float64Array) {
    this.#real = real;
    this.#shown = shown;
  }

  /**
   * @param round rounds up if an instant belongs to the next point, down if it belongs to the previous point
   */
  shown(time: Instant, round: (value: number) => number = Math.ceil): Instant {
    return round(between(this.#real, this.#shown, time));
  }

  /** Returns the real instant. Exact for whole seconds, although masked instants are whole milliseconds. */
  real(time: Instant): Instant {
    const found = between(this.#shown, this.#real, time);
    const second = Math.round(found / SECOND) * SECOND;
    return this.shown(second) === time || this.shown(second, Math.floor) === time
      ? second
      : Math.round(found);
  }
}

/** Interpolates. Before the first and after the last point, the distance to that point is preserved. */
function between(from: Float64Array, to: Float64Array, time: Instant): number {
  const last = from.length - 1;
  if (last < 0) return time;
  if (time <= from[0]!) return to[0]! - (from[0]! - time);
  if (time >= from[last]!) return to[last]! + (time - from[last]!);
  let [low, high] = [0, last];
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if (from[middle]! <= time) low = middle;
    else high = middle;
  }
  const [a, b] = [from[low]!, from[high]!];
  return to[low]! + ((time - a) * (to[high]! - to[low]!)) / (b - a);
}

/** Calendar of a mask, with one map for each kind of instant. */
export class CalendarMap {
  readonly real: Float64Array;
  readonly shown: Float64Array;
  /** Maps the stamps of bars. */
  readonly stamps: TimeMap;
  /** Maps the starts of bars. For settings that take effect at an instant. */
  readonly starts: TimeMap;
  /** Maps the ends of bars. For the time at which data become visible. */
  readonly ends: TimeMap;
  /** Maps starts and ends. For instants within a bar. */
  readonly inside: TimeMap;
  readonly barTimes: 'start' | 'end';

  constructor({ real, shown, interval: text, barTimes }: MaskCalendar) {
    this.real = readSteps(real);
    this.shown = readSteps(shown);
    this.barTimes = barTimes;
    const interval = text === undefined ? undefined : parseInterval(text);
    const [realBounds, shownBounds] = [this.real, this.shown].map(
      (clock) => new BarBounds({ clock, interval }, barTimes),
    );
    const at = (bounds: BarBounds, of: 'startOf' | 'endOf'): Float64Array =>
      this.real.map((_, bar) => bounds[of](bar));
    this.stamps = new TimeMap(this.real, this.shown);
    this.starts = new TimeMap(at(realBounds!, 'startOf'), at(shownBounds!, 'startOf'));
    this.ends = new TimeMap(at(realBounds!, 'endOf'), at(shownBounds!, 'endOf'));
    const both = (bounds: BarBounds): Float64Array =>
      Float64Array.from([...this.real].flatMap((_, bar) => [bounds.startOf(bar), bounds.endOf(bar)]));
    this.inside = new TimeMap(both(realBounds!), both(shownBounds!));
  }

  /**
   * Returns the masked instant from which a setting applies. The setting takes effect at the same bar as in
   * reality.
   */
  inForce(time: Instant): Instant {
    return this.stamps.shown(time, this.barTimes === 'end' ? Math.floor : Math.ceil);
  }
}
