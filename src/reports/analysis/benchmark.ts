import type { RunRecord } from '../../journal/index.ts';
import type { EquityColumns } from '../equity.ts';
import { mean, type Undefined, undefinedBecause } from '../figures.ts';
import { unitsBetween } from './splits.ts';

/** Said wherever a report shows the benchmark. */
export const BENCHMARK_CONVENTION =
  'buy and hold of the same data: the initial cash in equal parts, each bought at its symbol’s first close, without costs; splits and delistings count, dividends and exchange rates do not';

/**
 * What buying and holding the run's own data would have been worth at each bar.
 *
 * A part whose symbol has no bar yet stays in cash.
 *
 * @returns equity by bar, or why there is none
 */
export function buyAndHold(record: RunRecord, { initialCash }: EquityColumns): Float64Array | Undefined {
  const symbols = record.started.symbols.length;
  if (record.bars.length === 0) return undefinedBecause('no bar was walked');
  if (record.bars.some((bar) => bar.prices === undefined))
    return undefinedBecause('the journal has no prices in its bars');
  const part = initialCash.toNumber() / symbols;
  const worth = new Float64Array(symbols).fill(part);
  const firstClose = new Float64Array(symbols).fill(Number.NaN);
  const splits = unitsBetween(record);
  const bought = new Float64Array(symbols);
  const equity = new Float64Array(record.bars.length);
  const worthAt = (symbol: number, price: number, bar: number): number => {
    const units = splits(record.started.symbols[symbol]!, bought[symbol]!, bar);
    return (part * price * units) / firstClose[symbol]!;
  };
  for (const [index, bar] of record.bars.entries()) {
    for (let symbol = 0; symbol < symbols; symbol++) {
      const close = bar.prices?.[symbol]?.[3];
      if (close === undefined) continue;
      if (Number.isNaN(firstClose[symbol]!)) {
        firstClose[symbol] = close;
        bought[symbol] = index;
      }
      worth[symbol] = worthAt(symbol, close, index);
    }
    for (const delisting of record.delistings) {
      const symbol = record.started.symbols.indexOf(delisting.symbol);
      if (delisting.bar === index && !Number.isNaN(firstClose[symbol]!))
        worth[symbol] = worthAt(symbol, Number(delisting.price), index);
    }
    equity[index] = worth.reduce((total, value) => total + value, 0);
  }
  return equity;
}

export interface Regression {
  /** Per session, as a fraction. */
  readonly alpha: number;
  readonly beta: number;
  readonly correlation: number;
}

/**
 * Ordinary least squares of a run's session returns on the benchmark's.
 *
 * @param returns simple returns by session
 * @param benchmark simple returns of the same sessions
 */
export function regression(returns: ArrayLike<number>, benchmark: ArrayLike<number>): Regression | Undefined {
  const count = returns.length;
  if (count < 2) return undefinedBecause('fewer than two session returns');
  const [centre, benchmarkCentre] = [mean(returns), mean(benchmark)];
  let [covariance, variance, benchmarkVariance] = [0, 0, 0];
  for (let index = 0; index < count; index++) {
    const own = returns[index]! - centre;
    const other = benchmark[index]! - benchmarkCentre;
    covariance += own * other;
    variance += own * own;
    benchmarkVariance += other * other;
  }
  if (benchmarkVariance <= count * (4 * Number.EPSILON) ** 2)
    return undefinedBecause('the benchmark does not move');
  const beta = covariance / benchmarkVariance;
  return {
    alpha: centre - beta * benchmarkCentre,
    beta,
    correlation: variance === 0 ? 0 : covariance / Math.sqrt(variance * benchmarkVariance),
  };
}
