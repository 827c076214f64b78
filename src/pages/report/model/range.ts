import { minuteText } from '../../../kernel/instants.ts';
import {
  type BenchmarkRow,
  benchmarkSteps,
  completed,
  type Steps,
  seededDraws,
} from '../../../results/analysis/series/index.ts';
import type { PageData, SessionColumns, TradeRow } from './page-data.ts';

/** Range of sessions by their indexes, both ends included. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

const DAY = 86_400;
const DAYS_PER_YEAR = 365.25;

/**
 * Returns the sessions that have a bar between the time `from` and the end of the day `to`. `undefined`
 * without such a session.
 *
 * @param from seconds since 1970
 * @param to first second of a day
 */
export function rangeBetween({ sessions }: PageData, from: number, to: number): Range | undefined {
  const { time, first } = sessions;
  const start = time.findIndex((seconds) => seconds >= from);
  // The whole last day is included, because `to` is the first second of that day.
  const last = (first ?? time).findLastIndex((seconds) => seconds < to + DAY);
  return start < 0 || last < start ? undefined : { from: start, to: last };
}

export function wholeRange({ sessions }: PageData): Range {
  return { from: 0, to: sessions.time.length - 1 };
}

/**
 * Returns the equity at the close before a range, or the initial cash if the range starts with the first
 * session.
 */
export function equityBefore({ sessions, terms }: PageData, { from }: Range): number {
  return from === 0 ? terms.initialCash : sessions.equity[from - 1]!;
}

/**
 * Returns the returns of the run in the sessions of a range. `undefined` if the equity was zero or negative.
 */
export function returnsOf(data: PageData, range: Range): Float64Array | undefined {
  const { sessions, terms } = data;
  const isFirst = range.from === 0 && !terms.startsBefore;
  const before = range.from === 0 ? terms.initialCash : sessions.equity[range.from - 1]!;
  return changes(sessions.equity, isFirst ? undefined : before, range);
}

/**
 * Returns the benchmark's returns in the sessions of a range. `undefined` if the benchmark does not cover the
 * range.
 */
function heldReturnsOf(data: PageData, range: Range): Float64Array | undefined {
  const { sessions, terms } = data;
  if (sessions.benchmark === null) return undefined;
  const isFirst = range.from === 0 && !terms.startsBefore;
  const before = range.from === 0 ? terms.initialCash : sessions.benchmark[range.from - 1];
  if (before === null || before === undefined) return undefined;
  return changes(sessions.benchmark, isFirst ? undefined : before, range);
}

/**
 * Returns the benchmark's returns in the sessions of a range. `NaN` for sessions in which the benchmark has
 * no value. `undefined` without a benchmark.
 */
export function heldChanges(data: PageData, { from, to }: Range): Float64Array | undefined {
  const { sessions, terms } = data;
  if (sessions.benchmark === null) return undefined;
  const known = sessions.benchmark.slice(from, to + 1);
  const before =
    from === 0 ? (terms.startsBefore ? [terms.initialCash] : []) : [sessions.benchmark[from - 1]!];
  const path = [...before, ...known];
  return Float64Array.from(path.slice(1), (value, at) =>
    value === null || !(path[at]! > 0) ? Number.NaN : value / path[at]! - 1,
  );
}

function changes(
  values: readonly (number | null)[],
  before: number | undefined,
  { from, to }: Range,
): Float64Array | undefined {
  const path = values.slice(from, to + 1);
  const whole = before === undefined ? path : [before, ...path];
  if (whole.some((value) => value === null || !(value > 0))) return undefined;
  return Float64Array.from(whole.slice(1), (value, at) => value! / whole[at]! - 1);
}

function yearsOf({ sessions }: PageData, { from, to }: Range): number {
  return (sessions.time[to]! - (sessions.first ?? sessions.time)[from]!) / DAY / DAYS_PER_YEAR;
}

/**
 * Random numbers for confidence intervals. `summary.json` uses the same seed, so that the same range has the
 * same intervals.
 */
const draw = seededDraws('verdict');

/**
 * Returns the rows of the comparison table (strategy against benchmark) for a range of sessions.
 *
 * @param intervals `later` omits the confidence intervals, because they take a second for 20,000 sessions
 */
export function benchmarkTableOfRange(
  data: PageData,
  range: Range,
  intervals: 'now' | 'later' = 'now',
): BenchmarkRow[] {
  return completed(benchmarkStepsOfRange(data, range, intervals));
}

/**
 * Computes the same rows as `benchmarkTableOfRange`, in steps. Between two steps, the page can respond to the
 * user.
 */
export function benchmarkStepsOfRange(
  data: PageData,
  range: Range,
  intervals: 'now' | 'later' = 'now',
): Steps<BenchmarkRow[]> {
  const { sessions, terms } = data;
  const years = yearsOf(data, range);
  const before = equityBefore(data, range);
  const end = sessions.equity[range.to]!;
  const held = heldReturnsOf(data, range);
  const meanEquity = meanEquityOf(sessions, range);
  const notional = sumOf(sessions.notional, range);
  return benchmarkSteps({
    own: returnsOf(data, range),
    held,
    terms: {
      periodsPerYear: terms.periodsPerYear,
      years,
      riskFree: terms.riskFree,
      acceptable: terms.acceptable,
    },
    known: {
      totalReturn: before > 0 ? end / before - 1 : null,
      cagr: years > 0 && before > 0 && end > 0 ? (end / before) ** (1 / years) - 1 : null,
      maxDrawdown: fallOf(data, range).depth,
      exposure: exposureOf(sessions, range),
      turnover: years > 0 && meanEquity > 0 ? notional / meanEquity / years : null,
    },
    knownHeld: held === undefined ? {} : heldFigures(data, range, years),
    draw: intervals === 'now' ? draw : undefined,
  });
}

