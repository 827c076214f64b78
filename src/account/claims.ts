import { EXACT_ZERO, Exact } from '../kernel/index.ts';

/** Stands for the fraction of a unit that a split leaves over: nobody's order, closed for cash at once. */
export const LEFT_OVER = -1;

/** A stretch of units that belongs to an order. */
export interface Claim {
  readonly orderId: number | undefined;
  /** Without sign. */
  readonly quantity: Exact;
}

/**
 * Gives each order whole lots after a split.
 *
 * The units of all orders, laid end to end, are cut where whole lots end; what lies beyond the last whole lot is
 * `LEFT_OVER`. So an order may gain or lose less than one lot, and the position as a whole loses less than one.
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
