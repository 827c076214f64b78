import { pairedResamples } from './bootstrap.ts';
import { completed, pathIntervalSteps, type Steps } from './path-intervals.ts';
import {
  ENOUGH_SESSIONS,
  PATH_FIGURES,
  type PathFigure,
  type PathTerms,
  pathFigures,
  roundingOf,
  standardDeviation,
  TOO_FEW,
  type Undefined,
  undefinedBecause,
} from './ratios.ts';
import type { Draw } from './resamples.ts';

/** Names of the rows of the main table of a report, in the order of the table. */
export const BENCHMARK_ROWS = [...PATH_FIGURES, 'exposure', 'turnover'] as const;
export type BenchmarkRowName = (typeof BENCHMARK_ROWS)[number];

/**
 * Figure of a run, of its benchmark, and of the benchmark at the run's volatility. `null` if a figure is
 * undefined.
 *
 * A benchmark may cover only a part of the run. `own` is always a figure of the whole run. All other fields
 * refer to the covered part, so `difference` may differ from `own` minus the benchmark.
 */
export interface BenchmarkRow {
  readonly name: BenchmarkRowName;
  readonly own: number | null;
  readonly benchmark: number | null;
  readonly scaled: number | null;
  /**
   * Series that `difference` refers to. Volatility and turnover are compared with the unscaled benchmark,
   * because scaling makes the volatilities equal.
   */
  readonly against: 'scaled' | 'benchmark';
  readonly difference: number | null;
  /**
   * Lower bound of the 95 % interval of `difference`. `low` and `high` are `null` if there are too few
   * sessions, or if the figure cannot be computed from session returns.
   */
  readonly low: number | null;
  readonly high: number | null;
  /**
   * Conclusion about the run from the interval. `null` if the interval contains 0 or is missing, or if
   * neither direction of the figure is better.
   */
  readonly supports: 'better' | 'worse' | null;
}

/**
 * Returns the run's figure for the bars that the benchmark covers: the whole run, or a part of it.
 *
 * @param isWhole true if the benchmark covers the whole run
 */
export function comparedOwn(
  { own, scaled, benchmark, against, difference }: BenchmarkRow,
  isWhole: boolean,
): number | null {
  if (isWhole) return own;
  const other = against === 'scaled' ? scaled : benchmark;
  return difference === null || other === null ? null : other + difference;
}

/** Figures computed from bars or fills. These figures replace less exact figures from session returns. */
export type KnownFigures = Partial<Record<BenchmarkRowName, number | null>>;

interface BenchmarkRowsSource {
  /** Session returns of the run. `undefined` if the run has none. */
  readonly own: Float64Array | undefined;
  /** Benchmark returns of the same sessions. `undefined` without a benchmark. */
  readonly held: Float64Array | undefined;
  readonly terms: PathTerms;
  readonly known: KnownFigures;
  /** Figures of the whole run, if `own` and `held` cover only a part of it. */
  readonly whole?: KnownFigures;
  readonly knownHeld: KnownFigures;
  /** Function that draws the bootstrap resamples for the intervals. `undefined` to omit intervals. */
  readonly draw: Draw | undefined;
}

/** Largest difference that is treated as float64 rounding. */
const ROUNDING = 1e-9;
const NEITHER: ReadonlySet<BenchmarkRowName> = new Set(['volatility', 'exposure', 'turnover']);

/** Computes the rows of the main table of a report. */
export function benchmarkRows(source: BenchmarkRowsSource): BenchmarkRow[] {
  return completed(benchmarkSteps(source));
}

/**
 * Computes the rows of `benchmarkRows` in steps, so that an HTML page can respond to the user between two
 * steps.
 */
