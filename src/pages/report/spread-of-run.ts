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
  /** By bar, and by session; undefined where there is none. */
  readonly held: Float64Array | undefined;
  readonly heldReturns: Float64Array | undefined;
  readonly unit: string;
}

/** How the returns of a whole run are spread, bar by bar where that is finer than by session. */
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
