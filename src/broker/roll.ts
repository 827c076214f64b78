import type { Ledger } from '../account/index.ts';
import { Exact } from '../kernel/index.ts';
import type { BarPrices } from './bar-prices.ts';
import type { BarRange } from './costs.ts';
import { rangeOf } from './fill-price.ts';
import type { Matcher } from './matching.ts';
import type { RestingOrder } from './order.ts';

/** Both contracts at the open of the first bar of the new one. */
export interface RollPrices {
  readonly old: Exact;
  readonly new: Exact;
}

/**
 * Closes a position in the old contract and opens it in the new one, each with slippage and commission, whatever volume
 * there is. Its orders keep the units that they opened, so that their exits close them.
 *
 * Slippage stays within the bar's range; of the old contract nobody has the bar, and its range is that of the new one,
 * moved by the gap.
 *
 * @param orderFor makes and reports the order that closes, and the one that opens so many signed units
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
    // What takes the whole of no volume is as if it took all of it.
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
