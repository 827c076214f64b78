import { Exact } from '../kernel/index.ts';
import type { Ledger } from './account/index.ts';
import type { BarRange } from './costs/costs.ts';
import { rangeOf } from './fills/fill-size.ts';
import type { Matcher } from './matching/matching.ts';
import type { BarPrices } from './matching/triggers.ts';
import type { RestingOrder } from './orders/order.ts';

/** Prices of both contracts at the open of the new contract's first bar. */
export interface RollPrices {
  readonly old: Exact;
  readonly new: Exact;
}

/**
 * Closes a position in the old contract and opens the same position in the new contract. Both fills have
 * slippage and commission and ignore the volume limit. The new units are assigned to the orders that opened
 * the old units, so that the exits of these orders close the new units.
 *
 * Slippage stays within the bar's range. The old contract has no bar, so its range is assumed to be the new
 * contract's range shifted by the price gap.
 *
 * @param orderFor creates and reports an order: without an argument the closing order, otherwise the order
 *   that opens the given signed units
 */
export function rollPosition(
  symbol: number,
  at: RollPrices,
  { executor, costs, instruments }: Pick<Matcher, 'executor' | 'costs' | 'instruments'>,
  { ledger, prices }: { readonly ledger: Ledger; readonly prices: BarPrices },
  orderFor: (opens?: Exact) => RestingOrder,
): void {
  const held = ledger.quantity(symbol);
  if (held.isZero()) return;
  const claims = ledger.copyBook(symbol).claims();
  const range = rangeOf(prices, symbol);
  const gap = at.new.minus(at.old);
  const moved = (price: number): number => Exact.of(price).minus(gap).toNumber();
  const oldRange = { ...range, low: moved(range.low), high: moved(range.high) };
  const fill = (order: RestingOrder, quantity: Exact, rule: Exact, within: BarRange): void => {
    const units = quantity.abs();
    // If the bar has no volume, slippage is computed with the quantity of the fill as the volume.
    const volume = within.volume > 0 ? within.volume : units.toNumber();
    const price = costs.slip(
      rule,
      !quantity.isNegative(),
      units,
      { ...within, volume },
      instruments[symbol]!,
    );
    executor.force(order, quantity, price, rule);
  };
  fill(orderFor(), held.negated(), at.old, oldRange);
  fill(orderFor(held), held, at.new, range);
  ledger.assign(symbol, claims);
}
