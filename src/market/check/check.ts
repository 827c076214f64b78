import { AppError, DAY, formatInstant, type Instant } from '../../kernel/index.ts';
import type { CorporateAction } from '../actions/corporate-action.ts';
import type { BarSeries } from '../bars/bar-columns.ts';
import { intervalText, intervalWords } from '../bars/interval.ts';
import { localTime } from '../bars/zones.ts';
import {
  type CalendarReport,
  checkCovers,
  compareWithCalendar,
  type TradingCalendar,
  unlikelyYears,
} from '../calendar/calendar.ts';
import type { Hours } from '../calendar/sessions.ts';
import type { DataSource } from '../reading/data-source.ts';
import { type LoadOptions, loadSeries } from '../reading/load.ts';
import { intervalOf, sharedInterval } from '../reading/one-interval.ts';
import { looksAdjusted, type MissingDays, missingDays, sessionShape } from './suspicions.ts';

const LARGE_MOVE = 0.5;
const STALE_CLOSES = 10;
const SHOWN = 5;

/** Report on the quality of one symbol's bars. */
export interface SeriesReport {
  readonly symbol: string;
  readonly bars: number;
  readonly firstBar: string;
  readonly lastBar: string;
  /** Length of a bar, for example `1h`. `null` with fewer than two bars. */
  readonly interval: string | null;
  /**
   * Number of steps (times between consecutive bars) within one UTC day that are more than 1.5 times the
   * interval. Caused by missing bars or breaks.
   */
  readonly gapsInDays: number;
  /**
   * Number of steps shorter than 0.8 times the interval. Caused by partial bars at the start or end of a
   * session, or by rows of other data.
   */
  readonly shortSteps: number;
  /**
   * Number of UTC days with fewer than half of the usual number of bars per day, for each weekday with such
   * days. Empty for bars of a day or longer.
   */
  readonly stubSessions: readonly { readonly weekday: string; readonly sessions: number }[];
  /** Median time between bars in milliseconds. `null` with fewer than two bars. */
  readonly medianSpacing: number | null;
  /** Number of bars on a Saturday or Sunday (UTC). */
  readonly weekendBars: number;
  /** Longest time without a bar. `null` with fewer than two bars. */
  readonly largestGap: { readonly from: string; readonly to: string; readonly milliseconds: number } | null;
  /**
   * Number of weekdays without a bar between the first and the last bar: holidays or missing data. 0 if the
   * median time between bars exceeds a day.
   */
  readonly missingWeekdays: number;
  /** Suspicious properties that may be correct. */
  readonly warnings: readonly string[];
  /** Comparison with the calendar of an exchange, if one was given. */
  readonly calendar?: CalendarReport;
}

/** Optional data with which the bars are compared. */
export interface CheckedWith {
  readonly calendar?: TradingCalendar;
  /** Time zone for a calendar without a zone. */
  readonly timezone?: string | undefined;
  readonly actions?: readonly CorporateAction[];
}

export interface DataReport {
  readonly symbols: readonly SeriesReport[];
  readonly sources: readonly DataSource[];
  /** Symbols that occur in the files but are excluded by the options. */
  readonly omitted: readonly string[];
  readonly adjustments: readonly string[];
  /** Notes that every user of the data must know, for example which of two close columns is used. */
  readonly notes: readonly string[];
  /** Days on which some symbols have no bar and other symbols have one. Empty if bars differ in length. */
  readonly missing: readonly MissingDays[];
  /** Reason why the symbols cannot share one run because their bars differ in length. `null` if they can. */
  readonly mixed: string | null;
}

/**
 * Reports suspicious properties of data. Definite faults are thrown as an error.
 *
 * @throws AppError in the same cases as `loadMarket`, with every fault of every file
 */
export async function checkData(options: LoadOptions, beside: CheckedWith = {}): Promise<DataReport> {
  const { series, sources, adjustments, notes = [], omitted } = await loadSeries(options);
  const { calendar } = beside;
  if (calendar !== undefined) checkCovers(calendar, series);
  const unlikely = calendar === undefined ? [] : unlikelyYears(calendar, series);
  const ordered = [...series].sort((a, b) => (a.symbol < b.symbol ? -1 : 1));
  const mixed = mixtureOf(ordered);
  // Days are compared only if all bars have the same length. Weekly and daily bars, for example, never have
  // all dates in common.
  const missing = mixed === null ? missingDays(ordered) : [];
  return {
    symbols: ordered.map((one) => withMore(one, missing, beside)),
    sources,
    omitted,
    adjustments,
    notes: [...notes, ...unlikely],
    missing,
    mixed,
  };
}

function withMore(
  series: BarSeries,
  missing: readonly MissingDays[],
  { calendar, timezone, actions = [] }: CheckedWith,
): SeriesReport {
  const report = reportOn(series);
  const adjusted = looksAdjusted(series, actions);
  const days = missing.filter(({ symbols }) => symbols.includes(series.symbol)).flatMap((one) => one.days);
  const warnings = [
    ...report.warnings,
    ...(adjusted.length === 0
      ? []
      : [`prices do not jump at ${adjusted.join(', ')}: they look adjusted for it already`]),
    ...(days.length === 0
      ? []
      : [`${days.length} × no bar on a day on which another symbol has one: ${shown(days.sort())}`]),
  ];
  if (calendar === undefined) return { ...report, warnings };
  return { ...report, warnings, calendar: calendarReport(series, calendar, timezone) };
}

