import type { RunRecord } from '../journal/index.ts';
import {
  type BenchmarkChoice,
  benchmarkConvention,
  benchmarkName,
  buyAndHold,
  regression,
} from './benchmark.ts';
import { type Coverage, coverageOf, isCut } from './benchmark-coverage.ts';
import type { EquityColumns } from './equity.ts';
import { evaluationTerms } from './evaluation.ts';
import { type Figure, figure, type Undefined } from './figures.ts';
import {
  type Annualising,
  type PairedReturns,
  type RelativeFigures,
  relativeFigures,
} from './relative-figures.ts';
import { sessionReturns } from './returns.ts';
import { type Sessions, sessionsOf } from './sessions.ts';

/** A run compared with buying and holding. */
export interface BenchmarkFigures extends RelativeFigures {
  readonly benchmarkReturn: Figure;
  readonly alpha: Figure;
  readonly beta: Figure;
  readonly correlation: Figure;
  /** Null where the benchmark covers the whole run, or there is none. */
  readonly commonPeriod: CommonPeriod | null;
}

/** The part of a run that its benchmark covers: all figures against it are of these bars. */
export interface CommonPeriod {
  readonly firstBar: string;
  readonly lastBar: string;
  readonly bars: number;
  /** The run's own return from the close of the first of them to that of the last; null where it is not defined. */
  readonly ownReturn: number | null;
}

/** A benchmark over the bars of a run. */
export interface Benchmark {
  /** By bar, NaN where the benchmark does not cover the run; undefined where there is none. */
  readonly equity: Float64Array | undefined;
  /** By session, of the same sessions as the run's, NaN as above; undefined where there are none. */
  readonly returns: Float64Array | undefined;
  /** Session returns of both over what they have in common. */
  readonly pair: PairedReturns | Undefined;
  readonly figures: BenchmarkFigures;
}

// Figures and pages ask for the same one, and a million bars take a while.
const newest = new WeakMap<
  RunRecord,
  { readonly choice: BenchmarkChoice; readonly terms: Annualising; readonly found: Benchmark }
>();

/**
 * Works out a run's benchmark, and what the run is beside it.
 *
 * @param returns the run's own, by session
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

/** The returns of the sessions whose two ends both lie in what the benchmark covers. */
function pairOf(own: Float64Array, { returns, covered, sessions }: Held): PairedReturns | Undefined {
  if ('reason' in returns) return returns;
  const first = sessions.lastBars.findIndex((bar) => bar >= covered.from);
  const last = sessions.lastBars.findLastIndex((bar) => bar <= covered.to);
  // With an equity that the first session began with there is a return more, before all others.
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
