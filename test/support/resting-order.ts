import type { RestingOrder } from '../../src/broker/orders/order.ts';
import { EXACT_ZERO, Exact } from '../../src/kernel/index.ts';

/** Returns a resting limit order to buy 10 units, with the given fields changed. */
export function restingOrder(over: Partial<RestingOrder> = {}): RestingOrder {
  return {
    id: 1,
    symbol: 0,
    action: 'buy',
    type: 'limit',
    size: { kind: 'units', units: Exact.of(10) },
    role: 'order',
    limitPrice: Number.NaN,
    stopPrice: Number.NaN,
    timeInForce: 'GTC',
    reduceOnly: false,
    group: undefined,
    parentId: undefined,
    placedBar: 0,
    reason: undefined,
    filled: EXACT_ZERO,
    triggered: false,
    trail: undefined,
    limitOffset: undefined,
    activationPrice: Number.NaN,
    postOnly: false,
    barsLeft: Number.POSITIVE_INFINITY,
    expiresAt: Number.POSITIVE_INFINITY,
    stopLoss: undefined,
    takeProfit: undefined,
    targets: undefined,
    target: undefined,
    request: undefined,
    side: 1,
    fees: undefined,
    session: 0,
    entryId: 1,
    firstPrice: undefined,
    cutToPower: false,
    done: false,
    ...over,
  };
}
