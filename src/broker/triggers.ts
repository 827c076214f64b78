/**
 * When and at what price an order fills within one bar, by docs/fill-rules.md. Prices are float64; NaN means not now.
 * Every function mirrors for sells, and none of them changes anything.
 */
import { Exact } from '../kernel/index.ts';
import type { RestingOrder } from './order.ts';

/** One bar's prices, or one finer bar's. */
export interface PriceBar {
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
}

const NOT_NOW = Number.NaN;

/** Whether a stop is touched by a price: at or above it for a buy, at or below it for a sell. */
function beyondStop(side: number, price: number, stop: number): boolean {
  return side > 0 ? price >= stop : price <= stop;
}

/** Whether a price satisfies a limit; `through` asks for more than a touch. */
function withinLimit(side: number, price: number, limit: number, through: boolean): boolean {
  if (through) return side > 0 ? price < limit : price > limit;
  return side > 0 ? price <= limit : price >= limit;
}

/** The price at the open. A stop-limit whose stop the open is beyond counts as triggered. */
export function priceAtOpen(order: RestingOrder, side: number, open: number, through: boolean): number {
  switch (order.type) {
    case 'market':
      return open;
    case 'limit':
      return withinLimit(side, open, order.limitPrice, through) ? open : NOT_NOW;
    case 'stop':
    case 'trailing_stop':
      return order.triggered || beyondStop(side, open, order.stopPrice) ? open : NOT_NOW;
    case 'stop_limit': {
      const live = order.triggered || beyondStop(side, open, order.stopPrice);
      return live && withinLimit(side, open, order.limitPrice, through) ? open : NOT_NOW;
    }
    default:
      return NOT_NOW;
  }
}

/** A trailing stop's level once the price was here: it only ever moves towards the price. */
export function trailedStop(order: RestingOrder, side: number, price: number): number {
  const { trail } = order;
  if (trail === undefined) return order.stopPrice;
  const level = trailFrom(price, side, trail);
  return side > 0 ? Math.min(order.stopPrice, level) : Math.max(order.stopPrice, level);
}

/** A trailing stop's level from a price, in decimals: a float64 sum could miss a touch by its last digit. */
export function trailFrom(price: number, side: number, trail: NonNullable<RestingOrder['trail']>): number {
  const from = Exact.of(price);
  const distance = 'amount' in trail ? Exact.of(trail.amount) : from.times(Exact.of(trail.fraction));
  return (side > 0 ? from.plus(distance) : from.minus(distance)).toNumber();
}
