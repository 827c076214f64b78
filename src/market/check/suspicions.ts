import { DAY, formatInstant } from '../../kernel/index.ts';
import type { CorporateAction } from '../actions/corporate-action.ts';
import type { BarSeries } from '../bars/bar-columns.ts';
import type { Interval } from '../bars/interval.ts';

/** Distribution of a series' bars over UTC days. */
interface SessionShape {
  /** Number of steps (times between consecutive bars) within one day that exceed 1.5 times the interval. */
  readonly gapsInDays: number;
  /** Number of steps shorter than `SHORT` times the interval. */
  readonly shortSteps: number;
  /** Number of days with fewer than half of the usual number of bars, for each weekday with such days. */
  readonly stubSessions: readonly { readonly weekday: string; readonly sessions: number }[];
  /** True for monthly bars stamped with the last days or last weekdays of their months. */
  readonly onLastDays: boolean;
}

const WEEKDAYS = ['Sundays', 'Mondays', 'Tuesdays', 'Wednesdays', 'Thursdays', 'Fridays', 'Saturdays'];
const NONE: SessionShape = { gapsInDays: 0, shortSteps: 0, stubSessions: [], onLastDays: false };
/**
 * Fraction of the interval below which a step counts as short. A step may be slightly shorter than the
 * interval: a clock change shortens a day by an hour, a holiday can shorten a week by a day.
 */
const SHORT = 0.8;

/**
 * Counts irregular steps and days of a series.
 *
 * @param time strictly increasing
 */
export function sessionShape(time: Float64Array, interval: Interval | undefined): SessionShape {
  if (interval === undefined) return NONE;
  const { milliseconds, months } = interval;
  if (months !== undefined) return { ...NONE, onLastDays: isOnLastDays(time) };
  let [gapsInDays, shortSteps] = [0, 0];
  const bars = new Map<number, number>();
  for (let index = 0; index < time.length; index++) {
    const day = Math.floor(time[index]! / DAY);
    if (milliseconds < DAY) bars.set(day, (bars.get(day) ?? 0) + 1);
    if (index === 0) continue;
    const step = time[index]! - time[index - 1]!;
    if (step < SHORT * milliseconds) shortSteps++;
    if (step > 1.5 * milliseconds && Math.floor(time[index - 1]! / DAY) === day) gapsInDays++;
  }
  return { gapsInDays, shortSteps, stubSessions: stubsOf(bars), onLastDays: false };
}

function stubsOf(bars: ReadonlyMap<number, number>): SessionShape['stubSessions'] {
  const days = new Map<number, number>();
  for (const count of bars.values()) days.set(count, (days.get(count) ?? 0) + 1);
  const usual = [...days].reduce((best, one) => (one[1] > best[1] ? one : best), [0, 0])[0];
  const stubs = new Array<number>(7).fill(0);
  for (const [day, count] of bars) if (count < usual / 2) stubs[new Date(day * DAY).getUTCDay()]! += 1;
  return WEEKDAYS.map((weekday, index) => ({ weekday, sessions: stubs[index]! })).filter(
    ({ sessions }) => sessions > 0,
  );
}

function isOnLastDays(time: Float64Array): boolean {
  let late = 0;
  for (const instant of time) if (new Date(instant + 4 * DAY).getUTCDate() <= 4) late++;
  return time.length > 1 && late >= 0.9 * time.length;
}

/**
 * Group of UTC days on which the listed symbols have no bar, although at least one other symbol has a bar.
 */
export interface MissingDays {
  /** Symbols without a bar on the days, in alphabetical order. */
  readonly symbols: readonly string[];
  /** Number of symbols that have a bar, on the day on which this number is smallest. */
  readonly others: number;
  /** Dates of the days, oldest first. */
  readonly days: readonly string[];
}

/**
 * Returns the days on which a symbol has no bar and other symbols have one, between the symbol's first and
 * last bar. Grouped by the symbols without a bar.
 */
export function missingDays(series: readonly BarSeries[]): MissingDays[] {
  if (series.length < 2) return [];
  const known = series.map(({ symbol, time }) => {
    const days = new Set(Array.from(time, (instant) => Math.floor(instant / DAY)));
    return { symbol, days, first: Math.floor(time[0]! / DAY), last: Math.floor(time.at(-1)! / DAY) };
  });
  const all = [...new Set(known.flatMap(({ days }) => [...days]))].sort((a, b) => a - b);
  const groups = new Map<string, { symbols: string[]; others: number; days: string[] }>();
  for (const day of all) {
    const without = known.filter(({ days, first, last }) => day > first && day < last && !days.has(day));
    if (without.length === 0) continue;
    const symbols = without.map(({ symbol }) => symbol).sort();
    const others = known.filter(({ days }) => days.has(day)).length;
    const key = JSON.stringify(symbols);
    const group = groups.get(key) ?? { symbols, others, days: [] };
    group.others = Math.min(group.others, others);
    group.days.push(formatInstant(day * DAY));
    groups.set(key, group);
  }
  return [...groups.values()].sort((a, b) => b.days.length - a.days.length);
}

/**
 * Returns descriptions of the splits at which a series has no matching price jump. Its prices look already
 * adjusted for these splits.
 */
export function looksAdjusted(series: BarSeries, actions: readonly CorporateAction[]): string[] {
  return actions.flatMap((action) => {
    if (action.kind !== 'split' || action.symbol !== series.symbol) return [];
    const after = series.time.findIndex((time) => time >= action.time);
    if (after < 1) return [];
    const jump = Math.log(series.open[after]! / series.close[after - 1]!);
    const expected = Math.log(Number(action.from) / Number(action.to));
    // If the actual jump is closer to zero than to the expected jump, the prices are already adjusted.
    if (Math.abs(jump) >= Math.abs(jump - expected)) return [];
    return [`the ${action.to}:${action.from} split of ${formatInstant(action.time)}`];
  });
}
