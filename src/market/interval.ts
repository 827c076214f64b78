import { AppError, DAY, type Instant } from '../kernel/index.ts';

/** How long a bar lasts: so many milliseconds, or so many calendar months. */
export interface Interval {
  /** Of months: their mean length. */
  readonly milliseconds: number;
  readonly months?: number;
}

/** What a bar's time means: its beginning, or its end (the time of its last finer bar counts as its end). */
export type BarTimes = 'start' | 'end';

/** A series' interval as its steps tell it. */
export interface InferredInterval {
  readonly interval: Interval;
  /** False where there are too few bars to know a short step from a long gap. */
  readonly sure: boolean;
  /** Whether half of the steps or more are the interval. */
  readonly regular: boolean;
  /** The shortest step between two bars, in milliseconds. */
  readonly shortest: number;
}

const UNITS = { ms: 1, s: 1_000, min: 60_000, h: 3_600_000, d: DAY, w: 7 * DAY } as const;
const WORDS = { ms: 'ms', s: 'second', min: 'minute', h: 'hour', d: 'day', w: 'week' } as const;
const MONTH = 30.436_875 * DAY;
/** A step of 27 days and more is a number of months: 31 January to 27 February, the last trading days. */
const SHORTEST_MONTH = 27 * DAY;
/** A day with a change of the clock, or stamped at a close that wanders. */
const DAY_FROM = 20 * 3_600_000;
const DAY_TO = 28 * 3_600_000;
const WEEK_FROM = 6.5 * DAY;
const WEEK_TO = 7.5 * DAY;
/** Below this number of steps, days without a bar cannot be told from bars of several days. */
const FEW_STEPS = 6;
/** Two intervals that differ by less than this are one. */
const TOLERANCE = 0.05;

/**
 * Reads an interval: a count and a unit.
 *
 * @param text `5min`, `1h`, `1d`, `1w`, `1mo`; units ms, s, min, h, d, w, mo
 * @throws AppError `bad_rule` for any other text
 */
export function parseInterval(text: string): Interval {
  const match = /^([1-9]\d{0,11})(ms|s|min|h|d|w|mo)$/.exec(text.trim().toLowerCase());
  if (match === null) {
    throw new AppError({
      code: 'bad_rule',
      message: `"${text}" is no bar length.`,
      hint: 'Write a count and a unit: 30s, 5min, 1h, 1d, 1w or 1mo.',
    });
  }
  const count = Number(match[1]);
  const unit = match[2] as keyof typeof UNITS | 'mo';
  return unit === 'mo'
    ? { milliseconds: count * MONTH, months: count }
    : { milliseconds: count * UNITS[unit] };
}

/** As `parseInterval` reads it: `1h`. */
export function intervalText(interval: Interval): string {
  const { count, unit } = inLargestUnit(interval);
  return `${count}${unit}`;
}

/** For messages: `1 hour`, `3 months`. */
export function intervalWords(interval: Interval): string {
  const { count, unit } = inLargestUnit(interval);
  const word = unit === 'mo' ? 'month' : WORDS[unit];
  return `${count} ${word}${count === 1 || unit === 'ms' ? '' : 's'}`;
}

function inLargestUnit({ milliseconds, months }: Interval): {
  readonly count: number;
  readonly unit: keyof typeof UNITS | 'mo';
} {
  if (months !== undefined) return { count: months, unit: 'mo' };
  const units = (Object.keys(UNITS) as (keyof typeof UNITS)[]).reverse();
  const unit = units.find((one) => milliseconds % UNITS[one] === 0) ?? 'ms';
  return { count: milliseconds / UNITS[unit], unit };
}

/** Whether bars of two intervals can stand side by side. */
export function isSameInterval(a: Interval, b: Interval): boolean {
  if (a.months !== undefined || b.months !== undefined) return a.months === b.months;
  return Math.abs(a.milliseconds - b.milliseconds) <= TOLERANCE * Math.max(a.milliseconds, b.milliseconds);
}

