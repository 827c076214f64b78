import { isDeepStrictEqual } from 'node:util';
import { DAY, formatInstant, utcDays } from '../../../kernel/index.ts';
import { SessionDays } from '../../../market/index.ts';
import type { EquityColumns } from './equity.ts';

/** Equity of a run by session, from which returns are computed. */
export interface Sessions {
  /**
   * Definition of a session. `day`: a UTC calendar day. `session`: a session of the run's calendar. `bar`:
   * one bar, for bars that last a day or longer.
   */
  readonly unit: 'day' | 'session' | 'bar';
  /**
   * Equity before the fills of the first session. If `undefined`, this equity is unknown, and the first
   * session has no return.
   */
  readonly start: number | undefined;
  /** Equity at the last bar of each session. */
  readonly equity: readonly number[];
  /** Date of the last bar of each session. */
  readonly dates: readonly string[];
  /** Index of the bar with which each session ends. */
  readonly lastBars: readonly number[];
  readonly periodsPerYear: number;
  /** Explanation of the number of periods per year. */
  readonly periodsInWords: string;
}

/** Days per year, for CAGR and for counting bars per year. */
export const DAYS_PER_YEAR = 365.25;

// Shortest distance between two daily bars. A day has 23 hours if clocks are set forward.
const SHORTEST_DAILY_GAP = DAY * (23 / 24);
const SHORTEST_LONGER_GAP = DAY * 1.5;
/**
 * Minimum length of data, in years, for counting sessions per year. Shorter data is not representative of a
 * year.
 */
const SHORTEST_COUNTED_YEARS = 0.5;
/**
 * Usual numbers of sessions per year for weekly and longer bars. Used for data of less than half a year: if
 * the number estimated from the bars is within 10 % of a usual number, the usual number is used.
 */
const USUAL_COUNTS = [52, 26, 12, 6, 4];
/**
 * Share of weekend days among all sessions above which a market is assumed to trade on weekends. With trading
 * on all days, the share is 2/7 = 29 %. For currencies, which open on Sunday evening, the share is 1/6 = 17
 * %.
 */
const WEEKEND_SHARE = 0.22;

/** Groups bars into sessions. The median distance between bars determines if a bar lasts a day or longer. */
export function sessionsOf(columns: EquityColumns): Sessions {
  const found = sessionsFound.get(columns);
  if (found !== undefined) return found;
  const sessions = group(columns);
  sessionsFound.set(columns, sessions);
  return sessions;
}

/**
 * Cache by equity columns, because several calculations and report pages use the sessions of the same run.
 */
const sessionsFound = new WeakMap<EquityColumns, Sessions>();

function group(columns: EquityColumns): Sessions {
  const { times, equity, initialCash, startsBefore, barTimes, session } = columns;
  let known = grouped.get(times);
  const isSame = known?.barTimes === barTimes && isDeepStrictEqual(known?.session, session);
  if (known === undefined || !isSame) {
    known = { barTimes, session, calendar: calendarOf(columns) };
    grouped.set(times, known);
  }
  const { calendar } = known;
  const { lastBars } = calendar;
  const ends = new Array<number>(lastBars.length);
  for (let session = 0; session < ends.length; session++) ends[session] = equity[lastBars[session]!]!;
  return {
    start: startsBefore ? initialCash.toNumber() : undefined,
    equity: ends,
    ...calendar,
  };
}

type Calendar = Omit<Sessions, 'start' | 'equity'>;

/**
 * Cache by bar times. A run, its benchmark and other runs on the same market share their bar times, and
 * therefore their sessions.
 */
const grouped = new WeakMap<
  Float64Array,
  {
    readonly barTimes: EquityColumns['barTimes'];
    readonly session: EquityColumns['session'];
    readonly calendar: Calendar;
  }
>();

function calendarOf(columns: EquityColumns): Calendar {
  const { times, barTimes, session } = columns;
  const gap = medianGap(times);
  const own = session === undefined ? undefined : new SessionDays(session, barTimes ?? 'start');
  const unit = gap >= SHORTEST_DAILY_GAP ? 'bar' : own === undefined ? 'day' : 'session';
  const days = (unit === 'session' ? own : undefined) ?? utcDays(barTimes);
  const last: number[] = [];
  // If bar times are end times, the last bar of a day ends at midnight, which is the date of the next day.
  // Therefore one day is subtracted.
  const dateOf = (bar: number): string =>
    formatInstant(times[bar]! - (unit === 'day' && barTimes === 'end' && times[bar]! % DAY === 0 ? DAY : 0));
  for (let bar = 0; bar < times.length; bar++) {
    const ends =
      bar === times.length - 1 || unit === 'bar' || days.dayOf(times[bar]!) !== days.dayOf(times[bar + 1]!);
    if (ends) last.push(bar);
  }
  return {
    unit,
    dates: last.map(dateOf),
    lastBars: last,
    ...periodsOf(
      last.map((bar) => times[bar]!),
      times,
      gap,
      own?.calendarName === undefined
        ? undefined
        : { own, dayOf: (time) => (unit === 'bar' ? own.dateOf(time) : own.dayOf(time)) },
    ),
  };
}

