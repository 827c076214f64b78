import { DAY, type Instant } from '../kernel/index.ts';
import type { BarSeries } from './bar-series.ts';
import { parseInterval } from './interval.ts';

// 1970-01-05 was a Monday.
const FIRST_MONDAY = 4 * DAY;

/**
 * Puts bars together into longer ones: first open, highest high, lowest low, last close, summed volume.
 *
 * Groups begin at whole multiples of the rule in UTC, weeks on Monday, months on the first. A long bar carries the time
 * of its last constituent, so on a common clock it appears with that bar and never before it has closed; the last
 * group, which may be unfinished, is kept.
 *
 * @param rule a count and a unit: `5min`, `1h`, `1d`, `1w`, `1mo`; units ms, s, min, h, d, w, mo
 * @throws AppError `bad_rule` for any other rule
 */
export function resample(series: BarSeries, rule: string): BarSeries {
  const { groupOf } = groupingBy(rule);
  const starts: number[] = [];
  let group = Number.NaN;
  for (let index = 0; index < series.time.length; index++) {
    const own = groupOf(series.time[index]!);
    if (own !== group) starts.push(index);
    group = own;
  }
  const ends = [...starts.slice(1), series.time.length];
  const column = (): Float64Array => new Float64Array(starts.length);
  const long = {
    time: column(),
    open: column(),
    high: column(),
    low: column(),
    close: column(),
    volume: column(),
  };
  for (let bar = 0; bar < starts.length; bar++) {
    const [start, end] = [starts[bar]!, ends[bar]!];
    let [high, low, volume] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, 0];
    for (let index = start; index < end; index++) {
      if (series.high[index]! > high) high = series.high[index]!;
      if (series.low[index]! < low) low = series.low[index]!;
      volume += series.volume[index]!;
    }
    long.time[bar] = series.time[end - 1]!;
    long.open[bar] = series.open[start]!;
    long.high[bar] = high;
    long.low[bar] = low;
    long.close[bar] = series.close[end - 1]!;
    long.volume[bar] = volume;
  }
  return { symbol: series.symbol, ...long, interval: rule.trim().toLowerCase() };
}

/** Into which group a bar falls by its stamp, and when a group is over. */
export interface Grouping {
  readonly groupOf: (time: Instant) => number;
  readonly endOf: (group: number) => Instant;
}

/** @throws AppError `bad_rule` for what is no rule */
export function groupingBy(rule: string): Grouping {
  const { milliseconds, months } = parseInterval(rule);
  if (months !== undefined) {
    return {
      groupOf: (time) => {
        const date = new Date(time);
        return Math.floor((date.getUTCFullYear() * 12 + date.getUTCMonth()) / months);
      },
      endOf: (group) => Date.UTC(Math.floor(((group + 1) * months) / 12), ((group + 1) * months) % 12),
    };
  }
  const first = rule.trim().toLowerCase().endsWith('w') ? FIRST_MONDAY : 0;
  return {
    groupOf: (time) => Math.floor((time - first) / milliseconds),
    endOf: (group) => first + (group + 1) * milliseconds,
  };
}
