import type { Exact } from '../kernel/index.ts';
import type { Claim } from './claims.ts';
import type { ExactFill, SplitRatio } from './lot.ts';
import type { Trade } from './trade.ts';

/** Open units of one symbol and their cost, matched first in first out or at average cost. */
export interface Book {
  readonly symbol: string;
  readonly quantity: Exact;
  /** Signed quantity as a float64. */
  readonly units: number;
  /**
   * Applies a fill. The fill first closes open units of the opposite sign and then opens a position with the
   * remaining units. Returns the closed trades.
   */
  apply(fill: ExactFill, firstTradeId: number): Trade[];
  /** Returns an independent copy. Changes to the copy do not affect this book. */
  copy(): Book;
  /** Returns the open units that an order opened, without sign. */
  openQuantity(orderId: number): Exact;
  /** Returns the orders that opened the open units, with their quantities, oldest first. */
  claims(): readonly Claim[];
  /** Assigns all open units to other orders, oldest first, as if these orders had opened them. */
  assign(claims: readonly Claim[]): void;
  /**
   * Marks units as ambiguous: under another possible price path within a bar, these orders' units would have
   * been closed.
   */
  doubt(orderIds: readonly number[]): void;
  /** Returns the signed cost of the open units before commission, in the instrument's currency. */
  paid(): Exact;
  /** Returns the signed cost of the open units before commission, in the account's currency. */
  costBasis(): Exact;
  /** Returns the average price of the open units in the instrument's currency. */
  averagePrice(): Exact;
  /** Returns the open units as trades valued at `mark`, oldest first. */
  openTrades(mark: Exact, rate: Exact, firstTradeId: number): Trade[];
  /**
   * Applies a split. Quantities change, costs do not.
   *
   * @param lot smallest quantity that can be traded
   * @returns the units, without sign, beyond the last whole lot; they are claimed by `LEFT_OVER`
   */
  split(ratio: SplitRatio, lot: Exact): Exact;
}
