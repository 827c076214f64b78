import { AppError, DAY, type Instant, nearest } from '../../kernel/index.ts';

/** Length of a bar: a number of milliseconds, or a number of calendar months. */
export interface Interval {
  /** Length in milliseconds. For calendar months, their average length. */
  readonly milliseconds: number;
  readonly months?: number;
}

/**
 * Meaning of a bar's time: its start or its end. Use `end` also for long bars that have the time of their
 * last short bar, such as weeks with the date of their Friday.
 */
export type BarTimes = 'start' | 'end';

/** Interval of a series, inferred from the times between consecutive bars (steps). */
interface InferredInterval {
  readonly interval: Interval;
  /** False if there are too few steps to be certain: the interval may be a gap between shorter bars. */
  readonly sure: boolean;
  /** True if at least half of the steps equal the interval. */
  readonly regular: boolean;
  /** Shortest step between two bars, in milliseconds. */
  readonly shortest: number;
}

const UNITS = { ms: 1, s: 1_000, min: 60_000, h: 3_600_000, d: DAY, w: 7 * DAY } as const;
const WORDS = { ms: 'ms', s: 'second', min: 'minute', h: 'hour', d: 'day', w: 'week' } as const;
const MONTH = 30.436_875 * DAY;
/**
 * Shortest step that is treated as a month. Bars stamped with the last trading day of each month can be 27
 * days apart: 31 January to 27 February.
 */
const SHORTEST_MONTH = 27 * DAY;
/**
 * Shortest step that is treated as a day. A clock change or varying closing times can make a step between two
 * daily bars shorter than 24 hours.
 */
const DAY_FROM = 20 * 3_600_000;
const DAY_TO = 28 * 3_600_000;
const WEEK_FROM = 6.5 * DAY;
const WEEK_TO = 7.5 * DAY;
/**
 * Minimum number of steps for a reliable result. With fewer steps, daily bars with missing days cannot be
 * distinguished from bars of several days.
 */
const FEW_STEPS = 6;
/** Relative difference up to which two intervals count as equal. */
const TOLERANCE = 0.05;

/**
 * Parses an interval: a count and a unit.
 *
 * @param text `5min`, `1h`, `1d`, `1w`, `1mo`; units ms, s, min, h, d, w, mo
 * @throws AppError `bad_rule` for any other text
 */
export function parseInterval(text: string): Interval {
  const match = /^([1-9]\d{0,11})(ms|s|min|h|d|w|mo)$/.exec(text.trim().toLowerCase());
  if (match === null) {
    throw new AppError({
      code: 'bad_rule',
      message: `"${text}" is not a bar length.`,
      hint: 'Write a count and a unit: 30s, 5min, 1h, 1d, 1w or 1mo.',
    });
  }
  const count = Number(match[1]);
  const unit = match[2] as keyof typeof UNITS | 'mo';
  return unit === 'mo'
    ? { milliseconds: count * MONTH, months: count }
    : { milliseconds: count * UNITS[unit] };
}

/** Formats an interval as text that `parseInterval` reads, for example `1h`. */
export function intervalText(interval: Interval): string {
  const { count, unit } = inLargestUnit(interval);
  return `${count}${unit}`;
}

/** Formats an interval for messages: `1 hour`, `3 months`. */
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

/**
 * Returns true if two intervals are equal within `TOLERANCE`. Months equal only the same number of months.
 */
export function isSameInterval(a: Interval, b: Interval): boolean {
  if (a.months !== undefined || b.months !== undefined) return a.months === b.months;
  return Math.abs(a.milliseconds - b.milliseconds) <= TOLERANCE * Math.max(a.milliseconds, b.milliseconds);
}

/**
 * Returns the instant one interval later (or earlier). Months follow the calendar: the last day of a month
 * becomes the last day of the resulting month.
 */
export function addInterval(instant: Instant, { milliseconds, months }: Interval, sign: 1 | -1 = 1): Instant {
  if (months === undefined) return instant + sign * milliseconds;
  const date = new Date(instant);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + sign * months];
  const isLast = date.getUTCDate() === daysOf(date.getUTCFullYear(), date.getUTCMonth());
  const day = isLast ? daysOf(year, month) : Math.min(date.getUTCDate(), daysOf(year, month));
  const midnight = Date.UTC(year, month, day);
  return midnight + (((instant % DAY) + DAY) % DAY);
}

