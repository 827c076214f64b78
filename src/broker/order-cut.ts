import { EXACT_ZERO, Exact } from '../kernel/index.ts';
import type { OrderCut, OrderReceipt } from './desk.ts';
import type { RestingOrder } from './order.ts';
import { largestAffordable, projectedQuantity, type ValidationParts } from './projection.ts';

type Accepted = Extract<OrderReceipt, { readonly accepted: true }>;

/**
 * Receipt of an accepted order that is sized by a share of the equity. The cut is computed when it is first
 * read, before the next order is placed.
 *
 * A class, because creating an object literal with an accessor takes longer than creating the order.
 */
export class ShareReceipt implements Accepted {
  readonly accepted = true;
  readonly order: RestingOrder;
  readonly #parts: ValidationParts;

  constructor(order: RestingOrder, parts: ValidationParts) {
    this.order = order;
    this.#parts = parts;
  }

  get cut(): OrderCut | undefined {
    return cutAtClose(this.order, { ...this.#parts, replaced: this.order });
  }
}

/**
 * Returns the cut at the last close, if buying power after commission is less than the share. Otherwise
 * `undefined`.
 */
function cutAtClose(order: RestingOrder, parts: ValidationParts): OrderCut | undefined {
  const { size, symbol, limitPrice } = order;
  if (size.kind !== 'equity-fraction' || order.reduceOnly) return undefined;
  const { ledger, matcher, close } = parts;
  const held = projectedQuantity(symbol, parts);
  const closes = order.action === 'buy' ? held.isNegative() : held.isPositive();
  const closable = closes ? held.abs() : EXACT_ZERO;
  const price = Exact.of(Number.isNaN(limitPrice) ? close[symbol]! : limitPrice);
  const { equityNumber, exactEquity } = ledger;
  const share = {
    number: equityNumber * size.fraction.toNumber(),
    exact: () => exactEquity.times(size.fraction),
  };
  const unitValue = ledger.inAccountCurrency(symbol, price);
  const asked = matcher.costs.lotsFor(share, unitValue, matcher.instruments[symbol]!).plus(closable);
  const carried = largestAffordable(symbol, closable, price, parts);
  if (asked.compare(carried) <= 0) return undefined;
  return { asked: asked.toString(), carried: carried.toString() };
}
