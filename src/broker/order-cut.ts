import { EXACT_ZERO, Exact } from '../kernel/index.ts';
import type { OrderCut, OrderReceipt } from './desk.ts';
import type { RestingOrder } from './order.ts';
import { largestAffordable, projectedQuantity, type ValidationParts } from './projection.ts';

type Accepted = Extract<OrderReceipt, { readonly accepted: true }>;

/**
 * The receipt of an accepted order whose size is a share of the equity: its cut is worked out when it is looked at, before
 * the next order is placed. A class, for an object literal with an accessor takes longer to make than the order.
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

/** What the fill would be at the last close, where buying power, commission counted, carries less than the share. */
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