/**
 * Returns the sessions per year. Counts the sessions in the data if the data covers at least half a year.
 * Otherwise uses a usual number, for example 252 for daily bars without weekends.
 *
 * @param gap median distance of two bars in milliseconds, which is also used as the length of the last bar
 * @param given calendar that assigns bars to sessions. `undefined` if the run has no calendar
 */
function periodsOf(
  sessions: readonly number[],
  times: Float64Array,
  gap: number,
  given: { readonly own: SessionDays; readonly dayOf: (time: number) => number } | undefined,
): Pick<Sessions, 'periodsPerYear' | 'periodsInWords'> {
  const years = times.length === 0 ? 0 : (times.at(-1)! - times[0]! + gap) / DAY / DAYS_PER_YEAR;
  if (given !== undefined && gap < SHORTEST_LONGER_GAP && times.length > 0)
    return ofCalendar(given.own, given.dayOf(times[0]!), given.dayOf(times.at(-1)!), years);
  if (years >= SHORTEST_COUNTED_YEARS) {
    const counted = sessions.length / years;
    return {
      periodsPerYear: counted,
      periodsInWords: `counted: ${sessions.length.toLocaleString('en-US')} sessions in ${years.toFixed(2)} years`,
    };
  }
  const usual = gap >= SHORTEST_LONGER_GAP ? countPerYear(sessions) : weekendsTraded(sessions) ? 365 : 252;
  return { periodsPerYear: usual, periodsInWords: 'the usual number, for under half a year of data' };
}

/**
 * Returns the sessions per year of a calendar.
 *
 * @param first first day of the data, in days since 1970
 * @param last last day of the data, in days since 1970
 * @param years years that the bars cover
 */
function ofCalendar(
  own: SessionDays,
  first: number,
  last: number,
  years: number,
): Pick<Sessions, 'periodsPerYear' | 'periodsInWords'> {
  const name = own.calendarName;
  if (years >= SHORTEST_COUNTED_YEARS) {
    const sessions = own.countBetween(first, last);
    return {
      periodsPerYear: sessions / years,
      periodsInWords: `by the calendar ${name}: ${sessions.toLocaleString('en-US')} sessions in ${years.toFixed(2)} years`,
    };
  }
  const [from, to] = [first, last].map((day) => new Date(day * DAY).getUTCFullYear()) as [number, number];
  const sessions = own.countBetween(Date.UTC(from, 0, 1) / DAY, Date.UTC(to + 1, 0, 1) / DAY - 1);
  return {
    periodsPerYear: sessions / (to - from + 1),
    periodsInWords: `by the calendar ${name}: its sessions in ${from === to ? from : `a year from ${from} to ${to}`}`,
  };
}

// Returns the median distance of bars in milliseconds. Returns one day for fewer than two bars.
function medianGap(times: Float64Array): number {
  if (times.length < 2) return DAY;
  const known = gapsFound.get(times);
  if (known !== undefined) return known;
  const gaps = new Float64Array(times.length - 1);
  for (let bar = 1; bar < times.length; bar++) gaps[bar - 1] = times[bar]! - times[bar - 1]!;
  gaps.sort();
  const gap = gaps[(gaps.length - 1) >> 1]!;
  gapsFound.set(times, gap);
  return gap;
}

/** Cache, because a run and its benchmark have the same times, and sorting a million gaps is slow. */
const gapsFound = new WeakMap<Float64Array, number>();

function countPerYear(times: readonly number[]): number {
  const meanGap = (times.at(-1)! - times[0]!) / (times.length - 1);
  const count = (DAYS_PER_YEAR * DAY) / meanGap;
  return USUAL_COUNTS.find((usual) => Math.abs(count / usual - 1) <= 0.1) ?? Math.round(count);
}

function weekendsTraded(times: readonly number[]): boolean {
  const weekdays = times.map((time) => new Date(time).getUTCDay());
  const saturdays = weekdays.filter((day) => day === 6).length;
  const sundays = weekdays.filter((day) => day === 0).length;
  return saturdays > 0 && (saturdays + sundays) / times.length > WEEKEND_SHARE;
}
