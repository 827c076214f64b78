import { type BarSource, priceReader, sourceOfBars } from '../../../engine/index.ts';
import type { RunRecord } from '../../../journal/index.ts';
import type { EquityColumns } from '../figures/equity.ts';
import { mean, NO_BARS, type Undefined, undefinedBecause } from '../figures/figures.ts';
import { type EvaluationTerms, evaluationTerms, firstEvaluatedBar } from '../summary/evaluation.ts';
import {
  type BenchmarkChoice,
  type BenchmarkSeries,
  coverageOf,
  heldSeries,
  unitsBetween,
} from './benchmark-coverage.ts';

export type { BenchmarkChoice, BenchmarkSeries };

/** Returns the name of the benchmark. `undefined` for the benchmark of all symbols of the run. */
export function benchmarkName(choice: BenchmarkChoice): string | undefined {
  return typeof choice === 'object' ? choice.name : choice;
}

/**
 * Returns the explanation of the benchmark that every report shows.
 *
 * @param terms settings of the run. With `evaluateFrom` or `mark: 'open'`, the benchmark is bought at an open
 *   instead of a close
 */
export function benchmarkConvention(
  choice: BenchmarkChoice,
  { evaluateFrom, mark }: Pick<EvaluationTerms, 'evaluateFrom' | 'mark'> = { mark: 'close' },
): string {
  const terms = 'without costs; splits and delistings count, dividends and exchange rates do not';
  const price = evaluateFrom !== undefined || mark === 'open' ? 'open' : 'close';
  const first = evaluateFrom === undefined ? `first ${price}` : 'first open of the bars that count';
  const valued = mark === 'open' ? ', valued at opens' : '';
  if (choice === undefined)
    return `buy and hold of the same data: the initial cash in equal parts, each bought at the ${first} of its symbol${valued}, ${terms}`;
  if (typeof choice === 'string')
    return `buy and hold of ${choice}, bought at its ${first}${valued}, ${terms}`;
  if (choice.held === true)
    return `buy and hold of ${choice.name} by the engine: the initial cash in equal parts, each bought at its symbol’s ${evaluateFrom === undefined ? 'first close' : first}${valued}, without costs; splits, delistings, dividends (kept in cash) and exchange rates count`;
  const bought = price === 'open' ? `bought at the ${first}` : 'bought at the first';
  return `buy and hold of ${choice.name}, a separate series: latest close, with each of its bars assigned to the session that contains it, ${bought}${valued}, without costs; splits and dividends count if its prices are adjusted for them`;
}

/**
 * Returns the equity of buying and holding the benchmark at each bar. Until a symbol has its first bar, its
 * part of the initial cash is not invested.
 *
 * @returns equity by bar, NaN where the benchmark does not cover the run, or the reason why the benchmark is
 *   missing
 */
export function buyAndHold(
  record: RunRecord,
  columns: EquityColumns,
  choice?: BenchmarkChoice,
): Float64Array | Undefined {
  if (record.bars.length === 0) return NO_BARS;
  const held = heldWhole(record, columns, choice);
  if ('reason' in held) return held;
  const covered = coverageOf(record, columns, choice);
  if ('reason' in covered) return covered;
  held.fill(Number.NaN, 0, covered.from);
  held.fill(Number.NaN, covered.to + 1);
  return held;
}