export function* benchmarkSteps({
  own,
  held: benchmark,
  terms,
  known: ownKnown,
  whole,
  knownHeld,
  draw,
}: BenchmarkRowsSource): Steps<BenchmarkRow[]> {
  const pair: PairedReturns | undefined =
    own === undefined || benchmark === undefined ? undefined : { own, benchmark };
  const equal = pair === undefined ? undefined : atEqualVolatility(pair, terms.riskFree);
  const scaled = equal === undefined || 'reason' in equal ? undefined : equal;
  const ofOwn = own && pathFigures(own, terms);
  const ofBenchmark = pair && pathFigures(pair.benchmark, terms);
  const ofScaled = scaled && pathFigures(scaled.returns, terms);
  const isEnough = pair !== undefined && pair.own.length >= ENOUGH_SESSIONS;
  const intervals =
    isEnough && draw !== undefined && scaled !== undefined && scaled.scale > 0
      ? yield* pathIntervalSteps(
          pair.own,
          scaled.returns,
          terms,
          pairedResamples(pair.own, scaled.returns, draw),
          scaled.scale,
        )
      : undefined;
  return BENCHMARK_ROWS.map((name) => {
    const path = (figures: Readonly<Record<PathFigure, number>> | undefined): number | null =>
      figures === undefined || !(name in figures) ? null : defined(figures[name as PathFigure]);
    const known = (figures: KnownFigures, other: number | null): number | null =>
      name in figures ? defined(figures[name] ?? Number.NaN) : other;
    const [mine, held] = [known(ownKnown, path(ofOwn)), known(knownHeld, path(ofBenchmark))];
    const other = name === 'exposure' ? times(held, scaled?.scale) : path(ofScaled);
    const against = name === 'volatility' || name === 'turnover' ? 'benchmark' : 'scaled';
    const to = against === 'scaled' ? other : held;
    const bounds = intervals?.[name as PathFigure];
    const difference = mine === null || to === null ? null : mine - to;
    const [low, high] =
      bounds === undefined || difference === null ? [null, null] : [bounds.low, bounds.high];
    return {
      name,
      own: whole !== undefined && name in whole ? defined(whole[name] ?? Number.NaN) : mine,
      benchmark: held,
      scaled: other,
      against,
      difference,
      low,
      high,
      supports: supported(name, low, high),
    };
  });
}

function supported(
  name: BenchmarkRowName,
  low: number | null,
  high: number | null,
): BenchmarkRow['supports'] {
  if (low === null || high === null || NEITHER.has(name)) return null;
  return low > ROUNDING ? 'better' : high < -ROUNDING ? 'worse' : null;
}

function defined(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

function times(value: number | null, factor: number | undefined): number | null {
  return value === null || factor === undefined ? null : value * factor;
}

/** Session returns of a run and of its benchmark for the same sessions. */
export interface PairedReturns {
  readonly own: Float64Array;
  readonly benchmark: Float64Array;
}

/**
 * Returns the session returns of the benchmark at the run's volatility: a scaled position in the benchmark.
 * The remaining money is lent or borrowed at the risk-free rate.
 *
 * @param riskFree risk-free rate per session
 */
export function atEqualVolatility(
  { own, benchmark }: PairedReturns,
  riskFree: number,
): { readonly scale: number; readonly returns: Float64Array } | Undefined {
  if (own.length < 2) return TOO_FEW;
  const deviation = standardDeviation(benchmark);
  if (deviation <= roundingOf(benchmark)) return undefinedBecause('the benchmark does not move');
  const scale = standardDeviation(own) / deviation;
  const returns = new Float64Array(benchmark.length);
  for (let index = 0; index < returns.length; index++)
    returns[index] = riskFree + scale * (benchmark[index]! - riskFree);
  return { scale, returns };
}

export function compounded(returns: Float64Array): number | Undefined {
  let worth = 1;
  for (let index = 0; index < returns.length; index++) {
    worth *= 1 + returns[index]!;
    if (worth <= 0) return undefinedBecause('the benchmark at equal volatility loses everything');
  }
  return worth - 1;
}
