import { Exact } from '../kernel/index.ts';
import type { Order, OrderSize } from './order.ts';

const views = new WeakMap<Order, Order>();

/**
 * Returns a read-only view of an order for strategies and agents. The view reflects later changes of the
 * broker's order.
 */
export function orderView(order: Order): Order {
  const known = views.get(order);
  if (known !== undefined) return known;
  const view: Order = Object.freeze({
    id: order.id,
    symbol: order.symbol,
    action: order.action,
    type: order.type,
    role: order.role,
    timeInForce: order.timeInForce,
    group: order.group,
    parentId: order.parentId,
    placedBar: order.placedBar,
    reason: order.reason,
    postOnly: order.postOnly,
    target: order.target,
    get size() {
      return sizeCopy(order.size);
    },
    get limitPrice() {
      return order.limitPrice;
    },
    get stopPrice() {
      return order.stopPrice;
    },
    get limitOffset() {
      return order.limitOffset && copy(order.limitOffset);
    },
    get activationPrice() {
      return order.activationPrice;
    },
    get reduceOnly() {
      return order.reduceOnly;
    },
    get filled() {
      return copy(order.filled);
    },
    get triggered() {
      return order.triggered;
    },
    get trail() {
      return order.trail && { ...order.trail };
    },
    get barsLeft() {
      return order.barsLeft;
    },
    get expiresAt() {
      return order.expiresAt;
    },
    get stopLoss() {
      return order.stopLoss && { ...order.stopLoss };
    },
    get takeProfit() {
      return order.takeProfit && { ...order.takeProfit };
    },
    get targets() {
      return order.targets?.map((target) => ({ ...target }));
    },
  });
  views.set(order, view);
  return view;
}

function sizeCopy(size: OrderSize): OrderSize {
  switch (size.kind) {
    case 'units':
    case 'target-units':
      return { kind: size.kind, units: copy(size.units) };
    case 'notional':
      return { kind: size.kind, notional: copy(size.notional) };
    case 'equity-fraction':
    case 'target-fraction':
      return { kind: size.kind, fraction: copy(size.fraction) };
    default:
      return { kind: size.kind };
  }
}

const copy = (value: Exact): Exact => Exact.of(value.toString());
