import type { RunRecord } from '../../../journal/index.ts';
import { formatInstant } from '../../../kernel/index.ts';
import type { EquityColumns } from '../figures/equity.ts';
import {
  type Figure,
  figure,
  mean,
  standardDeviation,
  type Undefined,
  undefinedBecause,
} from '../figures/figures.ts';
import { roundingOf, sessionReturns, TOO_FEW } from '../figures/returns.ts';
import { type Sessions, sessionsOf } from '../figures/sessions.ts';
import { atEqualVolatility, compounded, type PairedReturns } from '../series/benchmark-rows.ts';
import { evaluationTerms } from '../summary/evaluation.ts';
import {
  type BenchmarkChoice,
  benchmarkConvention,
  benchmarkName,
  buyAndHold,
  type Regression,
  regression,
} from './benchmark.ts';
import { type Coverage, coverageOf, isCut } from './benchmark-coverage.ts';

/** Comparison of a run with buying and holding the benchmark. */
export interface BenchmarkFigures extends RelativeFigures {
  readonly benchmarkReturn: Figure;
  readonly alpha: Figure;
  readonly beta: Figure;
  readonly correlation: Figure;
  /**
   * Period that both the run and the benchmark cover. `null` if the benchmark covers the whole run, or if the
   * run has no benchmark.
   */
  readonly commonPeriod: CommonPeriod | null;
}

/** Bars of a run that its benchmark covers. All figures against the benchmark refer to these bars. */
export interface CommonPeriod {
  readonly firstBar: string;
  readonly lastBar: string;
  readonly bars: number;
  /**
   * Return of the run from the close of the first covered bar to the close of the last covered bar. `null` if
   * undefined.
   */
  readonly ownReturn: number | null;
}

/** Benchmark of a run, aligned to the run's bars and sessions. */
interface Benchmark {
  /**
   * Equity of the benchmark by bar of the run, NaN where the benchmark does not cover the run. `undefined`
   * without a benchmark.
   */
  readonly equity: Float64Array | undefined;
  /**
   * Session returns of the benchmark, for the same sessions as the run's returns. NaN where the benchmark
   * does not cover the run. `undefined` without a benchmark, or if the benchmark's equity is not positive at
   * the end of a session.
   */
  readonly returns: Float64Array | undefined;
  /** Session returns of the run and the benchmark, for the sessions that the benchmark covers. */
  readonly pair: PairedReturns | Undefined;
  /** Bars that the benchmark covers. `undefined` without a benchmark. */
  readonly covered: Coverage | undefined;
  readonly figures: BenchmarkFigures;
}

// Cache by run, because figures and pages use the same benchmark, whose computation is slow for a million
// bars.
const newest = new WeakMap<
  RunRecord,
  { readonly choice: BenchmarkChoice; readonly terms: Annualising; readonly found: Benchmark }
>();

/**
 * Computes a run's benchmark, and the figures of the run against it.
 *
 * @param returns session returns of the run
 */
export function againstBenchmark(
  record: RunRecord,
  columns: EquityColumns,
  returns: Float64Array | Undefined,
  choice: BenchmarkChoice,
  terms: Annualising,
): Benchmark {
  const known = newest.get(record);
  if (
    known !== undefined &&
    known.choice === choice &&
    known.terms.periodsPerYear === terms.periodsPerYear &&
    known.terms.riskFree === terms.riskFree
  )
    return known.found;
  const found = hold(record, columns, returns, choice, terms);
  newest.set(record, { choice, terms, found });
  return found;
}

