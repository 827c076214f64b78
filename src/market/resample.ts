import { AppError, DAY, type Instant } from '../kernel/index.ts';
import type { BarSeries } from './bar-series.ts';

const MILLISECONDS: Record<string, number> = { s: 1000, min: 60_000, h: 3_600_000, d: DAY };
// 1970-01-05 was a Monday.
const FIRST_MONDAY = 4 * DAY;

/**
 * Puts bars together into longer ones: first open, highest high, lowest low, last close, summed volume.
 *
 * Groups begin at whole multiples of the rule in UTC, weeks on Monday, months on the first. A long bar carries the time
 * of its last constituent, so on a common clock it appears with that bar and never before it has closed; the last
 * group, which may be unfinished, is kept.
 *
 * @param rule a count and a unit: `5min`, `1h`, `1d`, `1w`, `1mo`; units s, min, h, d, w, mo
 * @throws AppError `bad_rule` for any other rule
 */
export function resample(series: BarSeries, rule: string): BarSeries {
  const groupOf = groupingBy(rule);
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
  return { symbol: series.symbol, ...long };
}

function groupingBy(rule: string): (time: Instant) => number {
  const match = /^([1-9]\d{0,5})(s|min|h|d|w|mo)$/.exec(rule.trim().toLowerCase());
  if (match === null) {
    throw new AppError({
      code: 'bad_rule',
      message: `"${rule}" is no bar length.`,
      remedy: 'Write a count and a unit: 30s, 5min, 1h, 1d, 1w or 1mo.',
    });
  }
  const count = Number(match[1]);
  const unit = match[2]!;
  if (unit === 'mo') {
    return (time) => {
      const date = new Date(time);
      return Math.floor((date.getUTCFullYear() * 12 + date.getUTCMonth()) / count);
    };
  }
  if (unit === 'w') return (time) => Math.floor((time - FIRST_MONDAY) / (7 * DAY * count));
  const length = MILLISECONDS[unit]! * count;
  return (time) => Math.floor(time / length);
}