/** The instant an interval after another, months by the calendar: the last day of a month to the last day of the next. */
export function addInterval(instant: Instant, { milliseconds, months }: Interval, sign: 1 | -1 = 1): Instant {
  if (months === undefined) return instant + sign * milliseconds;
  const date = new Date(instant);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + sign * months];
  const isLast = date.getUTCDate() === daysOf(date.getUTCFullYear(), date.getUTCMonth());
  const day = isLast ? daysOf(year, month) : Math.min(date.getUTCDate(), daysOf(year, month));
  const midnight = Date.UTC(year, month, day);
  return midnight + (((instant % DAY) + DAY) % DAY);
}

/** @param month from 0, and beyond a year's own on either side */
function daysOf(year: number, month: number): number {
  return new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
}

// A series keeps its column of times, and a market is checked more often than it is loaded.
const inferred = new WeakMap<Float64Array, InferredInterval | null>();

/**
 * How long a series' bars last, by the steps between them: the step that most of them take, else the shortest one that is
 * no rarity. Nights, weekends, holidays and single stub bars change nothing.
 *
 * @param time strictly increasing
 * @returns undefined with fewer than two bars
 */
export function inferInterval(time: Float64Array): InferredInterval | undefined {
  const known = inferred.get(time);
  if (known !== undefined) return known ?? undefined;
  const found = inferAnew(time);
  inferred.set(time, found ?? null);
  return found;
}

function inferAnew(time: Float64Array): InferredInterval | undefined {
  const counts = countSteps(time);
  const total = time.length - 1;
  if (total < 1) return undefined;
  const steps = [...counts.keys()].sort((a, b) => a - b);
  let usual = steps[0]!;
  for (const step of steps) if (counts.get(step)! > counts.get(usual)!) usual = step;
  const isRegular = counts.get(usual)! >= total / 2;
  const step = isRegular ? usual : irregularStep(steps, counts, total);
  return {
    interval: nominal(step, isRegular, total),
    regular: isRegular,
    shortest: steps[0]!,
    sure: total >= FEW_STEPS || (isRegular && counts.get(usual)! >= 2),
  };
}

function countSteps(time: Float64Array): Map<number, number> {
  const counts = new Map<number, number>();
  let [step, run] = [Number.NaN, 0];
  // Equal steps come in rows: one look-up a row.
  for (let index = 1; index < time.length; index++) {
    const own = time[index]! - time[index - 1]!;
    if (own === step) {
      run++;
      continue;
    }
    if (run > 0) counts.set(step, (counts.get(step) ?? 0) + run);
    step = own;
    run = 1;
  }
  if (run > 0) counts.set(step, (counts.get(step) ?? 0) + run);
  return counts;
}

/** Of steps of which none is half of all. */
function irregularStep(steps: readonly number[], counts: ReadonlyMap<number, number>, total: number): number {
  const frequent = steps.find((step) => counts.get(step)! >= Math.max(2, 0.05 * total));
  if (frequent !== undefined) return frequent;
  const below = (share: number): number => {
    let sum = 0;
    return steps.find((step) => {
      sum += counts.get(step)!;
      return sum >= share * total;
    })!;
  };
  const middle = below(0.5);
  // Steps of all lengths: bars that are often missing. Steps of about one length: stamps that wander.
  if (below(0.05) < middle / 2) return steps.find((step) => counts.get(step)! >= 2) ?? steps[0]!;
  return middle;
}

function nominal(step: number, isRegular: boolean, total: number): Interval {
  if (step >= SHORTEST_MONTH) {
    const months = Math.max(1, Math.round(step / MONTH));
    return { milliseconds: months * MONTH, months };
  }
  if (step >= DAY_FROM && step <= DAY_TO) return { milliseconds: DAY };
  if (step >= WEEK_FROM && step <= WEEK_TO) return { milliseconds: 7 * DAY };
  // Two to six days: daily bars with holes in them, unless many bars say otherwise.
  const severalDays = step > DAY_TO && step < WEEK_FROM;
  return { milliseconds: severalDays && (!isRegular || total < FEW_STEPS) ? DAY : step };
}
