import { DAY, formatInstant } from '../kernel/index.ts';
import type { BarSeries } from './bar-series.ts';

/** Days (UTC) on which the same symbols have no bar, and at least one other symbol has one. */
export interface MissingDays {
  /** Symbols without a bar, in alphabetical order. */
  readonly symbols: readonly string[];
  /** Number of symbols with a bar, on the day with the fewest. */
  readonly others: number;
  /** Oldest first. */
  readonly days: readonly string[];
}

/** Returns the days between the first and the last bar of a symbol on which it has no bar and others do, grouped by symbols. */
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