function hold(
  record: RunRecord,
  columns: EquityColumns,
  returns: Float64Array | Undefined,
  choice: BenchmarkChoice,
  terms: Annualising,
): Benchmark {
  const held = heldAndCovered(record, columns, choice);
  const pair = 'reason' in returns ? returns : 'reason' in held ? held : pairOf(returns, held);
  const fit = 'reason' in pair ? pair : regression(pair.own, pair.benchmark);
  const name = benchmarkName(choice) ?? 'the same data bought and held';
  const least = `session returns on those of ${name}, ordinary least squares`;
  const common =
    'reason' in held || !isCut(held.covered, columns.times.length)
      ? null
      : commonPeriod(columns, held.covered);
  const of = common === null ? '' : `; from ${common.firstBar} to ${common.lastBar} alone`;
  return {
    equity: 'reason' in held ? undefined : held.equity,
    returns: 'reason' in held || 'reason' in held.returns ? undefined : held.returns,
    pair,
    covered: 'reason' in held ? undefined : held.covered,
    figures: {
      benchmarkReturn: figure(
        benchmarkConvention(choice, evaluationTerms(record)) + of,
        'reason' in held ? held : held.equity[held.covered.to]! / columns.initialCash.toNumber() - 1,
      ),
      alpha: figure(`intercept of ${least}; a session, not a year${of}`, 'reason' in fit ? fit : fit.alpha),
      beta: figure(`slope of ${least}${of}`, 'reason' in fit ? fit : fit.beta),
      correlation: figure(
        `of session returns with those of ${name}${of}`,
        'reason' in fit ? fit : fit.correlation,
      ),
      ...relativeFigures(pair, fit, terms, name, of),
      commonPeriod: common,
    },
  };
}

interface Held {
  readonly equity: Float64Array;
  readonly covered: Coverage;
  readonly sessions: Sessions;
  readonly returns: Float64Array | Undefined;
}

function heldAndCovered(
  record: RunRecord,
  columns: EquityColumns,
  choice: BenchmarkChoice,
): Held | Undefined {
  const equity = buyAndHold(record, columns, choice);
  if ('reason' in equity) return equity;
  const covered = coverageOf(record, columns, choice);
  if ('reason' in covered) return covered;
  const sessions = sessionsOf({ ...columns, equity });
  return { equity, covered, sessions, returns: sessionReturns(sessions) };
}

/**
 * Returns the session returns of the run and the benchmark for sessions that begin and end within the covered
 * bars.
 */
function pairOf(own: Float64Array, { returns, covered, sessions }: Held): PairedReturns | Undefined {
  if ('reason' in returns) return returns;
  const first = sessions.lastBars.findIndex((bar) => bar >= covered.from);
  const last = sessions.lastBars.findLastIndex((bar) => bar <= covered.to);
  // If the equity before the first session is known, the first session has a return, and return n belongs to
  // session n. Otherwise return n belongs to session n + 1.
  // The first session begins within the covered bars only if these include the first bar.
  const [from, to] =
    sessions.start === undefined ? [first, last] : [covered.from === 0 ? 0 : first + 1, last + 1];
  return { own: own.subarray(from, to), benchmark: returns.subarray(from, to) };
}

function commonPeriod({ times, equity }: EquityColumns, { from, to }: Coverage): CommonPeriod {
  const [first, last] = [equity[from]!, equity[to]!];
  return {
    firstBar: formatInstant(times[from]!),
    lastBar: formatInstant(times[to]!),
    bars: to - from + 1,
    ownReturn: first > 0 ? last / first - 1 : null,
  };
}

export { atEqualVolatility, type PairedReturns };

/** Session-by-session comparison of a run with its benchmark. */
interface RelativeFigures {
  readonly trackingError: Figure;
  readonly informationRatio: Figure;
  readonly upCapture: Figure;
  readonly downCapture: Figure;
  readonly treynor: Figure;
  /** Volatility of the run divided by the volatility of the benchmark. */
  readonly benchmarkScale: Figure;
  /** Total return of the benchmark at the run's volatility. */
  readonly benchmarkAtEqualVolatility: Figure;
}

/** Rates for annualising session returns. */
export interface Annualising {
  readonly periodsPerYear: number;
  /** Risk-free rate per session, as a fraction. */
  readonly riskFree: number;
}

/**
 * Computes the figures of a run against its benchmark.
 *
 * @param name name of the benchmark
 * @param of description of the bars that the figures cover, appended to the convention of each figure
 */
