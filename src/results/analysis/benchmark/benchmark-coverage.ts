import type { RunRecord } from '../../../journal/index.ts';
import { DAY, formatInstant, type Instant } from '../../../kernel/index.ts';
import { BarBounds, inferInterval, intervalOf } from '../../../market/index.ts';
import type { EquityColumns } from '../figures/equity.ts';
import { type Undefined, undefinedBecause } from '../figures/figures.ts';
import { sessionsOf } from '../figures/sessions.ts';
import { evaluationTerms, firstEvaluatedBar } from '../summary/evaluation.ts';

/** Range of a run's bars that a benchmark covers, as indices of the run's columns. Both ends are included. */
export interface Coverage {
  readonly from: number;
  readonly to: number;
}

/**
 * Tolerance for missing closes, in milliseconds. A gap between two closes is missing data only if the gap is
 * longer than the median gap plus this time. Holidays of exchanges are shorter.
 */
const HOLIDAYS = 4 * DAY;

/**
 * Returns the bars of a run that its benchmark covers. A benchmark of all symbols of the run always covers
 * the whole run: until a symbol has its first bar, its part of the initial cash is not invested.
 *
 * @returns the covered bars, or a reason: fewer than two bars are covered, or closes are missing
 */
export function coverageOf(
  record: RunRecord,
  { times }: EquityColumns,
  choice: BenchmarkChoice,
): Coverage | Undefined {
  if (typeof choice === 'object' && choice.held !== true) return seriesCoverage(times, choice);
  const name = typeof choice === 'object' ? choice.name : choice;
  const symbol = name === undefined ? -1 : record.started.symbols.indexOf(name);
  return symbol < 0 ? { from: 0, to: times.length - 1 } : symbolCoverage(record, times, symbol);
}

/**
 * Returns the reason why a series cannot be the benchmark of bars at these times: it covers fewer than two of
 * the bars, or it has gaps. `undefined` if the series can be the benchmark.
 */
export function benchmarkFault(series: BenchmarkSeries, times: ArrayLike<number>): string | undefined {
  const found = seriesCoverage(Float64Array.from(times), series);
  return 'reason' in found ? found.reason : undefined;
}

/** Returns true if a benchmark does not cover the whole run. */
export function isCut({ from, to }: Coverage, bars: number): boolean {
  return from > 0 || to < bars - 1;
}

function seriesCoverage(times: Float64Array, series: BenchmarkSeries): Coverage | Undefined {
  const { name, times: own } = series;
  const [first, last] = [own[0]!, own[own.length - 1]!];
  const tolerance = medianGap(own) + HOLIDAYS;
  const from = times.findIndex((time) => time >= first);
  const to = times.findLastIndex((time) => time <= last + tolerance);
  const isWhole = from === 0 && to === times.length - 1;
  if (from < 0 || from > to || (from === to && !isWhole)) {
    const [begins, ends] = [times[0]!, times.at(-1)!].map(formatInstant);
    return undefinedBecause(
      `${name} has closes from ${formatInstant(first)} to ${formatInstant(last)}, the run is from ${begins} to ${ends}`,
    );
  }
  for (let at = 1; at < own.length; at++) {
    const [before, after] = [own[at - 1]!, own[at]!];
    if (after - before > tolerance && before < times[to]! && after > times[from]!)
      return undefinedBecause(
        `${name} has no close between ${formatInstant(before)} and ${formatInstant(after)}`,
      );
  }
  return { from, to };
}

function symbolCoverage(record: RunRecord, times: Float64Array, symbol: number): Coverage | Undefined {
  const { bars, delistings } = record;
  const name = record.started.symbols[symbol]!;
  const hasPrice = ({ prices }: RunRecord['bars'][number]): boolean => (prices?.[symbol] ?? null) !== null;
  const from = bars.findIndex(hasPrice);
  const last = bars.findLastIndex(hasPrice);
  if (from < 0) return undefinedBecause(`${name} has no bar in this run`);
  const tolerance = medianGap(times) + HOLIDAYS;
  const isDelisted = delistings.some((one) => one.symbol === name);
  const to = isDelisted ? bars.length - 1 : times.findLastIndex((time) => time <= times[last]! + tolerance);
  if (from === to && bars.length > 1) return undefinedBecause(`${name} has a single bar in this run`);
  return { from, to };
}

