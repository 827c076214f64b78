import type { RunRecord } from '../journal/index.ts';
import { BarBounds, EndedBars, inferInterval } from '../market/index.ts';
import type { BenchmarkSeries } from './benchmark-choice.ts';
import type { EquityColumns } from './equity.ts';
import { evaluationTerms, firstEvaluatedBar } from './evaluation.ts';

/**
 * A series of its own, bought and held. At a bar it is worth what was known when the bar had ended: the close of its newest
 * bar that had ended too, or the open of one under way. So a daily close is not known at its day's first hour.
 */
export function heldSeries(
  record: RunRecord,
  { initialCash, times }: EquityColumns,
  series: BenchmarkSeries,
): Float64Array {
  const cash = initialCash.toNumber();
  const start = firstEvaluatedBar(record) - (record.bars[0]?.bar ?? 0);
  const { mark, evaluateFrom } = evaluationTerms(record);
  const boughtAtOpen = evaluateFrom !== undefined || mark === 'open';
  const priceAt = series.held === true ? engines(series) : pricesOf(record, times, series);
  // What the engine bought and held is equity from the same cash.
  let first = series.held === true && evaluateFrom !== undefined ? cash : Number.NaN;
  return times.map((_, index) => {
    if (index < start) return cash;
    if (Number.isNaN(first)) first = priceAt(times, index, boughtAtOpen ? 'open' : 'close');
    const price = priceAt(times, index, mark === 'open' ? 'open' : 'close');
    return Number.isNaN(first) || Number.isNaN(price) ? cash : (cash * price) / first;
  });
}

type PriceAt = (times: Float64Array, bar: number, moment: 'open' | 'close') => number;

/** What the engine held has a value at each of the run's own bars. */
function engines({ times: own, closes, opens = closes }: BenchmarkSeries): PriceAt {
  let at = -1;
  return (times, bar, moment) => {
    while (at + 1 < own.length && own[at + 1]! <= times[bar]!) at += 1;
    return (moment === 'open' ? opens : closes)[at] ?? Number.NaN;
  };
}

function pricesOf(record: RunRecord, runTimes: Float64Array, series: BenchmarkSeries): PriceAt {
  const { barTimes = 'start' } = evaluationTerms(record);
  const time = Float64Array.from(series.times);
  const close = Float64Array.from(series.closes);
  // Without opens, a bar under way is worth the close before it.
  const open = Float64Array.from(close, (value, bar) => series.opens?.[bar] ?? close[bar - 1] ?? value);
  const columns = { symbol: series.name, time, open, high: close, low: close, close, volume: close };
  const interval = inferInterval(runTimes)?.interval ?? inferInterval(time)?.interval;
  const bounds = new BarBounds({ clock: runTimes, ...(interval && { interval }) }, barTimes);
  // Each is read forward in time.
  const [atOpens, atCloses] = [new EndedBars(columns, barTimes), new EndedBars(columns, barTimes)];
  return (_, bar, moment) =>
    moment === 'open'
      ? atOpens.priceAt(bounds.startOf(bar), 'open')
      : atCloses.priceAt(bounds.endOf(bar), 'close');
}
