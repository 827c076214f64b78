import { DAY } from '../kernel/index.ts';
import type { BarSeries } from './bar-series.ts';

/** Bars and closes below which a day may look like one of its own bars by chance. */
const FEWEST_BARS = 4;
const FEWEST_CLOSES = 3;

/** A whole day's bar among the shorter ones of that day. */
export interface DayBar {
  /** Its place in the series. */
  readonly index: number;
  /** Shorter bars of its day, which follow it. */
  readonly bars: number;
}

/**
 * Bars that are stamped at the beginning of a day (UTC) and are that day's own: their open, high, low and close are those
 * of the bars that follow on it. Whoever saw one at its stamp would know the day.
 *
 * One look at each bar, and one more at those of a day whose first two bars share their open.
 */
export function dayBarsIn({ time, open, high, low, close }: BarSeries): DayBar[] {
  const found: DayBar[] = [];
  for (let index = 0; index + FEWEST_BARS < time.length; index++) {
    if (open[index] !== open[index + 1] || time[index]! % DAY !== 0) continue;
    const end = time[index]! + DAY;
    let next = index + 1;
    let [top, bottom] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
    const closes = new Set<number>();
    for (; next < time.length && time[next]! < end; next++) {
      top = Math.max(top, high[next]!);
      bottom = Math.min(bottom, low[next]!);
      if (closes.size < FEWEST_CLOSES) closes.add(close[next]!);
    }
    const bars = next - index - 1;
    const isWhole = top === high[index] && bottom === low[index] && close[next - 1] === close[index];
    if (isWhole && bars >= FEWEST_BARS && closes.size >= FEWEST_CLOSES) found.push({ index, bars });
  }
  return found;
}

/** What is wrong with one, and what to do about it. */
export function dayBarFault({ bars }: DayBar): { readonly message: string; readonly hint: string } {
  return {
    message: `is the bar of the whole day: its open, high, low and close are those of the ${bars} bars behind it`,
    hint: 'leave such rows out: a series has bars of one length',
  };
}