function medianGap(times: ArrayLike<number>): number {
  if (times.length < 2) return 0;
  const gaps = new Float64Array(times.length - 1);
  for (let at = 1; at < times.length; at++) gaps[at - 1] = times[at]! - times[at - 1]!;
  gaps.sort();
  return gaps[(gaps.length - 1) >> 1]!;
}

/**
 * Returns the number of units at the open of bar `to` for one unit at the close of bar `from`. The number
 * differs from 1 after a split.
 */
type UnitsBetween = (symbol: string, from: number, to: number) => number;

/**
 * Returns a function that converts units across a run's splits. The function makes prices before and after a
 * split comparable.
 */
export function unitsBetween({ splits }: Pick<RunRecord, 'splits'>): UnitsBetween {
  const known = splits.map(({ symbol, bar, ratio }) => {
    const [to = 1, from = 1] = ratio.split(':').map(Number);
    return { symbol, bar, units: to / from };
  });
  return (symbol, from, to) =>
    known.reduce(
      (units, split) =>
        split.symbol === symbol && split.bar > from && split.bar <= to ? units * split.units : units,
      1,
    );
}

/** Series of a benchmark: closes from a separate file, or equity of the engine's buy-and-hold run. */
export interface BenchmarkSeries {
  readonly name: string;
  /**
   * True if the series is the equity of a buy-and-hold run by the engine. Such a series includes dividends
   * and interest.
   */
  readonly held?: boolean;
  /** Times of the closes in milliseconds since 1970, rising. */
  readonly times: ArrayLike<number>;
  readonly closes: ArrayLike<number>;
  /**
   * Open of each bar of the series. Used as the purchase price if the run has an evaluation date
   * (`evaluateFrom`) or values positions at opens. Default: the previous close.
   */
  readonly opens?: ArrayLike<number>;
}

/**
 * Choice of the benchmark: one of the run's symbols, or a separate series. Default: all symbols of the run.
 */
export type BenchmarkChoice = string | BenchmarkSeries | undefined;

/**
 * Computes the equity of buying and holding a separate series, at each bar of the run.
 *
 * Each bar of the series belongs to one session of the run. For example, a daily close of the series is used
 * from the last bar of the session. At earlier bars of the session, the daily open of the series is used.
 */
export function heldSeries(record: RunRecord, columns: EquityColumns, series: BenchmarkSeries): Float64Array {
  const { initialCash, times } = columns;
  const cash = initialCash.toNumber();
  const start = firstEvaluatedBar(record) - (record.bars[0]?.bar ?? 0);
  const { mark, evaluateFrom } = evaluationTerms(record);
  const boughtAtOpen = evaluateFrom !== undefined || mark === 'open';
  const priceAt = series.held === true ? engines(times, series) : pricesOf(columns, series);
  // A buy-and-hold run by the engine starts with the same cash as the run. If the run has an evaluation date,
  // the benchmark's value at its purchase (`first`) is therefore this cash.
  let first = series.held === true && evaluateFrom !== undefined ? cash : Number.NaN;
  return times.map((_, index) => {
    if (index < start) return cash;
    if (Number.isNaN(first)) first = priceAt(index, boughtAtOpen ? 'open' : 'close');
    const price = priceAt(index, mark === 'open' ? 'open' : 'close');
    return Number.isNaN(first) || Number.isNaN(price) ? cash : (cash * price) / first;
  });
}

/** Returns the price of the benchmark at a bar of the run. Must be called with bars in rising order. */
type PriceAt = (bar: number, moment: 'open' | 'close') => number;

/**
 * Returns a function for the equity of the engine's buy-and-hold run, which is known at each bar of the run.
 */
function engines(times: Float64Array, { times: own, closes, opens = closes }: BenchmarkSeries): PriceAt {
  let at = -1;
  return (bar, moment) => {
    while (at + 1 < own.length && own[at + 1]! <= times[bar]!) at += 1;
    return (moment === 'open' ? opens : closes)[at] ?? Number.NaN;
  };
}

