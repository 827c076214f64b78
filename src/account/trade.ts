import type { Decimal, Instant, Numeric } from '../kernel/index.ts';
import type { CashKind } from './cash-kinds.ts';

/** One fill as the ledger books it: quantity is signed, positive for a buy; money is in the instrument's currency. */
export interface Booking {
  readonly symbol: number;
  readonly bar: number;
  readonly time: Instant;
  readonly quantity: Numeric;
  readonly price: Numeric;
  readonly commission: Numeric;
  /** Why it happened: becomes the exit reason of a trade that it closes. */
  readonly reason: string;
  /** The order that filled; its lots carry the number. */
  readonly orderId?: number | undefined;
  /** Close this order's lots before the others: an exit closes what its parent opened. */
  readonly closesOrder?: number | undefined;
  /** Another outcome of its bar does not have it. */
  readonly ambiguous?: boolean | undefined;
}

/**
 * What was bought or sold and, once closed, its exit; quantity is positive, the side says the sign.
 *
 * Prices are in the instrument's currency, profits and commission in the account's.
 */
export interface Trade {
  readonly id: number;
  readonly symbol: string;
  readonly side: 'long' | 'short';
  readonly quantity: Decimal;
  /** Money for a point of price, in the instrument's currency; 1 for a share. */
  readonly multiplier: Decimal;
  readonly entryBar: number;
  readonly entryTime: Instant;
  /** After a split or with average cost, what the units cost each, to 12 decimal places. */
  readonly entryPrice: Decimal;
  /**
   * Account currency a unit of the instrument's, when it was entered and when it was left; 1 where they are the same. Of a
   * position that margin carries the profit alone is converted: both are the rate of the exit.
   */
  readonly entryRate: Decimal;
  readonly exitRate: Decimal;
  /** Null while the trade is open; the price is then the last mark. */
  readonly exitBar: number | null;
  readonly exitTime: Instant | null;
  readonly exitPrice: Decimal;
  /** What was got less what was paid, before commission. */
  readonly grossPnl: Decimal;
  /** The part of the gross profit that the exchange rate made: what was paid × (exit rate − entry rate). */
  readonly fxPnl: Decimal;
  /** Entry and exit commission. */
  readonly commission: Decimal;
  readonly netPnl: Decimal;
  readonly exitReason: string | null;
  /** Entered or left by a fill that another outcome of its bar does not have, or closed by one while it was open. */
  readonly ambiguous?: boolean;
}

/** What is held of one symbol, as it stands. */
export interface PositionView {
  readonly symbol: string;
  /** Signed: negative when short. */
  readonly quantity: Decimal;
  /** What the open units cost each, in the instrument's currency; zero when flat. */
  readonly averagePrice: Decimal;
  /** Last known price, in the instrument's currency. */
  readonly mark: Decimal;
  /**
   * What it adds to the equity beside cash, in the account's currency, as all money here: its exposure, or the open profit
   * of a position that margin carries.
   */
  readonly marketValue: Decimal;
  /** Quantity × mark × multiplier, signed. */
  readonly exposure: Decimal;
  readonly unrealisedPnl: Decimal;
  /** Money for a point of price, in the instrument's currency; 1 for a share. */
  readonly multiplier: Decimal;
  /** What opens one unit in place of its price, in the instrument's currency; null where a unit is paid for. */
  readonly margin: Decimal | null;
  /** The currency its prices are in. */
  readonly currency: string;
  /** Whether the symbol has no bar now: the mark is its last close, and it cannot trade. */
  readonly stale: boolean;
}

/** What a decider may know of its account. All money is in the account's currency. */
export interface AccountView {
  readonly currency: string;
  readonly cash: Decimal;
  /** Cash plus every position at its mark, exactly. */
  readonly equity: Decimal;
  readonly realisedPnl: Decimal;
  readonly commissionPaid: Decimal;
  /** What each kind has done to cash so far: negative where it was paid. */
  readonly cashByKind: Readonly<Record<CashKind, Decimal>>;
  /** The symbol's position, flat when there is none. */
  position(symbol: string): PositionView;
  /** Open positions, in the order of the market's symbols. */
  positions(): PositionView[];
  /** Signed units held, as a float64: quick, for a rule that only asks long, short or flat. */
  units(symbol?: string): number;
}