function heldFigures(data: PageData, range: Range, years: number) {
  const { sessions, terms } = data;
  const held = sessions.benchmark!;
  const before = range.from === 0 ? terms.initialCash : held[range.from - 1]!;
  const change = held[range.to]! / before - 1;
  const path = held.slice(range.from, range.to + 1).map((value) => value!);
  const mean = path.reduce((sum, value) => sum + value, 0) / path.length;
  return {
    totalReturn: change,
    cagr: years > 0 ? (1 + change) ** (1 / years) - 1 : null,
    exposure: 1,
    turnover: years > 0 && range.from === 0 ? before / mean / years : 0,
  };
}

export interface Fall {
  readonly depth: number;
  /**
   * Index of the session of the peak. If the peak is the equity before the range, this is the last session
   * before the range. `trough` is the index of the session with the lowest equity.
   */
  readonly peak: number;
  readonly trough: number;
}

/**
 * Returns the deepest drawdown within a session, bar by bar, as a fraction ≤ 0. The drawdown starts at
 * `peak`, or at a new high in the session.
 *
 * @param peak highest equity before the session
 */
export function depthOf({ equity, inside }: SessionColumns, session: number, peak: number): number {
  const depth = peak > 0 ? (inside?.low[session] ?? equity[session]!) / peak - 1 : 0;
  // A drawdown from a high within the session counts only if this high is at least `peak`. If equity falls
  // below zero, a drawdown from a lower high could otherwise be larger.
  return Math.min(0, depth, highOf({ equity, inside }, session) >= peak ? (inside?.fall[session] ?? 0) : 0);
}

/** Returns the highest equity of a session at the end of any of its bars. */
export function highOf(
  { equity, inside }: Pick<SessionColumns, 'equity' | 'inside'>,
  session: number,
): number {
  return inside?.high[session] ?? equity[session]!;
}

/**
 * Returns the deepest drawdown within a range, bar by bar. If several sessions reach the same highest equity,
 * the drawdown starts in the last of these sessions.
 */
export function fallOf(data: PageData, range: Range): Fall {
  const { sessions } = data;
  let [peak, at] = [equityBefore(data, range), range.from - 1];
  let deepest: Fall = { depth: 0, peak: at, trough: at };
  for (let session = range.from; session <= range.to; session++) {
    const depth = depthOf(sessions, session, peak);
    const high = highOf(sessions, session);
    const isInside = high >= peak && depth === sessions.inside?.fall[session];
    if (depth < deepest.depth) deepest = { depth, peak: isInside ? session : at, trough: session };
    if (high >= peak) [peak, at] = [high, session];
  }
  return deepest;
}

export function sumOf(values: readonly number[], { from, to }: Range): number {
  let sum = 0;
  for (let session = from; session <= to; session++) sum += values[session]!;
  return sum;
}

function barsOf({ inside }: SessionColumns, range: Range): number {
  return inside === null ? range.to - range.from + 1 : sumOf(inside.bars, range);
}

function meanEquityOf(sessions: SessionColumns, range: Range): number {
  return sumOf(sessions.inside?.sum ?? sessions.equity, range) / barsOf(sessions, range);
}

function exposureOf(sessions: SessionColumns, range: Range): number | null {
  let sum = 0;
  for (let session = range.from; session <= range.to; session++) {
    const value = sessions.exposure[session];
    if (value === null || value === undefined) return null;
    sum += value;
  }
  return sum / barsOf(sessions, range);
}

/**
 * Returns the trades closed in a range. If the range includes the last session, trades that are open at the
 * end are included.
 */
export function tradesIn({ rows, sessions }: PageData, { from, to }: Range): TradeRow[] {
  const start = (sessions.first ?? sessions.time)[from]!;
  const end = sessions.time[to]!;
  const isLast = to === sessions.time.length - 1;
  return rows.filter(({ exitTime }) => (exitTime === null ? isLast : exitTime >= start && exitTime <= end));
}

/**
 * Formats a time as a date, followed by the time of day unless it is midnight: `2008-09-15` or
 * `2008-09-15 14:30`.
 *
 * @param seconds seconds since 1970
 */
export function dateText(seconds: number): string {
  const text = new Date(seconds * 1000).toISOString();
  return text.slice(11, 19) === '00:00:00' ? text.slice(0, 10) : minuteText(text);
}

/**
 * Formats the day of a time, for example `2008-09-15`.
 *
 * @param seconds seconds since 1970
 */
export function dayText(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 10);
}

/**
 * Returns the first second of a day such as `2008-09-15`, in seconds since 1970. `undefined` if the text is
 * not a valid date.
 */
export function secondsOf(day: string): number | undefined {
  const time = /^\d{4}-\d\d-\d\d$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN;
  return Number.isNaN(time) ? undefined : time / 1000;
}
