import { DAY } from '../kernel/index.ts';
import type { Interval } from './interval.ts';

/** Distribution of a series' bars over UTC days. */
export interface SessionShape {
  /** Number of steps longer than the interval within one day. */
  readonly gapsInDays: number;
  /** Number of steps shorter than the interval. */
  readonly shortSteps: number;
  /** Days with fewer than half of the usual number of bars, by weekday. */
  readonly stubSessions: readonly { readonly weekday: string; readonly sessions: number }[];
  /** True for monthly bars stamped with the last days or last weekdays of their months. */
  readonly onLastDays: boolean;
}

const WEEKDAYS = ['Sundays', 'Mondays', 'Tuesdays', 'Wednesdays', 'Thursdays', 'Fridays', 'Saturdays'];
const NONE: SessionShape = { gapsInDays: 0, shortSteps: 0, stubSessions: [], onLastDays: false };
/** Tolerance factor: a clock change can shorten a day by an hour, and a week may begin late. */
const SHORT = 0.8;

/** @param time strictly increasing */
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
