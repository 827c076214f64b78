import type { MaskCalendar, TimeSteps } from '../engine/index.ts';
import { DAY, type Instant, type Random } from '../kernel/index.ts';
import {
  addInterval,
  BarBounds,
  type Interval,
  intervalText,
  type Market,
  parseInterval,
  type SessionTerms,
  tradingDays,
} from '../market/index.ts';

const SECOND = 1_000;

/**
 * Maps instants between the real and the masked calendar. Contains pairs of instants in rising order and
 * interpolates between two pairs, so the order of instants is preserved.
 */
class TimeMap {
  readonly #real: Float64Array;
  readonly #shown: Float64Array;

  constructor(real: Float64Array, shown: Float64Array) {
    this.#real = real;
    this.#shown = shown;
  }

  /**
   * Returns the masked instant in whole milliseconds.
   *
   * @param round direction of rounding, for an instant between two pairs. `Math.ceil` assigns the instant to
   *   the later pair, `Math.floor` to the earlier pair
   */
  shown(time: Instant, round: (value: number) => number = Math.ceil): Instant {
    return round(between(this.#real, this.#shown, time));
  }

  /**
   * Returns the real instant. The result is exact if the real instant is a whole second, although masked
   * instants are rounded to milliseconds.
   */
  real(time: Instant): Instant {
    const found = between(this.#shown, this.#real, time);
    const second = Math.round(found / SECOND) * SECOND;
    return this.shown(second) === time || this.shown(second, Math.floor) === time
      ? second
      : Math.round(found);
  }
}

/**
 * Interpolates linearly between two mapped instants. Before the first and after the last mapped instant, the
 * distance to this instant is preserved.
 */
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

/**
 * Real and masked calendar of a mask. The length of a bar may differ between the two calendars. Starts, ends
 * and other instants are therefore converted by different maps.
 */
export class CalendarMap {
  readonly real: Float64Array;
  readonly shown: Float64Array;
  /** Maps the times that the data states for bars: starts or ends, as given by `barTimes`. */
  readonly stamps: TimeMap;
  /** Maps the starts of bars. Used for the dates of the universe, if bars are shorter than a day. */
  readonly starts: TimeMap;
  /** Maps the ends of bars. Used for the times at which data becomes visible. */
  readonly ends: TimeMap;
  /** Maps the starts and ends of bars. Used for instants within a bar. */
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
   * Returns the masked instant from which a setting applies. In the real and the masked calendar, the setting
   * then applies from the same bar.
   */
  inForce(time: Instant): Instant {
    return this.stamps.shown(time, this.barTimes === 'end' ? Math.floor : Math.ceil);
  }
}

const HOUR = DAY / 24;
/** Minimum length of bars whose times are whole days, in milliseconds. Shorter bars have a time of day. */
const LONG = 20 * HOUR;
/**
 * First year in which a synthetic calendar may begin, number of possible start years, and latest end of the
 * calendar. pandas supports instants until 2262.
 */
const [FIRST_YEAR, YEARS, LAST] = [2100, 28, Date.UTC(2255, 0, 1)];
/**
 * Maximum length of a session that begins at `OPENS` (09:00 UTC), in milliseconds. Longer sessions begin at
 * midnight.
 */
const [SESSION, OPENS] = [14 * HOUR, 9 * HOUR];

/**
 * Returns a calendar without holidays for a market's bars. Each trading day becomes the next day from Monday
 * to Friday; weekly bars remain weekly and monthly bars monthly.
 *
 * Within a trading day, the distances between bars are preserved. The first bar of a day begins at 09:00 UTC,
 * or at midnight if the longest trading day has more than 14 hours.
 */
export function syntheticCalendar(
  { clock, interval }: Pick<Market, 'clock' | 'interval'>,
  { session, barTimes }: { readonly session?: SessionTerms | undefined; readonly barTimes: 'start' | 'end' },
  random: Random,
): MaskCalendar {
  const span = (clock.at(-1) ?? 0) - (clock[0] ?? 0);
  const drawn = Date.UTC(FIRST_YEAR, 0, 1) + random.integer(0, YEARS * 365) * DAY;
  // `1.5 * span` is an upper limit of the calendar's length. The removal of holidays shortens the calendar.
  // Moving days away from weekends extends it by at most two fifths.
  const first = weekday(Math.min(drawn, Math.floor((LAST - 1.5 * span) / DAY) * DAY));
  const days =
    interval === undefined || interval.milliseconds < LONG
      ? daysOf(clock, first, { interval, barTimes, dayOf: dayIn(session, barTimes, interval) })
      : undefined;
  const shown = days?.shown ?? longBars(clock, first, interval!);
  return {
    real: writeSteps(clock),
    shown: writeSteps(shown),
    ...(interval === undefined ? {} : { interval: intervalText(interval) }),
    ...(days === undefined ? {} : { hours: days.hours }),
    barTimes,
  };
}

function longBars(clock: Float64Array, first: Instant, interval: Interval): Float64Array {
  if (interval.milliseconds === DAY) return stepped(clock, first, (time) => weekday(time + DAY));
  const begin = interval.months === undefined ? first : monthOf(first);
  return stepped(clock, begin, (time) => addInterval(time, interval));
}

/** Returns the day itself, or the Monday after a weekend. */
function weekday(time: Instant): Instant {
  const day = new Date(time).getUTCDay();
  return time + (day === 6 ? 2 : day === 0 ? 1 : 0) * DAY;
}

function monthOf(time: Instant): Instant {
  const date = new Date(time);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
}

function stepped(clock: Float64Array, first: Instant, next: (time: Instant) => Instant): Float64Array {
  let time = first;
  return clock.map((_, bar) => {
    if (bar > 0) time = next(time);
    return time;
  });
}

function dayIn(
  session: SessionTerms | undefined,
  barTimes: 'start' | 'end',
  interval: Interval | undefined,
): (time: Instant) => number {
  const days = tradingDays(session, barTimes, interval);
  return (time) => days.dayOf(time);
}

interface Days {
  readonly interval: Interval | undefined;
  readonly barTimes: 'start' | 'end';
  readonly dayOf: (time: Instant) => number;
}

function daysOf(
  clock: Float64Array,
  first: Instant,
  { interval, barTimes, dayOf }: Days,
): { readonly shown: Float64Array; readonly hours: string } {
  const length = interval?.milliseconds ?? 0;
  const begins = clock.slice();
  let longest = 0;
  for (let bar = 1; bar < clock.length; bar++) {
    if (dayOf(clock[bar]!) === dayOf(clock[bar - 1]!)) begins[bar] = begins[bar - 1]!;
    longest = Math.max(longest, clock[bar]! - begins[bar]! + length);
  }
  const isShort = longest <= SESSION;
  const opens = (isShort ? OPENS : 0) + (barTimes === 'end' ? length : 0);
  let [day, end] = [first, first];
  const shown = clock.map((time, bar) => {
    // A session may span several days, for example if weekend trading belongs to the following session. The
    // next session begins on the first weekday after its end.
    if (bar > 0 && begins[bar] !== begins[bar - 1])
      day = weekday(Math.max(day + DAY, Math.ceil(end / DAY) * DAY));
    const at = day + opens + time - begins[bar]!;
    end = at + (barTimes === 'end' ? 0 : length);
    return at;
  });
  return { shown, hours: isShort ? '09:00-23:00' : '00:00-24:00' };
}

/**
 * Encodes rising instants as the first instant and the steps between instants. The result is short, because
 * most steps of a calendar are equal.
 */
export function writeSteps(times: ArrayLike<number>): TimeSteps {
  const steps = Array.from(
    { length: Math.max(0, times.length - 1) },
    (_, bar) => times[bar + 1]! - times[bar]!,
  );
  const unit = steps.reduce(gcd, 0) || 1;
  const parts: string[] = [];
  for (let at = 0; at < steps.length; ) {
    let end = at + 1;
    while (steps[end] === steps[at]) end++;
    const own = String(steps[at]! / unit);
    parts.push(end - at === 1 ? own : `${own}x${end - at}`);
    at = end;
  }
  return { first: times[0] ?? 0, unit, steps: parts.join(' ') };
}

/** Decodes the result of `writeSteps`. */
export function readSteps({ first, unit, steps }: TimeSteps): Float64Array {
  const times = [first];
  let time = first;
  for (const part of steps === '' ? [] : steps.split(' ')) {
    const [step = 0, count = 1] = part.split('x').map(Number);
    for (let index = 0; index < count; index++) {
      time += step * unit;
      times.push(time);
    }
  }
  return Float64Array.from(times);
}

function gcd(one: number, other: number): number {
  return other === 0 ? one : gcd(other, one % other);
}
