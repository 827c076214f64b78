import type { Exact } from '../kernel/index.ts';
import type { Contract } from './contract.ts';
import type { Trade } from './trade.ts';

export interface LedgerOptions {
  /** Method of matching closed units with their costs. Default: `fifo`. */
  readonly lots?: 'fifo' | 'average';
  /** Currency of the account. */
  readonly currency?: string;
  /** Currency of each symbol, in the market's order. Default: the account's currency. */
  readonly currencies?: readonly string[];
  /** Contract of each symbol, in the market's order. Default: shares. */
  readonly contracts?: readonly Contract[] | undefined;
  /** Returns true if a symbol has no bar at the current time. */
  readonly isStale?: (symbol: number) => boolean;
}

/** Effect of a split on a position. */
export interface SplitOutcome {
  /** Signed quantities. */
  readonly before: Exact;
  readonly after: Exact;
  /** Signed units beyond the last whole lot. They were closed for cash at `price`. */
  readonly leftOver: Exact;
  readonly trades: readonly Trade[];
}
