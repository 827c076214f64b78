import type { RunRecord } from '../../journal/index.ts';
import type { EquityColumns } from '../equity.ts';
import { type Figure, figure, type Undefined } from '../figures.ts';
import { sessionReturns } from '../returns.ts';
import { sessionsOf } from '../sessions.ts';
import {
  type BenchmarkChoice,
  benchmarkConvention,
  benchmarkName,
  buyAndHold,
  regression,
} from './benchmark.ts';

/** A run held against buying and holding. */
export interface BenchmarkFigures {
  readonly benchmarkReturn: Figure;
  readonly alpha: Figure;
  readonly beta: Figure;
  readonly correlation: Figure;
}

/** A benchmark over the bars of a run. */
export interface Benchmark {
  /** By bar; undefined where there is none. */
  readonly equity: Float64Array | undefined;
  /** By session, of the same sessions as the run's; undefined where there are none. */
  readonly returns: Float64Array | undefined;
  readonly figures: BenchmarkFigures;
}

// Figures and pages ask for the same one, and a million bars take a while.
const newest = new WeakMap<RunRecord, { readonly choice: BenchmarkChoice; readonly found: Benchmark }>();

/**
 * Works out a run's benchmark, and alpha and beta against it.
 *
 * @param returns the run's own, by session
 */
export function againstBenchmark(
  record: RunRecord,
  columns: EquityColumns,
  returns: Float64Array | Undefined,
  choice: BenchmarkChoice,
): Benchmark {
  const known = newest.get(record);
  if (known !== undefined && known.choice === choice) return known.found;
  const found = hold(record, columns, returns, choice);
  newest.set(record, { choice, found });
  return found;
}

function hold(
  record: RunRecord,
  columns: EquityColumns,
  returns: Float64Array | Undefined,
  choice: BenchmarkChoice,
): Benchmark {
  const held = buyAndHold(record, columns, choice);
  const equity = 'reason' in held ? undefined : held;
  const other = 'reason' in held ? held : sessionReturns(sessionsOf({ ...columns, equity: held }));
  const fit = 'reason' in returns ? returns : 'reason' in other ? other : regression(returns, other);
  const name = benchmarkName(choice) ?? 'the same data bought and held';
  const least = `session returns on those of ${name}, ordinary least squares`;
  return {
    equity,
    returns: 'reason' in other ? undefined : other,
    figures: {
      benchmarkReturn: figure(
        benchmarkConvention(choice),
        'reason' in held ? held : held.at(-1)! / columns.initialCash.toNumber() - 1,
      ),
      alpha: figure(`intercept of ${least}; a session, not a year`, 'reason' in fit ? fit : fit.alpha),
      beta: figure(`slope of ${least}`, 'reason' in fit ? fit : fit.beta),
      correlation: figure(
        `of session returns with those of ${name}`,
        'reason' in fit ? fit : fit.correlation,
      ),
    },
  };
}