function relativeFigures(
  pair: PairedReturns | Undefined,
  fit: Regression | Undefined,
  { periodsPerYear, riskFree }: Annualising,
  name: string,
  of = '',
): RelativeFigures {
  const from = (work: (pair: PairedReturns) => number | Undefined): number | Undefined => {
    if ('reason' in pair) return pair;
    return pair.own.length < 2 ? TOO_FEW : work(pair);
  };
  const yearly = Math.sqrt(periodsPerYear);
  const scaled = 'reason' in pair ? pair : atEqualVolatility(pair, riskFree);
  const [up, down] = 'reason' in pair || pair.own.length < 2 ? [] : captures(pair);
  const active = 'reason' in pair ? pair : pair.own.length < 2 ? TOO_FEW : activeReturn(pair);
  return {
    trackingError: figure(
      `sd(returns − those of ${name}, ddof 1) · √P${of}`,
      'reason' in active ? active : active.deviation * yearly,
    ),
    informationRatio: figure(
      `mean(returns − those of ${name}) / sd(the same, ddof 1) · √P${of}`,
      'reason' in active
        ? active
        : active.deviation === 0
          ? undefinedBecause('the run and the benchmark differ by the same each session')
          : (active.mean / active.deviation) * yearly,
    ),
    upCapture: figure(
      `geometric mean of returns over sessions on which ${name} rose / that of ${name}${of}`,
      from(() => up!),
    ),
    downCapture: figure(
      `geometric mean of returns over sessions on which ${name} fell / that of ${name}${of}`,
      from(() => down!),
    ),
    treynor: figure(
      `mean(returns − rf) · P / beta${of}`,
      from(({ own }) => treynorRatio(own, fit, periodsPerYear, riskFree)),
    ),
    benchmarkScale: figure(`volatility / that of ${name}${of}`, 'reason' in scaled ? scaled : scaled.scale),
    benchmarkAtEqualVolatility: figure(
      `total return of ${name} scaled to the run’s volatility, the rest lent or borrowed at rf${of}`,
      'reason' in scaled ? scaled : compounded(scaled.returns),
    ),
  };
}

/**
 * Mean and standard deviation of the run's return minus the benchmark's return, per session. A standard
 * deviation that is only float64 rounding is replaced by 0.
 */
function activeReturn({ own, benchmark }: PairedReturns): {
  readonly mean: number;
  readonly deviation: number;
} {
  const active = new Float64Array(own.length);
  for (let index = 0; index < active.length; index++) active[index] = own[index]! - benchmark[index]!;
  const deviation = standardDeviation(active);
  return {
    mean: mean(active),
    deviation: deviation <= roundingOf(own) + roundingOf(benchmark) ? 0 : deviation,
  };
}

/**
 * Sums for one of the two capture ratios: over the sessions on which the benchmark rose, or over the sessions
 * on which it fell.
 */
interface CaptureSums {
  readonly direction: 'rose' | 'fell';
  count: number;
  own: number;
  benchmark: number;
}

// Computes up and down capture as defined by Morningstar, per session instead of per month.
function captures({ own, benchmark }: PairedReturns): readonly [number | Undefined, number | Undefined] {
  const up: CaptureSums = { direction: 'rose', count: 0, own: 0, benchmark: 0 };
  const down: CaptureSums = { direction: 'fell', count: 0, own: 0, benchmark: 0 };
  for (let index = 0; index < own.length; index++) {
    const other = benchmark[index]!;
    if (!(other > 0 || other < 0)) continue;
    const sums = other > 0 ? up : down;
    sums.count += 1;
    sums.own += Math.log1p(own[index]!);
    sums.benchmark += Math.log1p(other);
  }
  return [captureOf(up), captureOf(down)];
}

function captureOf({ direction, count, own, benchmark }: CaptureSums): number | Undefined {
  if (count === 0) return undefinedBecause(`the benchmark ${direction} on no session`);
  if (own === Number.NEGATIVE_INFINITY || benchmark === Number.NEGATIVE_INFINITY)
    return undefinedBecause('everything was lost on one of the sessions');
  return Math.expm1(own / count) / Math.expm1(benchmark / count);
}

// J. Treynor, "How to Rate Management of Investment Funds" (1965).
function treynorRatio(
  own: Float64Array,
  fit: Regression | Undefined,
  periodsPerYear: number,
  riskFree: number,
): number | Undefined {
  if (fit === undefined) return undefinedBecause('beta is not defined');
  if ('reason' in fit) return fit;
  if (Math.abs(fit.beta) <= 1e-12) return undefinedBecause('beta is 0');
  return ((mean(own) - riskFree) * periodsPerYear) / fit.beta;
}