function heldWhole(
  record: RunRecord,
  columns: EquityColumns,
  choice: BenchmarkChoice,
): Float64Array | Undefined {
  if (typeof choice === 'object') return heldSeries(record, columns, choice);
  const source = sourceOfBars(record.bars);
  if (source === undefined && record.bars.some((bar) => bar.prices === undefined))
    return undefinedBecause('the journal has no prices in its bars');
  const { symbols } = record.started;
  const chosen = symbols
    .map((_, index) => index)
    .filter((index) => choice === undefined || symbols[index] === choice);
  if (chosen.length === 0) return undefinedBecause(`${choice} is not a symbol of the run`);
  if (source === undefined || record.splits.length > 0 || record.delistings.length > 0)
    return heldSymbols(record, columns, chosen);
  // Cache key. All runs on the same market data (`source`) with equal keys share the cached array. Each
  // caller receives a copy, because callers may change the array.
  const key = JSON.stringify([
    columns.initialCash,
    chosen,
    firstEvaluatedBar(record),
    evaluationTerms(record),
    record.bars[0]!.bar,
    record.bars.length,
  ]);
  const known = heldOf.get(source) ?? new Map<string, Float64Array>();
  heldOf.set(source, known);
  const held = known.get(key) ?? heldSymbols(record, columns, chosen);
  if (known.size >= KEPT_HELD) known.clear();
  known.set(key, held);
  return held.slice();
}

const KEPT_HELD = 16;
const heldOf = new WeakMap<BarSource, Map<string, Float64Array>>();

/**
 * Returns the equity of buying and holding symbols of the run. Each symbol receives an equal part of the
 * initial cash.
 *
 * @param chosen indices of these symbols
 */
function heldSymbols(
  record: RunRecord,
  { initialCash }: EquityColumns,
  chosen: readonly number[],
): Float64Array {
  const { symbols } = record.started;
  const part = initialCash.toNumber() / chosen.length;
  const first = firstEvaluatedBar(record);
  const { mark, evaluateFrom } = evaluationTerms(record);
  // A symbol is bought at the price `entry` and valued at the price `valued`.
  const entry = evaluateFrom === undefined && mark === 'close' ? 'close' : 'open';
  const valued = mark === 'open' ? 'open' : 'close';
  const priceAt = priceReader(record.bars);
  const worth = new Float64Array(symbols.length);
  for (const symbol of chosen) worth[symbol] = part;
  const firstPrice = new Float64Array(symbols.length).fill(Number.NaN);
  const splits = unitsBetween(record);
  const bought = new Float64Array(symbols.length);
  const equity = new Float64Array(record.bars.length);
  const worthAt = (symbol: number, price: number, bar: number): number => {
    const units = splits(symbols[symbol]!, bought[symbol]!, bar);
    return (part * price * units) / firstPrice[symbol]!;
  };
  for (let index = 0; index < record.bars.length; index++) {
    // Index of the bar within the whole run. If the record is a part of a run, this index differs from
    // `index`.
    const number = record.bars[index]!.bar;
    for (const symbol of chosen) {
      if (number < first) continue;
      const price = priceAt(index, symbol, valued);
      if (price === undefined) continue;
      if (Number.isNaN(firstPrice[symbol]!)) {
        firstPrice[symbol] = priceAt(index, symbol, entry)!;
        bought[symbol] = number;
      }
      worth[symbol] = worthAt(symbol, price, number);
    }
    for (const delisting of record.delistings) {
      const symbol = symbols.indexOf(delisting.symbol);
      if (delisting.bar === number && chosen.includes(symbol) && !Number.isNaN(firstPrice[symbol]!))
        worth[symbol] = worthAt(symbol, Number(delisting.price), number);
    }
    let total = 0;
    for (let symbol = 0; symbol < worth.length; symbol++) total += worth[symbol]!;
    equity[index] = total;
  }
  return equity;
}

export interface Regression {
  /** Intercept of the regression per session, as a fraction. */
  readonly alpha: number;
  readonly beta: number;
  /**
   * Correlation of the run's and the benchmark's returns. `Undefined` with a reason if the run's returns do
   * not vary.
   */
  readonly correlation: number | Undefined;
}

/**
 * Computes the ordinary least squares regression of a run's session returns on the session returns of its
 * benchmark.
 *
 * @param returns simple session returns of the run
 * @param benchmark simple session returns of the benchmark, for the same sessions
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
    correlation:
      variance <= count * (4 * Number.EPSILON) ** 2
        ? undefinedBecause('session returns do not vary')
        : covariance / Math.sqrt(variance * benchmarkVariance),
  };
}
