import type { Decimal, Exact, Instant, Numeric } from '../../kernel/index.ts';
import type { Contract } from './lot.ts';

/** Kinds of cash movements other than payments for traded units. */
export const CASH_KINDS = [
  'commission',
  'dividend',
  'borrow_fee',
  'interest',
  'margin_interest',
  'funding',
] as const;
export type CashKind = (typeof CASH_KINDS)[number];

/**
 * Fill to be booked in the ledger. Quantity is signed: positive for a buy. Money is in the instrument's
 * currency.
 */
export interface Booking {
  readonly symbol: number;
  readonly bar: number;
  readonly time: Instant;
  readonly quantity: Numeric;
  readonly price: Numeric;
  readonly commission: Numeric;
  /** Reason of the fill. Becomes the exit reason of trades that the fill closes. */
  readonly reason: string;
  /** Order that was filled. Lots that the fill opens store this number. */
  readonly orderId?: number | undefined;
  /** Order whose lots are closed first. An exit uses it to close the units that its parent order opened. */
  readonly closesOrder?: number | undefined;
  /** True if the fill does not happen on every possible price path within its bar. */
  readonly ambiguous?: boolean | undefined;
}

/**
 * Units that were bought or sold, with their exit once closed. Quantity is positive; `side` gives the
 * direction.
 *
 * Prices are in the instrument's currency. Profits and commission are in the account's currency.
 */
export interface Trade {
  readonly id: number;
  readonly symbol: string;
  readonly side: 'long' | 'short';
  readonly quantity: Decimal;
  /** Money per point of price, in the instrument's currency. 1 for a share. */
  readonly multiplier: Decimal;
  readonly entryBar: number;
  readonly entryTime: Instant;
  /** Price at entry. After a split or with average cost: cost per unit, to 12 decimal places. */
  readonly entryPrice: Decimal;
  /**
   * Units of the account's currency per unit of the instrument's currency, at entry and at exit. 1 if both
   * currencies are the same. If a margin is deposited instead of paying the price, only the profit is
   * converted, so both are the rate at exit.
   */
  readonly entryRate: Decimal;
  readonly exitRate: Decimal;
  /** Bar of the exit. `null` while the trade is open. The exit price is then the last mark. */
  readonly exitBar: number | null;
  readonly exitTime: Instant | null;
  readonly exitPrice: Decimal;
  /** Profit before commission: proceeds minus cost. */
  readonly grossPnl: Decimal;
  /** Part of the gross profit caused by the change of the exchange rate: cost × (exit rate − entry rate). */
  readonly fxPnl: Decimal;
  /** Sum of entry and exit commission. */
  readonly commission: Decimal;
  readonly netPnl: Decimal;
  readonly exitReason: string | null;
  /**
   * True if the entry, the exit or the continued holding of the trade depends on the assumed price path
   * within a bar.
   */
  readonly ambiguous?: boolean;
}

/** Current position in one symbol. */
export interface PositionView {
  readonly symbol: string;
  /** Signed quantity: negative when short. */
  readonly quantity: Decimal;
  /** Cost per open unit, in the instrument's currency. Zero when flat. */
  readonly averagePrice: Decimal;
  /** Last known price, in the instrument's currency. */
  readonly mark: Decimal;
  /**
   * Amount that the position adds to equity on top of cash, in the account's currency. This is the exposure
   * or, for a position with `margin`, the open profit.
   */
  readonly marketValue: Decimal;
  /** Signed value in the account's currency: quantity × mark × multiplier × exchange rate. */
  readonly exposure: Decimal;
  readonly unrealisedPnl: Decimal;
  /** Money per point of price, in the instrument's currency. 1 for a share. */
  readonly multiplier: Decimal;
  /** Initial margin of one unit, in the instrument's currency. `null` if units are paid in full. */
  readonly margin: Decimal | null;
  /** Currency of the symbol's prices. */
  readonly currency: string;
  /**
   * True if the symbol has no bar at the current time. The mark is then its last close, and the symbol cannot
   * trade.
   */
  readonly stale: boolean;
  /** Bar at which the position was opened or changed sides. `null` when flat. */
  readonly entryBar: number | null;
}

/** Account view for strategies and agents. All money is in the account's currency. */
export interface AccountView {
  readonly currency: string;
  readonly cash: Decimal;
  /** Exact sum of cash and every position at its mark. */
  readonly equity: Decimal;
  readonly realisedPnl: Decimal;
  readonly commissionPaid: Decimal;
  /** Total cash movement of each kind so far. Negative for payments. */
  readonly cashByKind: Readonly<Record<CashKind, Decimal>>;
  /** Returns the position in a symbol. Its quantity is 0 if no units are open. */
  position(symbol: string): PositionView;
  /** Returns the open positions, in the market's order of symbols. */
  positions(): PositionView[];
  /**
   * Returns the signed open units of a symbol (default: the first symbol) as a float64. A fast alternative to
   * `position` for rules that only need long, short or flat.
   */
  units(symbol?: string): number;
}

export interface LedgerOptions {
  /**
   * Method for matching closed units with their costs: first in, first out, or average cost. Default: `fifo`.
   */
  readonly lots?: 'fifo' | 'average';
  /** Currency of the account. Default: `USD`. */
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
  /** Signed quantity before and after the split. */
  readonly before: Exact;
  readonly after: Exact;
  /** Signed units that did not fill a whole lot. `Ledger.split` closed them for cash at the given price. */
  readonly leftOver: Exact;
  readonly trades: readonly Trade[];
}
