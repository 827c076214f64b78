/** Properties of order types, as named functions. */
import type { OrderType } from './request.ts';

/** True if the trigger follows the price. */
export function trails(type: OrderType): boolean {
  return type === 'trailing_stop' || type === 'trailing_stop_limit';
}

/** True if the order is triggered where a limit order would fill. A stop is triggered on the other side. */
export function isIfTouched(type: OrderType): boolean {
  return type === 'market_if_touched' || type === 'limit_if_touched';
}

/** True if the order becomes a limit order once triggered. */
export function becomesLimit(type: OrderType): boolean {
  return type === 'stop_limit' || type === 'limit_if_touched' || type === 'trailing_stop_limit';
}

/** True if the order fills at its limit or better, without a trigger. */
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

/** True if a price has reached a trigger. */
export function isTriggered(type: OrderType, side: number, price: number, trigger: number): boolean {
  return triggerSide(type, side) > 0 ? price >= trigger : price <= trigger;
}
