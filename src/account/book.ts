import type { Exact } from '../kernel/index.ts';
import type { Claim } from './claims.ts';
import type { ExactFill, SplitRatio } from './lot.ts';
import type { Trade } from './trade.ts';

/** One symbol's open units and what they cost; first in first out, or at average cost. */
export interface Book {
  readonly symbol: string;
  readonly quantity: Exact;
  /** The signed quantity as a float64. */
  readonly units: number;
  /** Applies a fill: closes what is open on the other side, then opens with what is left. Gives the trades it closed. */
  apply(fill: ExactFill, firstTradeId: number): Trade[];
  /** The same lots once more: what is done with the copy leaves this book as it is. */
  copy(): Book;
  /** Units, without sign, still open of what an order opened. */
  openQuantity(orderId: number): Exact;
  /** Which order opened what of the open units, oldest first. */
  claims(): readonly Claim[];
  /** Gives all open units to other orders, oldest first, as if these had opened them. */
  assign(claims: readonly Claim[]): void;
  /** Notes that another outcome of a bar has closed units of these orders. */
  doubt(orderIds: readonly number[]): void;
  /** Signed cost of the open units before commission, in the instrument's currency. */
  paid(): Exact;
  /** The same in the account's currency. */
  costBasis(): Exact;
  /** In the instrument's currency. */
  averagePrice(): Exact;
  /** What is open as trades valued at a mark, oldest first. */
  openTrades(mark: Exact, rate: Exact, firstTradeId: number): Trade[];
  /**
   * Re-bases quantities; costs stay.
   *
   * @param lot smallest quantity that is traded
   * @returns the units, without sign, beyond the last whole lot; they are claimed by `LEFT_OVER`
   */
  split(ratio: SplitRatio, lot: Exact): Exact;
}
