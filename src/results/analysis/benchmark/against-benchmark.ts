import type { RunRecord } from '../../../journal/index.ts';
import type { EquityColumns } from '../figures/equity.ts';
import { type Figure, figure, type Undefined } from '../figures/figures.ts';
import { sessionReturns } from '../figures/returns.ts';
import { type Sessions, sessionsOf } from '../figures/sessions.ts';
import { evaluationTerms } from '../summary/evaluation.ts';
import {
  type BenchmarkChoice,
  benchmarkConvention,
  benchmarkName,
  buyAndHold,
  regression,
} from './benchmark.ts';
import { type Coverage, coverageOf, isCut } from './benchmark-coverage.ts';
import {
  type Annualising,
  type PairedReturns,
  type RelativeFigures,
  relativeFigures,
} from './relative-figures.ts';

/** Comparison of a run with buying and holding the benchmark. */
export interface BenchmarkFigures extends RelativeFigures {
  readonly benchmarkReturn: Figure;
  readonly alpha: Figure;
  readonly beta: Figure;
  readonly correlation: Figure;
  /** `null` if the benchmark covers the whole run, or without a benchmark. */
  readonly commonPeriod: CommonPeriod | null;
}

/** Part of a run that its benchmark covers. All figures against the benchmark refer to these bars. */
export interface CommonPeriod {
  readonly firstBar: string;
  readonly lastBar: string;
  readonly bars: number;
  /**
   * Return of the run from the close of the first covered bar to the close of the last one. `null` if
   * undefined.
   */
  readonly ownReturn: number | null;
}

/** Benchmark over the bars of a run. */
export interface Benchmark {
  /** Equity by bar, NaN where the benchmark does not cover the run. `undefined` without a benchmark. */
  readonly equity: Float64Array | undefined;
  /**
   * Returns for the same sessions as the run's. NaN where the benchmark does not cover the run. `undefined`
   * without returns.
   */
  readonly returns: Float64Array | undefined;
  /** Session returns of run and benchmark over their common sessions. */
  readonly pair: PairedReturns | Undefined;
  /** Bars that the benchmark covers. `undefined` without a benchmark. */
  readonly covered: Coverage | undefined;
  readonly figures: BenchmarkFigures;
}

// Figures and pages use the same benchmark, and computing it for a million bars is slow.
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

/** Returns of the sessions that begin and end within the part that the benchmark covers. */
function pairOf(own: Float64Array, { returns, covered, sessions }: Held): PairedReturns | Undefined {
  if ('reason' in returns) return returns;
  const first = sessions.lastBars.findIndex((bar) => bar >= covered.from);
  const last = sessions.lastBars.findLastIndex((bar) => bar <= covered.to);
  // If the equity before the first session is known, there is an additional first return.
  const [from, to] = sessions.start === undefined ? [first, last] : [first === 0 ? 0 : first + 1, last + 1];
  return { own: own.subarray(from, to), benchmark: returns.subarray(from, to) };
}

function commonPeriod({ dates, equity }: EquityColumns, { from, to }: Coverage): CommonPeriod {
  const [first, last] = [equity[from]!, equity[to]!];
  return {
    firstBar: dates[from]!,
    lastBar: dates[to]!,
    bars: to - from + 1,
    ownReturn: first > 0 ? last / first - 1 : null,
  };
}