/**
 * Returns the number of days of a month.
 *
 * @param month from 0 (January). Other values are months of other years: 12 is January of the next year
 */
function daysOf(year: number, month: number): number {
  return new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
}

// Inferred intervals by time column. Cached, because the same column is inferred several times.
const inferred = new WeakMap<Float64Array, InferredInterval | null>();

/**
 * Infers the length of a series' bars from its steps (times between consecutive bars). Returns the most
 * frequent step if at least half of the steps equal it, otherwise the shortest step that is not rare. Nights,
 * weekends, holidays and single partial bars have no effect.
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
  // Equal steps are usually adjacent, so consecutive equal steps are counted with one look-up.
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

/** Returns the typical step of a series in which no length makes up at least half of all steps. */
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
  // If the 5 % quantile of the steps is less than half of their median, bars are missing. The interval is
  // then the shortest repeated step. Otherwise the steps vary around the median.
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
  // Irregular steps between a day and a week are daily bars with missing days. Regular steps of this length
  // are also treated as daily bars if there are too few to be sure.
  const severalDays = step > DAY_TO && step < WEEK_FROM;
  return { milliseconds: severalDays && (!isRegular || total < FEW_STEPS) ? DAY : step };
}

// First Monday in days since 1970-01-01, which was a Thursday.
const FIRST_MONDAY = 4;

/** Assigns bars to groups by their times. A group is combined into one long bar when its end has passed. */
export interface Grouping {
  readonly groupOf: (time: Instant) => number;
  readonly endOf: (time: Instant) => Instant;
}

/**
 * Parses a rule such as `4h`. Returns its unit, its length, and a day on which a group begins, in days since
 * 1970.
 */
export function readRule(rule: string): Interval & { readonly unit: string; readonly firstDay: number } {
  const unit = rule.trim().toLowerCase().replace(/^\d+/, '');
  return { ...parseInterval(rule), unit, firstDay: unit === 'w' ? FIRST_MONDAY : 0 };
}

/** Returns the number of months since the year 0. */
export function monthOf(time: Instant): number {
  const date = new Date(time);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

/**
 * Returns the grouping of bars by a rule such as `4h`. Groups start in UTC at whole multiples of the rule's
 * length. Weeks start on Monday, months on the first day.
 *
 * @throws AppError `bad_rule` for an invalid rule
 */
export function groupingBy(rule: string): Grouping {
  const { milliseconds, months, firstDay } = readRule(rule);
  if (months !== undefined) {
    const groupOf = (time: Instant): number => Math.floor(monthOf(time) / months);
    return {
      groupOf,
      endOf: (time) => {
        const end = (groupOf(time) + 1) * months;
        return Date.UTC(Math.floor(end / 12), end % 12);
      },
    };
  }
  const first = firstDay * DAY;
  const groupOf = (time: Instant): number => Math.floor((time - first) / milliseconds);
  return { groupOf, endOf: (time) => first + (groupOf(time) + 1) * milliseconds };
}

/** Returns the error for an unknown symbol of a context series. */
export function unknownContext(symbol: string, known: readonly string[]): AppError {
  return unknown(
    'unknown_context',
    'context series',
    symbol,
    known,
    'Give the run files of series that are not traded with --context, or `context` in code.',
  );
}

/** Returns the error for an unknown name of a feature. */
export function unknownFeature(name: string, known: readonly string[]): AppError {
  return unknown(
    'unknown_feature',
    'feature',
    name,
    known,
    'Give the run a file of features with --features, or `features` in code.',
  );
}

function unknown(code: string, kind: string, name: string, known: readonly string[], none: string): AppError {
  const meant = nearest(name, known);
  const there = `There ${known.length === 1 ? 'is' : 'are'} ${known.join(', ')}${meant === undefined ? '' : `; did you mean ${meant}?`}`;
  return new AppError({
    code,
    message: `Unknown ${kind} ${name} in this run.`,
    hint: known.length === 0 ? none : there,
  });
}
