/** What types of orders have in common, so that each rule is asked for by its name. */
import type { OrderType } from './request.ts';

/** Its trigger follows the price. */
export function trails(type: OrderType): boolean {
  return type === 'trailing_stop' || type === 'trailing_stop_limit';
}

/** It is triggered where a limit would fill, not where a stop would. */
export function isIfTouched(type: OrderType): boolean {
  return type === 'market_if_touched' || type === 'limit_if_touched';
}

/** Once triggered it is a limit order. */
export function becomesLimit(type: OrderType): boolean {
  return type === 'stop_limit' || type === 'limit_if_touched' || type === 'trailing_stop_limit';
}

/** It fills at its limit or better, without a trigger. */
export function isLimit(type: OrderType): boolean {
  return type === 'limit' || type === 'limit_on_open' || type === 'limit_on_close';
}

/** It is looked at when a bar closes, and at no price before. */
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

/** The way the price must go to trigger an order: 1 up, −1 down. */
export function triggerSide(type: OrderType, side: number): number {
  return isIfTouched(type) ? -side : side;
}

/** Whether a price has come to a trigger. */
export function isTriggered(type: OrderType, side: number, price: number, trigger: number): boolean {
  return triggerSide(type, side) > 0 ? price >= trigger : price <= trigger;
}
