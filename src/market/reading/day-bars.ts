import { DAY } from '../../kernel/index.ts';
import type { BarSeries } from '../bars/bar-columns.ts';

/**
 * A day is checked if it has at least this number of bars, and of distinct closes, after its first bar. With
 * fewer, the prices of the first bar may equal those of the whole day by chance.
 */
const FEWEST_BARS = 4;
const FEWEST_CLOSES = 3;
/**
 * Minimum number of distinct prices of a day, without its first bar. With fewer, as with a coarse price step,
 * bars often reach the high and the low of the day by chance.
 */
const FEWEST_PRICES = 8;
/**
 * Rounding tolerance for equal prices: `ROUNDING` of the price, but at most `ROUNDING_OF_RANGE` of the day's
 * range.
 */
const ROUNDING = 1e-4;
const ROUNDING_OF_RANGE = 0.05;
/**
 * Near matches count if the first bar matches the whole day on at least `FEWEST_DAYS` of `SUCCESSIVE_DAYS`
 * successive days. Chance is then not a plausible explanation.
 */
const FEWEST_DAYS = 3;
const SUCCESSIVE_DAYS = 30;

/** Bar that covers a whole day, among the shorter bars of that day. */
export interface DayBar {
  /** Index in the series. */
  readonly index: number;
  /** Number of shorter bars of the day. They follow the bar. */
  readonly bars: number;
  /**
   * Number of days of the series with a bar of the whole day. Absent if the prices match the following bars
   * exactly.
   */
  readonly days?: number;
}

/**
 * First bar of a day, at `index`. The other bars of the day follow it up to, but not including, `end`. Their
 * highest and lowest prices are `top` and `bottom`.
 */
interface Day {
  readonly index: number;
  readonly end: number;
  readonly top: number;
  readonly bottom: number;
  readonly tolerance: number;
}

/**
 * Finds bars at the beginning of a UTC day that cover the whole day, in a series of shorter bars. A strategy
 * that saw such a bar at its time would know the rest of the day.
 *
 * One day is sufficient if the bar is stamped at midnight and its open, high, low and close equal those of
 * the following bars combined. A bar of the whole day may also replace the first shorter bar, and its prices
 * may be rounded. Several days must then show this pattern: the high and low of the first bar equal those of
 * the other bars combined, and its close is the close of the day. Differences by rounding are ignored.
 *
 * Reads each bar once, and a second time if days nearly match.
 */
export function dayBarsIn(series: BarSeries): DayBar[] {
  const found: DayBar[] = [];
  const days: Day[] = [];
  const holding: Day[] = [];
  const touching: number[] = [];
  for (const day of daysOf(series)) {
    const { index, end } = day;
    const ordinal = days.push(day);
    if (isExact(series, day)) found.push({ index, bars: end - index - 1 });
    if (!holdsDay(series, day)) continue;
    holding.push(day);
    if (touchesDay(series, day)) touching.push(ordinal);
  }
  const isDense = touching.some((ordinal, at) => touching[at + FEWEST_DAYS - 1]! - ordinal < SUCCESSIVE_DAYS);
  if (!isDense || touching.length <= chanceMatches(series, days)) return found;
  const exact = new Map(found.map((one) => [one.index, one]));
  return holding.map(
    ({ index, end }) => exact.get(index) ?? { index, bars: end - index - 1, days: holding.length },
  );
}

function* daysOf({ time, high, low, close }: BarSeries): Generator<Day> {
  let next: number;
  for (let index = 0; index < time.length; index = next) {
    next = index + 1;
    const midnight = (Math.floor(time[index]! / DAY) + 1) * DAY;
    // Days with a single bar are skipped before the `Set` below is created. Daily series would otherwise
    // create one `Set` per bar.
    if (!(time[next]! < midnight)) continue;
    let [top, bottom] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
    const closes = new Set<number>();
    for (; next < time.length && time[next]! < midnight; next++) {
      top = Math.max(top, high[next]!);
      bottom = Math.min(bottom, low[next]!);
      if (closes.size < FEWEST_CLOSES) closes.add(close[next]!);
    }
    if (next - index - 1 < FEWEST_BARS || closes.size < FEWEST_CLOSES) continue;
    const tolerance = Math.min(top * ROUNDING, (top - bottom) * ROUNDING_OF_RANGE);
    yield { index, end: next, top, bottom, tolerance };
  }
}

function isExact({ time, open, high, low, close }: BarSeries, { index, end, top, bottom }: Day): boolean {
  const isStampedAtMidnight = time[index]! % DAY === 0;
  const isRange = high[index] === top && low[index] === bottom;
  return isStampedAtMidnight && isRange && open[index] === open[index + 1] && close[index] === close[end - 1];
}

function holdsDay({ high, low, close }: BarSeries, { index, end, top, bottom, tolerance }: Day): boolean {
  const holds = high[index]! >= top - tolerance && low[index]! <= bottom + tolerance;
  return holds && Math.abs(close[index]! - close[end - 1]!) <= tolerance;
}

function touchesDay(series: BarSeries, { index, end, top, bottom, tolerance }: Day): boolean {
  const { high, low, close } = series;
  if (high[index]! > top + tolerance || low[index]! < bottom - tolerance) return false;
  const others = [high, low, close].flatMap((column) => [...column.subarray(index + 1, end)]);
  return new Set(others).size >= FEWEST_PRICES;
}

/**
 * Counts how often a bar that is not the first of its day matches the whole day. Such matches are chance.
 * They occur if prices have few distinct values, for example with pegged currencies.
 */
function chanceMatches({ high, low, close }: BarSeries, days: readonly Day[]): number {
  let matches = 0;
  for (const { index, end, top, bottom, tolerance } of days) {
    let [atTop, atBottom, both] = [0, 0, 0];
    for (let bar = index + 1; bar < end; bar++) {
      const isTop = high[bar]! >= top - tolerance;
      const isBottom = low[bar]! <= bottom + tolerance;
      if (isTop) atTop++;
      if (isBottom) atBottom++;
      if (isTop && isBottom && bar < end - 1 && Math.abs(close[bar]! - close[end - 1]!) <= tolerance) both++;
    }
    if (atTop > 1 && atBottom > 1) matches += both;
  }
  return matches;
}

/** Returns message and hint of the fault for a bar of a whole day. */
export function dayBarFault({ bars, days }: DayBar): { readonly message: string; readonly hint: string } {
  const why =
    days === undefined
      ? `its open, high, low and close are those of the ${bars} following bars`
      : `its range contains the ${bars} following bars and its close equals their last close, as on ${days} days`;
  return {
    message: `is a bar of the whole day: ${why}`,
    hint: 'remove such rows, because all bars of a series have the same length',
  };
}
