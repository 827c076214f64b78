/** Types of accepted orders, and functions that return properties of order types. */

import { Exact } from '../../kernel/index.ts';
import type { FeesSoFar } from '../costs/cost-models.ts';
import type {
  OrderAction,
  OrderRequest,
  OrderType,
  PlacedExit,
  PlacedTarget,
  TimeInForce,
} from './request.ts';

/** Requested size of an order. All kinds except `units` are converted to units at the fill. */
export type OrderSize =
  | { readonly kind: 'units'; readonly units: Exact }
  | { readonly kind: 'notional'; readonly notional: Exact }
  | { readonly kind: 'equity-fraction'; readonly fraction: Exact }
  | { readonly kind: 'position' }
  | { readonly kind: 'target-units'; readonly units: Exact }
  | { readonly kind: 'target-fraction'; readonly fraction: Exact };

/**
 * Origin of an order: placed by a strategy or agent, created by a parent's fill, or forced by a margin
 * breach, delisting, expiry, insolvency or roll.
 */
type OrderRole =
  | 'order'
  | 'stop-loss'
  | 'take-profit'
  | 'liquidation'
  | 'delisting'
  | 'expiry'
  | 'insolvent'
  | 'roll';

/** Distance of a trailing stop, in price or as a fraction of the price. */
export type Trail = { readonly amount: number } | { readonly fraction: number };

/** Public view of an accepted order. */
export interface Order {
  /** Number of the order: 1, 2, 3 … in the sequence of acceptance. */
  readonly id: number;
  /** Index into the market's symbols. */
  readonly symbol: number;
  readonly action: OrderAction;
  readonly type: OrderType;
  readonly size: OrderSize;
  readonly role: OrderRole;
  /** Limit price. `NaN` if the order type has no limit. */
  readonly limitPrice: number;
  /** Trigger price. `NaN` if the order type has no trigger price. Changes for a trailing stop. */
  readonly stopPrice: number;
  readonly timeInForce: TimeInForce;
  readonly reduceOnly: boolean;
  /** Name of a one-cancels-other group: the fill of one order cancels the other orders of the group. */
  readonly group: string | undefined;
  /** For an exit: id of the order whose position the exit closes. `undefined` for other orders. */
  readonly parentId: number | undefined;
  /** Bar at whose close the order was placed. The order can fill from the next bar. */
  readonly placedBar: number;
  readonly reason: string | undefined;
  /** Units filled so far. */
  readonly filled: Exact;
  /** True once the market has reached the trigger price. A stop-limit is a limit order from then on. */
  readonly triggered: boolean;
  /** Distance of a trailing stop: an amount in price, or a fraction of the price. */
  readonly trail: Trail | undefined;
  /** Distance of a trailing_stop_limit's limit from its stop. */
  readonly limitOffset: Exact | undefined;
  /** Price that activates a trailing stop. `NaN` once active, and for orders without an activation price. */
  readonly activationPrice: number;
  /** If true, the order is rejected if it would fill immediately (as a taker). */
  readonly postOnly: boolean;
  /** Number of further bars of its symbol in which the order may fill. `Infinity` without a limit. */
  readonly barsLeft: number;
  /** Last instant at which the order may fill. `Infinity` without a limit. */
  readonly expiresAt: number;
  /** Exit levels of the order. Its fill creates the exits. */
  readonly stopLoss: PlacedExit | undefined;
  readonly takeProfit: PlacedExit | undefined;
  /** Several take profits, instead of `takeProfit`. */
  readonly targets: readonly PlacedTarget[] | undefined;
  /** For an exit that is one of several take profits: its number, from 1. Otherwise `undefined`. */
  readonly target: number | undefined;
}

/** Resting order with its changeable state. Only the broker uses this type. */
export interface RestingOrder extends Order {
  /** Request from which the order was created. `undefined` for exits. */
  request: OrderRequest | undefined;
  limitPrice: number;
  stopPrice: number;
  filled: Exact;
  size: OrderSize;
  /** 1 for a buy, −1 for a sell, 0 if the side depends on the position at the time of the fill. */
  side: 1 | -1 | 0;
  /** Quantity, notional and commission of the order's fills. `undefined` before the first fill. */
  fees: FeesSoFar | undefined;
  /** True once the market has reached the trigger price. A stop-limit is a limit order from then on. */
  triggered: boolean;
  /** Distance of a trailing stop: an amount in price, or a fraction of the price. */
  trail: Trail | undefined;
  limitOffset: Exact | undefined;
  activationPrice: number;
  /** Number of further bars of its symbol in which the order may fill. `Infinity` without a limit. */
  barsLeft: number;
  /** Last instant at which the order may fill. `Infinity` without a limit. */
  expiresAt: number;
  /**
   * Number of the trading day of the order's first bar; a DAY order expires after this day. `NaN` before this
   * bar.
   */
  session: number;
  /** Exit levels of the order. Its fill creates the exits. */
  stopLoss: PlacedExit | undefined;
  takeProfit: PlacedExit | undefined;
  targets: readonly PlacedTarget[] | undefined;
  /**
   * Id of the original entry order: an entry that replaces another order has the `entryId` of the replaced
   * order. For an exit, the `entryId` of its parent.
   */
  entryId: number;
  /**
   * Price of the first fill that opened a position. Exit levels given as distances are counted from this
   * price.
   */
  firstPrice: Exact | undefined;
  /**
   * True for orders of a rebalance. If buying power is insufficient, such an order fills with a smaller size
   * instead of being rejected.
   */
  cutToPower: boolean;
  done: boolean;
}

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

/** True for an order type whose trigger price follows the market price. */
export function trails(type: OrderType): boolean {
  return type === 'trailing_stop' || type === 'trailing_stop_limit';
}

/**
 * True for an order that triggers at a more favourable price: below the market for a buy, above it for a
 * sell. A stop order, in contrast, triggers at a less favourable price.
 */
export function isIfTouched(type: OrderType): boolean {
  return type === 'market_if_touched' || type === 'limit_if_touched';
}

/** True if the order becomes a limit order once triggered. */
export function becomesLimit(type: OrderType): boolean {
  return type === 'stop_limit' || type === 'limit_if_touched' || type === 'trailing_stop_limit';
}

/** True for an order that fills at its limit price or better and has no trigger price. */
export function isLimit(type: OrderType): boolean {
  return type === 'limit' || type === 'limit_on_open' || type === 'limit_on_close';
}

/** True if the order is only checked when a bar closes. */
export function waitsForClose(type: OrderType): boolean {
  return type === 'market_on_close' || type === 'limit_on_close';
}

/** True if the order fills at an opening auction. */
export function waitsForAuction(type: OrderType): boolean {
  return type === 'market_on_open' || type === 'limit_on_open';
}

/** True if the order fills at the open of a bar, and never at the open of a finer bar. */
export function waitsForOpen(type: OrderType): boolean {
  return type === 'market' || waitsForAuction(type);
}

/** Returns the direction in which the price must move to trigger an order: 1 up, −1 down. */
export function triggerSide(type: OrderType, side: number): number {
  return isIfTouched(type) ? -side : side;
}

/** True if a price has reached the trigger price of an order. */
export function isTriggered(type: OrderType, side: number, price: number, trigger: number): boolean {
  return triggerSide(type, side) > 0 ? price >= trigger : price <= trigger;
}
