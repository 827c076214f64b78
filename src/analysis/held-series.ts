import type { RunRecord } from '../journal/index.ts';
import type { Instant } from '../kernel/index.ts';
import { BarBounds, inferInterval, intervalOf } from '../market/index.ts';
import type { BenchmarkSeries } from './benchmark-choice.ts';
import type { EquityColumns } from './equity.ts';
import { evaluationTerms, firstEvaluatedBar } from './evaluation.ts';
import { sessionsOf } from './sessions.ts';

/**
 * Equity of buying and holding a separate series. Computed after the run, so each bar of the series counts
 * for the run's session in which it lies. A daily close counts from the session's last bar, and the daily
 * open until then.
 */
export function heldSeries(record: RunRecord, columns: EquityColumns, series: BenchmarkSeries): Float64Array {
  const { initialCash, times } = columns;
  const cash = initialCash.toNumber();
  const start = firstEvaluatedBar(record) - (record.bars[0]?.bar ?? 0);
  const { mark, evaluateFrom } = evaluationTerms(record);
  const boughtAtOpen = evaluateFrom !== undefined || mark === 'open';
  const priceAt = series.held === true ? engines(times, series) : pricesOf(columns, series);
  // A series of the engine's buy-and-hold run is equity from the same cash.
  let first = series.held === true && evaluateFrom !== undefined ? cash : Number.NaN;
  return times.map((_, index) => {
    if (index < start) return cash;
    if (Number.isNaN(first)) first = priceAt(index, boughtAtOpen ? 'open' : 'close');
    const price = priceAt(index, mark === 'open' ? 'open' : 'close');
    return Number.isNaN(first) || Number.isNaN(price) ? cash : (cash * price) / first;
  });
}

/** Returns a price at a bar. Bars must be requested in order. */
type PriceAt = (bar: number, moment: 'open' | 'close') => number;

/** The engine's buy-and-hold run has a value at each bar of the run. */
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
  // Without opens, an unfinished bar is valued at the previous close.
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
      // The first hour of a day ends after the start of the daily bar.
      return begins(endedBefore) < end ? open[endedBefore]! : (close[endedBefore - 1] ?? Number.NaN);
    }
    const isOver = ends[endedBefore]! <= end && firsts[endedBefore]! < bar;
    return isOver ? close[endedBefore]! : open[endedBefore]!;
  };
}

/**
 * Returns the time from which each bar of a benchmark counts as closed.
 *
 * This is the end of the bar, or the end of the last bar or session of the run whose middle lies in the bar,
 * whichever is earlier. A daily close therefore belongs to its session, even if the session ends early.
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
  /** First bar of the run in each bar of the benchmark. */
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
