import type { Exact } from '../kernel/index.ts';
import type { Contract } from './contract.ts';
import type { Trade } from './trade.ts';

export interface LedgerOptions {
  /** How closed units are matched with what they cost. */
  readonly lots?: 'fifo' | 'average';
  /** The account's currency. */
  readonly currency?: string;
  /** Each symbol's currency, in the market's order; the account's where left out. */
  readonly currencies?: readonly string[];
  /** What a unit of each symbol stands for, in the market's order; shares where left out. */
  readonly contracts?: readonly Contract[] | undefined;
  /** Whether a symbol has no bar now. */
  readonly isStale?: (symbol: number) => boolean;
}

/** What a split did to a position. */
export interface SplitOutcome {
  /** Signed quantities. */
  readonly before: Exact;
  readonly after: Exact;
  /** Units beyond the last whole lot, signed; they were closed for cash at `price`. */
  readonly leftOver: Exact;
  readonly trades: readonly Trade[];
}