function pricesOf(columns: EquityColumns, { name, times, closes, opens }: BenchmarkSeries): PriceAt {
  const time = Float64Array.from(times);
  const close = Float64Array.from(closes);
  // If the series has no opens, the previous close is used as the open of a bar.
  const open = Float64Array.from(close, (value, bar) => opens?.[bar] ?? close[bar - 1] ?? value);
  const interval = intervalOf({ symbol: name, time, open, high: close, low: close, close, volume: close });
  const { barTimes = 'start' } = columns;
  const runInterval = inferInterval(columns.times)?.interval ?? interval;
  const run = new BarBounds(
    { clock: columns.times, ...(runInterval && { interval: runInterval }) },
    barTimes,
  );
  const own = new BarBounds({ clock: time, ...(interval && { interval }) }, barTimes);
  const { ends, firsts } = countedEnds(columns, run, own, {
    count: time.length,
    isMeasured: interval !== undefined,
    isLonger: (interval?.milliseconds ?? Number.POSITIVE_INFINITY) > (runInterval?.milliseconds ?? 0),
  });
  let [ended, endedBefore] = [0, 0];
  const forward = (from: number, instant: Instant): number => {
    let count = from;
    while (count < time.length && ends[count]! <= instant) count += 1;
    return count;
  };
  const begins = (bar: number): Instant => (bar < time.length ? own.startOf(bar) : Number.POSITIVE_INFINITY);
  return (bar, moment) => {
    const [start, end] = [run.startOf(bar), run.endOf(bar)];
    ended = forward(ended, end);
    if (moment === 'close') return begins(ended) < end ? open[ended]! : (close[ended - 1] ?? Number.NaN);
    endedBefore = forward(endedBefore, start);
    if (begins(endedBefore) > start) {
      // The next bar of the series begins later than this bar of the run. An example is the first hourly bar
      // of an exchange within a daily bar. If the hourly bar begins before the daily bar ends, its open is
      // used.
      return begins(endedBefore) < end ? open[endedBefore]! : (close[endedBefore - 1] ?? Number.NaN);
    }
    const isOver = ends[endedBefore]! <= end && firsts[endedBefore]! < bar;
    return isOver ? close[endedBefore]! : open[endedBefore]!;
  };
}

/**
 * Returns the time from which each bar of a benchmark counts as closed.
 *
 * Usually, this time is the end of the benchmark's bar. If the last bar or session of the run within the
 * benchmark's bar ends earlier, the end of this last bar or session is used. A daily close therefore belongs
 * to its session, even if the session ends early. A bar or session of the run counts as within the
 * benchmark's bar that contains the middle of this bar or session.
 */
function countedEnds(
  columns: EquityColumns,
  run: BarBounds,
  own: BarBounds,
  {
    count,
    isMeasured,
    isLonger,
  }: { readonly count: number; readonly isMeasured: boolean; readonly isLonger: boolean },
): { readonly ends: Float64Array; readonly firsts: Int32Array } {
  const ends = new Float64Array(count).fill(Number.POSITIVE_INFINITY);
  if (isMeasured || columns.barTimes === 'end')
    for (let bar = 0; bar < count; bar++) ends[bar] = own.endOf(bar);
  const over = Float64Array.from(ends);
  /**
   * Index of the first bar of the run within each bar of the benchmark. If there is no such bar, the number
   * of the run's bars.
   */
  const firsts = new Int32Array(count).fill(columns.times.length);
  const meet = (lasts: ArrayLike<number>): void => {
    const met = new Float64Array(count).fill(Number.POSITIVE_INFINITY);
    let at = -1;
    for (let span = 0; span < lasts.length; span++) {
      const first = span === 0 ? 0 : lasts[span - 1]! + 1;
      const [start, end] = [run.startOf(first), run.endOf(lasts[span]!)];
      const middle = start + (end - start) / 2;
      while (at + 1 < count && own.startOf(at + 1) <= middle) at += 1;
      if (at < 0 || middle >= over[at]!) continue;
      met[at] = end;
      firsts[at] = Math.min(firsts[at]!, first);
    }
    for (let bar = 0; bar < count; bar++) ends[bar] = Math.min(ends[bar]!, met[bar]!);
  };
  if (isLonger) meet(Int32Array.from(columns.times, (_, bar) => bar));
  meet(sessionsOf(columns).lastBars);
  return { ends, firsts };
}
