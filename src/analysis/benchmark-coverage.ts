import type { RunRecord } from '../journal/index.ts';
import { DAY, formatInstant } from '../kernel/index.ts';
import type { BenchmarkChoice, BenchmarkSeries } from './benchmark-choice.ts';
import type { EquityColumns } from './equity.ts';
import { type Undefined, undefinedBecause } from './figures.ts';

/** Bars of a run that a benchmark covers, as indices of its columns. Both ends are included. */
export interface Coverage {
  readonly from: number;
  readonly to: number;
}

/** Maximum time for which a close stays valid: the longest holidays of exchanges. */
const HOLIDAYS = 4 * DAY;

/**
 * Returns the bars of a run that its benchmark covers. The share of a symbol without a bar yet is cash, so
 * all symbols of a run together always cover it.
 *
 * @returns the reason if fewer than two bars are covered or closes are missing in between
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
 * them, or has gaps. `undefined` if it can.
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
