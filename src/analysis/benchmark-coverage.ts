import type { RunRecord } from '../journal/index.ts';
import { DAY, formatInstant } from '../kernel/index.ts';
import type { BenchmarkChoice, BenchmarkSeries } from './benchmark-choice.ts';
import type { EquityColumns } from './equity.ts';
import { type Undefined, undefinedBecause } from './figures.ts';

/** Bars of a run, by their places in its columns, that a benchmark has closes for; both ends included. */
export interface Coverage {
  readonly from: number;
  readonly to: number;
}

/** Days over which a close is still taken for the newest: the longest holidays of exchanges. */
const HOLIDAYS = 4 * DAY;

/**
 * Which bars of a run its benchmark covers. A part of a portfolio whose symbol has no bar yet waits in cash, so that all
 * of a run's symbols together always cover it.
 *
 * @returns why there is no benchmark where fewer than two bars of the run are covered, or where closes are missing between
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
 * Why a series can be no benchmark of bars at these instants: it covers fewer than two of them, or has holes; undefined
 * for one that can.
 */
export function benchmarkFault(series: BenchmarkSeries, times: ArrayLike<number>): string | undefined {
  const found = seriesCoverage(Float64Array.from(times), series);
  return 'reason' in found ? found.reason : undefined;
}

/** Whether a benchmark leaves out a part of the run. */
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
