import {
  calendarReturns,
  type EquityColumns,
  type Metrics,
  regimesOf,
  type Undefined,
} from '../../analysis/index.ts';
import type { Spread } from './model/spread.ts';

export interface SpreadSource {
  readonly columns: EquityColumns;
  readonly metrics: Metrics;
  readonly returns: Float64Array | Undefined;
  /** Benchmark equity by bar, and benchmark returns by session. Undefined without a benchmark. */
  readonly held: Float64Array | undefined;
  readonly heldReturns: Float64Array | undefined;
  readonly unit: string;
}

/**
 * Returns the distribution of returns of a whole run. Uses bars instead of sessions where they are more
 * exact.
 */
export function spreadOfRun({ columns, metrics, returns, held, heldReturns, unit }: SpreadSource): Spread {
  return {
    returns,
    heldReturns,
    months: metrics.months,
    heldMonths:
      held === undefined || held.some(Number.isNaN) ? [] : calendarReturns({ ...columns, equity: held }),
    falls: metrics.deepestDrawdowns,
    regimes: regimesOf(returns, heldReturns, metrics.periodsPerYear),
    tradeStreaks: [metrics.longestWinningStreak.value, metrics.longestLosingStreak.value],
    unit,
  };
}
