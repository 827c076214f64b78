import type { Decimal, Instant, Numeric } from '../kernel/index.ts';

/** One fill as the ledger books it: quantity is signed, positive for a buy. */
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
  readonly orderId?: number;
  /** Close this order's lots before the others: an exit closes what its parent opened. */
  readonly closesOrder?: number;
}

/** A lot bought or sold and, once matched first in first out, its exit; quantity is positive, the side says the sign. */
export interface Trade {
  readonly id: number;
  readonly symbol: string;
  readonly side: 'long' | 'short';
  readonly quantity: Decimal;
  readonly entryBar: number;
  readonly entryTime: Instant;
  readonly entryPrice: Decimal;
  /** Null while the trade is open; the price is then the last mark. */
  readonly exitBar: number | null;
  readonly exitTime: Instant | null;
  readonly exitPrice: Decimal;
  /** Price difference times quantity, before commission. */
  readonly grossPnl: Decimal;
  /** Entry and exit commission. */
  readonly commission: Decimal;
  readonly netPnl: Decimal;
  readonly exitReason: string | null;
}

export interface PositionView {
  readonly symbol: string;
  /** Signed: negative when short. */
  readonly quantity: Decimal;
  /** Quantity-weighted entry price of the open lots; zero when flat. */
  readonly averagePrice: Decimal;
  /** Last known price. */
  readonly mark: Decimal;
  readonly marketValue: Decimal;
  readonly unrealisedPnl: Decimal;
}

/** What a decider may know of its account. */
export interface AccountView {
  readonly cash: Decimal;
  /** Cash plus every position at its mark, exactly. */
  readonly equity: Decimal;
  readonly realisedPnl: Decimal;
  readonly commissionPaid: Decimal;
  /** The symbol's position, flat when there is none. */
  position(symbol: string): PositionView;
  /** Open positions, in the order of the market's symbols. */
  positions(): PositionView[];
  /** Signed units held, as a float64: quick, for a rule that only asks long, short or flat. */
  units(symbol?: string): number;
}
