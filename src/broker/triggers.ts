/**
 * When and at what price an order fills within one bar, by docs/fill-rules.md. Prices are float64; NaN means not now.
 * Every function mirrors for sells, and none of them changes anything.
 */
import { Exact } from '../kernel/index.ts';
import { toTick } from './instruments.ts';
import type { RestingOrder, Trail } from './order.ts';
import { isTriggered } from './order-kinds.ts';

/** One bar's prices, or one finer bar's. */
export interface PriceBar {
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
}

const NOT_NOW = Number.NaN;

/** Whether a price satisfies a limit; `through` asks for more than a touch. */
export function withinLimit(side: number, price: number, limit: number, through: boolean): boolean {
  if (through) return side > 0 ? price < limit : price > limit;
  return side > 0 ? price <= limit : price >= limit;
}

/** The price at the open. What becomes a limit counts as triggered where the open is beyond its trigger. */
export function priceAtOpen(order: RestingOrder, side: number, open: number, through: boolean): number {
  switch (order.type) {
    case 'market':
    case 'market_on_open':
      return open;
    case 'limit':
    case 'limit_on_open':
      return withinLimit(side, open, order.limitPrice, through) ? open : NOT_NOW;
    case 'stop':
    case 'trailing_stop':
    case 'market_if_touched':
      return order.triggered || isTriggered(order.type, side, open, order.stopPrice) ? open : NOT_NOW;
    case 'stop_limit':
    case 'limit_if_touched':
    case 'trailing_stop_limit': {
      const live = order.triggered || isTriggered(order.type, side, open, order.stopPrice);
      return live && withinLimit(side, open, order.limitPrice, through) ? open : NOT_NOW;
    }
    default:
      return NOT_NOW;
  }
}

/** A trail's level once the price was here: it only ever moves towards the price, and begins where it is woken. */
export function trailedStop(order: RestingOrder, side: number, price: number): number {
  const { trail, activationPrice } = order;
  if (trail === undefined || order.triggered) return order.stopPrice;
  if (!Number.isNaN(activationPrice) && !wakes(side, price, activationPrice)) return order.stopPrice;
  const level = trailFrom(price, side, trail);
  if (Number.isNaN(order.stopPrice)) return level;
  return side > 0 ? Math.min(order.stopPrice, level) : Math.max(order.stopPrice, level);
}

/** Moves a trail after a price, and with it the limit that it becomes. @param tick of its symbol */
export function moveTrail(order: RestingOrder, side: number, price: number, tick: Exact | undefined): void {
  const level = trailedStop(order, side, price);
  if (Number.isNaN(level) || level === order.stopPrice) return;
  order.stopPrice = level;
  order.activationPrice = NOT_NOW;
  if (order.limitOffset !== undefined) order.limitPrice = offsetLimit(level, side, order.limitOffset, tick);
}

/** Whether a price wakes a trail: at or above it for one that sells, at or below it for one that buys. */
export function wakes(side: number, price: number, activation: number): boolean {
  return side > 0 ? price <= activation : price >= activation;
}

/** The limit of a trailing stop-limit, on the tick and never worse than its distance from the stop. */
export function offsetLimit(stop: number, side: number, offset: Exact, tick: Exact | undefined): number {
  const from = Exact.of(stop);
  return toTick(side > 0 ? from.plus(offset) : from.minus(offset), tick, side < 0).toNumber();
}

/** A trailing stop's level from a price, in decimals: a float64 sum could miss a touch by its last digit. */
export function trailFrom(price: number, side: number, trail: Trail): number {
  const from = Exact.of(price);
  const distance = 'amount' in trail ? Exact.of(trail.amount) : from.times(Exact.of(trail.fraction));
  return (side > 0 ? from.plus(distance) : from.minus(distance)).toNumber();
}
