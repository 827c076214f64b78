import { EXACT_ZERO, Exact } from '../../kernel/index.ts';
import type { ExactFill, SplitRatio } from './lot.ts';
import type { Trade } from './trade.ts';

/**
 * Order number of the fraction of a unit that remains after a split. No order owns it; it is immediately
 * closed for cash.
 */
export const LEFT_OVER = -1;

/** Number of open units that an order opened. */
export interface Claim {
  readonly orderId: number | undefined;
  /** Without sign. */
  readonly quantity: Exact;
}

/**
 * Gives each order whole lots after a split.
 *
 * The units of all orders are laid end to end and cut where whole lots end. Units beyond the last whole lot
 * become `LEFT_OVER`. An order may therefore gain or lose less than one lot, and the whole position loses
 * less than one lot.
 *
 * @param claims oldest first, with their quantities after the split
 */
export function wholeLotClaims(claims: readonly Claim[], lot: Exact): Claim[] {
  const result: Claim[] = [];
  let end = EXACT_ZERO;
  let given = EXACT_ZERO;
  for (const { orderId, quantity } of claims) {
    end = end.plus(quantity);
    const whole = end.dividedBy(lot).floor().times(lot);
    if (whole.compare(given) > 0) result.push({ orderId, quantity: whole.minus(given) });
    given = Exact.max(whole, given);
  }
  const left = end.minus(given);
  if (left.isPositive()) result.push({ orderId: LEFT_OVER, quantity: left });
  return result;
}

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