/**
 * Compares the days of a series with a calendar. For daily bars, the day is the date. For shorter bars, the
 * day is the local date in the calendar's time zone, or in `zone` if the calendar has no zone.
 *
 * @param hours session hours. A bar at or after the opening time of an overnight session is of the next day
 */
export function calendarReport(
  series: BarSeries,
  calendar: TradingCalendar,
  zone = 'UTC',
  hours?: Hours,
): CalendarReport {
  const interval = intervalOf(series);
  const isIntraday = interval !== undefined && interval.milliseconds < DAY;
  const isOvernight = hours !== undefined && hours.opens > hours.closes;
  const shift = isOvernight ? DAY - hours.opens * 60_000 : 0;
  const days = Array.from(series.time, (time) =>
    Math.floor((isIntraday ? localTime(calendar.zone ?? zone, time) + shift : time) / DAY),
  );
  return compareWithCalendar(calendar, [...new Set(days)]);
}

function mixtureOf(series: readonly BarSeries[]): string | null {
  try {
    sharedInterval(series);
    return null;
  } catch (error) {
    if (error instanceof AppError && error.code === 'mixed_intervals')
      return `${error.message}\n  ${error.hint}`;
    throw error;
  }
}

/** Returns the report on one series. */
export function reportOn(series: BarSeries): SeriesReport {
  const { time, close, volume } = series;
  const count = time.length;
  const spacings = new Float64Array(Math.max(0, count - 1));
  let widest = -1;
  let weekendBars = 0;
  const jumps: string[] = [];
  const noVolume: string[] = [];
  const stale: string[] = [];
  let same = 1;
  for (let index = 0; index < count; index++) {
    if (isWeekend(time[index]!)) weekendBars++;
    if (volume[index] === 0) noVolume.push(formatInstant(time[index]!));
    if (index > 0) {
      spacings[index - 1] = time[index]! - time[index - 1]!;
      if (widest < 0 || spacings[index - 1]! > spacings[widest]!) widest = index - 1;
      const move = close[index]! / close[index - 1]! - 1;
      if (Math.abs(move) > LARGE_MOVE)
        jumps.push(`${formatInstant(time[index]!)} (${(100 * move).toFixed(1)} %)`);
    }
    same = index > 0 && close[index] === close[index - 1] ? same + 1 : 1;
    if (same === STALE_CLOSES) stale.push(formatInstant(time[index - STALE_CLOSES + 1]!));
  }
  const medianSpacing = median(spacings);
  const missingWeekdays = medianSpacing !== null && medianSpacing <= DAY ? weekdaysWithout(time) : 0;
  const largestGap =
    widest < 0
      ? null
      : {
          from: formatInstant(time[widest]!),
          to: formatInstant(time[widest + 1]!),
          milliseconds: spacings[widest]!,
        };

  const interval = intervalOf(series);
  const shape = sessionShape(time, interval);
  const warnings: string[] = [];
  const warn = (found: readonly string[], what: string): void => {
    if (found.length > 0) warnings.push(`${found.length} × ${what}: ${shown(found)}`);
  };
  warn(jumps, `the close moves more than ${100 * LARGE_MOVE} % (a split that is not adjusted for?)`);
  warn(noVolume, 'no volume (no order fills in these bars)');
  warn(stale, `at least ${STALE_CLOSES} closes in a row are equal, from`);
  if (
    largestGap !== null &&
    medianSpacing !== null &&
    largestGap.milliseconds > Math.max(10 * medianSpacing, 5 * DAY)
  ) {
    warnings.push(`no bar between ${largestGap.from} and ${largestGap.to}`);
  }
  if (medianSpacing === DAY && weekendBars > 0 && weekendBars < count / 20) {
    warnings.push(`${weekendBars} bars fall on a weekend, the others do not`);
  }
  if (shape.shortSteps > 0 && interval !== undefined) {
    const many = `${shape.shortSteps} × a bar comes less than ${intervalWords(interval)} after the one before`;
    warnings.push(`${many}: a stub of a session, or a row of another file`);
  }
  if (shape.onLastDays)
    warnings.push(
      'its bars carry the last days of their months, which look like the ends of their time: see --bar-times end',
    );
  return {
    symbol: series.symbol,
    interval: interval === undefined ? null : intervalText(interval),
    gapsInDays: shape.gapsInDays,
    shortSteps: shape.shortSteps,
    stubSessions: shape.stubSessions,
    bars: count,
    firstBar: formatInstant(time[0]!),
    lastBar: formatInstant(time[count - 1]!),
    medianSpacing,
    weekendBars,
    largestGap,
    missingWeekdays,
    warnings,
  };
}

function shown(found: readonly string[]): string {
  const head = found.slice(0, SHOWN).join(', ');
  return found.length > SHOWN ? `${head}, …` : head;
}

function median(values: Float64Array): number | null {
  if (values.length === 0) return null;
  return values.slice().sort()[values.length >>> 1]!;
}

function isWeekend(instant: Instant): boolean {
  const day = new Date(instant).getUTCDay();
  return day === 0 || day === 6;
}

function weekdaysWithout(time: Float64Array): number {
  const days = new Set<number>();
  for (const instant of time) days.add(Math.floor(instant / DAY));
  let missing = 0;
  const last = Math.floor(time.at(-1)! / DAY);
  for (let day = Math.floor(time[0]! / DAY); day <= last; day++) {
    if (!days.has(day) && !isWeekend(day * DAY)) missing++;
  }
  return missing;
}
