import type { MaskCalendar } from '../engine/index.ts';
import { DAY, type Instant, type Random } from '../kernel/index.ts';
import {
  addInterval,
  type Interval,
  intervalText,
  type Market,
  type SessionTerms,
  tradingDays,
} from '../market/index.ts';
import { writeSteps } from './time-steps.ts';

const HOUR = DAY / 24;
/** Bars of at least this length are stamped with days, shorter ones with times. */
const LONG = 20 * HOUR;
/**
 * First year and number of years in which a synthetic calendar may begin, and its latest end. pandas supports
 * instants until 2262.
 */
const [FIRST_YEAR, YEARS, LAST] = [2100, 28, Date.UTC(2255, 0, 1)];
/** Sessions of up to `SESSION` begin at `OPENS` (09:00), longer ones at midnight. */
const [SESSION, OPENS] = [14 * HOUR, 9 * HOUR];

/**
 * Moves a market's bars to a calendar without holidays. Each trading day becomes the next day from Monday to
 * Friday; weeks stay weeks and months stay months.
 *
 * Within a day, the distances between bars are preserved. The first bar is at 09:00 UTC, or at midnight if
 * days are longer than 14 hours.
 */
export function syntheticCalendar(
  { clock, interval }: Pick<Market, 'clock' | 'interval'>,
  { session, barTimes }: { readonly session?: SessionTerms | undefined; readonly barTimes: 'start' | 'end' },
  random: Random,
): MaskCalendar {
  const span = (clock.at(-1) ?? 0) - (clock[0] ?? 0);
  const drawn = Date.UTC(FIRST_YEAR, 0, 1) + random.integer(0, YEARS * 365) * DAY;
  // Removing holidays shortens the calendar, and moving days from weekends extends it by at most two fifths.
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
    // Trading at a weekend may belong to the following session, which then spans several days.
    if (bar > 0 && begins[bar] !== begins[bar - 1])
      day = weekday(Math.max(day + DAY, Math.ceil(end / DAY) * DAY));
    const at = day + opens + time - begins[bar]!;
    end = at + (barTimes === 'end' ? 0 : length);
    return at;
  });
  return { shown, hours: isShort ? '09:00-23:00' : '00:00-24:00' };
}
