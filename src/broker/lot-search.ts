import { EXACT_ONE, EXACT_ZERO, Exact } from '../kernel/index.ts';
import type { Instrument } from './instruments.ts';

const HALF = Exact.of('0.5');

/**
 * Returns the largest quantity in whole lots, up to `upper`, whose cost and commission are within a limit.
 * For commissions that are not a plain rate but never decrease as the quantity grows.
 *
 * Lots are counted in exact integers, because there may be more lots than a float64 can distinguish.
 * Subtracting the commission of a quantity that is too large gives a quantity that certainly fits. The search
 * begins there. A fixed commission is found immediately, any other by bisection.
 *
 * @param upper quantity without commission
 */
export function largestCarried(
  upper: Exact,
  limit: Exact,
  { lot }: Instrument,
  unitCost: Exact,
  commissionOf: (quantity: Exact) => Exact,
): Exact {
  const lotsIn = (amount: Exact): Exact => amount.dividedBy(unitCost.times(lot)).floor();
  const fits = (lots: Exact): boolean => {
    const quantity = lots.times(lot);
    return quantity.times(unitCost).plus(commissionOf(quantity)).compare(limit) <= 0;
  };
  let high = upper.dividedBy(lot).floor();
  if (fits(high)) return high.times(lot);
  const least = Exact.max(lotsIn(limit.minus(commissionOf(high.times(lot)))), EXACT_ZERO);
  high = high.minus(EXACT_ONE);
  let low = fits(least) ? Exact.min(least, high) : EXACT_ZERO;
  // Most commissions do not change between the two quantities.
  if (low.compare(high) < 0 && !fits(low.plus(EXACT_ONE))) return low.times(lot);
  while (low.compare(high) < 0) {
    const middle = low.plus(high).plus(EXACT_ONE).times(HALF).floor();
    if (fits(middle)) low = middle;
    else high = middle.minus(EXACT_ONE);
  }
  return low.times(lot);
}
