import { EXACT_ZERO, Exact } from '../kernel/index.ts';

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
