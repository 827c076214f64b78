import { type Instant, recordOf } from '../../kernel/index.ts';
import type { CalendarTerms } from '../calendar/calendar.ts';
import { sessionsOf, sessionTerms } from '../calendar/session.ts';
import { groupingBySessions } from '../calendar/sessions.ts';
import { intervalOf } from '../reading/one-interval.ts';
import type { Bar, BarSeries } from './bar-columns.ts';
import { type Column, GrowingColumn, pushValue } from './column.ts';
import { addInterval, type BarTimes, type Grouping, groupingBy, type Interval } from './interval.ts';

const COLUMNS = ['time', 'open', 'high', 'low', 'close', 'volume'] as const;
type ColumnName = (typeof COLUMNS)[number];

/** Visible bars of a symbol, combined into longer bars ("long bars") such as days or weeks. */
export interface ResampledBars extends Readonly<Record<ColumnName, Column>> {
  readonly rule: string;
  /** Number of visible long bars. */
  readonly length: number;
  /** Newest long bar. `undefined` before the first. */
  readonly bar: Bar | undefined;
  /** Returns a long bar by position. Negative positions count from the end: -1 is the newest. */
  barAt(index: number): Bar | undefined;
}

/**
 * Combines bars into long bars, one bar at a time. The cost per bar does not depend on the number of earlier
 * bars.
 */
export class Resampler {
  readonly rule: string;
  readonly #grouping: Grouping;
  readonly #barLength: Interval | undefined;
  readonly #done: Readonly<Record<ColumnName, GrowingColumn>>;
  #running: { readonly group: number; bar: Bar } | undefined;
  /** Number of short bars processed so far. */
  taken = 0;

  /**
   * @param grouping grouping of bars by the rule
   * @param barLength time from a short bar's stamp to its end. If `undefined`, a group is complete only when
   *   the first bar of the next group arrives
   */
  constructor(rule: string, grouping: Grouping, barLength: Interval | undefined) {
    this.rule = rule.trim().toLowerCase();
    this.#grouping = grouping;
    this.#barLength = barLength;
    const column = (): GrowingColumn => new GrowingColumn(Number.POSITIVE_INFINITY);
    this.#done = {
      time: column(),
      open: column(),
      high: column(),
      low: column(),
      close: column(),
      volume: column(),
    };
  }

  take(bar: Bar): void {
    this.taken += 1;
    const group = this.#grouping.groupOf(bar.time);
    if (this.#running !== undefined && this.#running.group !== group) this.#finish();
    const running = this.#running?.bar;
    this.#running = {
      group,
      bar:
        running === undefined
          ? bar
          : {
              time: bar.time,
              open: running.open,
              high: Math.max(running.high, bar.high),
              low: Math.min(running.low, bar.low),
              close: bar.close,
              volume: running.volume + bar.volume,
            },
    };
    if (this.#endOf(bar.time) >= this.#grouping.endOf(bar.time)) this.#finish();
  }

  #endOf(time: Instant): Instant {
    return this.#barLength === undefined ? Number.NEGATIVE_INFINITY : addInterval(time, this.#barLength);
  }

  #finish(): void {
    if (this.#running === undefined) return;
    for (const name of COLUMNS) pushValue(this.#done[name], this.#running.bar[name]);
    this.#running = undefined;
  }

  /**
   * Returns the long bars.
   *
   * @param partial if true, includes the last long bar even if it is unfinished
   */
  bars(partial: boolean): ResampledBars {
    const running = partial ? this.#running?.bar : undefined;
    const columns = recordOf(COLUMNS, (name): Column => {
      const done = this.#done[name];
      return running === undefined ? done : new WithLast(done, running[name]);
    });
    const { length } = columns.time;
    const barAt = (index: number): Bar | undefined => {
      const position = index < 0 ? length + index : index;
      if (!(position >= 0 && position < length)) return undefined;
      return {
        time: columns.time.at(position),
        open: columns.open.at(position),
        high: columns.high.at(position),
        low: columns.low.at(position),
        close: columns.close.at(position),
        volume: columns.volume.at(position),
      };
    };
    return { rule: this.rule, ...columns, length, barAt, bar: barAt(-1) };
  }
}

/** Column followed by one value that is not final yet. */
class WithLast implements Column {
  readonly #column: Column;
  /** Length of the column at creation. The column may grow later. */
  readonly #before: number;
  readonly last: number;

  constructor(column: Column, last: number) {
    this.#column = column;
    this.#before = column.length;
    this.last = last;
  }

  get length(): number {
    return this.#before + 1;
  }

  at(index: number): number {
    const position = index < 0 ? this.length + index : index;
    if (position === this.#before) return this.last;
    return position >= 0 && position < this.#before ? this.#column.at(position) : Number.NaN;
  }

  tail(count: number): Float64Array {
    const from = Math.max(this.length - Math.max(Math.floor(count) || 0, 0), 0);
    return Float64Array.from({ length: this.length - from }, (_, index) => this.at(from + index));
  }

  mean(count: number): number {
    if (!(count >= 1) || count > this.length) return Number.NaN;
    const values = this.tail(count);
    return values.reduce((sum, value) => sum + value, 0) / values.length;
  }
}

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
 * use the dates of sessions. A long bar has the time of its last short bar. In a market with other series, a
 * long bar is therefore never visible before it has closed. The last group is included even if unfinished.
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
