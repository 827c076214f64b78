import type { CalendarTerms } from '../calendar/calendar.ts';
import { sessionsOf, sessionTerms } from '../calendar/session.ts';
import { groupingBySessions } from '../calendar/sessions.ts';
import { intervalOf } from '../reading/one-interval.ts';
import type { BarSeries } from './bar-columns.ts';
import { type BarTimes, groupingBy } from './interval.ts';

/** Sessions for grouping bars, as set by `--session`, `--calendar`, `--timezone` and `--bar-times`. */
export interface ResampleOptions {
  /** Hours such as `09:30-16:00`. */
  readonly session?: string;
  /** Exchange such as `XNYS`, or the days of a file returned by `readCalendar`. */
  readonly calendar?: CalendarTerms;
  readonly timezone?: string;
  readonly barTimes?: BarTimes;
}

/**
 * Combines bars into longer ones: first open, highest high, lowest low, last close, summed volume.
 *
 * Groups start at whole multiples of the rule in UTC, weeks on Monday, months on the first. With sessions,
 * groups of hours and shorter start at each session's open and end at its close. Days, weeks and months then
 * use the dates of sessions. A long bar has the time of its last short bar, so on a common clock it never
 * appears before it has closed. The last group is included even if unfinished.
 *
 * @param rule a count and a unit: `5min`, `1h`, `1d`, `1w`, `1mo`; units ms, s, min, h, d, w, mo
 * @throws AppError `bad_rule` for any other rule
 */
export function resample(
  series: BarSeries,
  rule: string,
  { session, calendar, timezone, barTimes = 'start' }: ResampleOptions = {},
): BarSeries {
  const terms = sessionTerms(session, calendar, timezone);
  const sessions = terms === undefined ? undefined : sessionsOf(terms, barTimes, intervalOf(series));
  const { groupOf } = sessions === undefined ? groupingBy(rule) : groupingBySessions(rule, sessions);
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
