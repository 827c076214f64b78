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

/**
 * The lower of two prices for a buyer, the higher for a seller. An order that was there at the open has filled there
 * where the open is the better one, unless the account turned to its other side since.
 */
const betterOf = (side: number, one: number, other: number): number =>
  side > 0 ? Math.min(one, other) : Math.max(one, other);

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

/** The price between open, high and low, for an order that did not fill at the open. */
export function priceInside(order: RestingOrder, side: number, bar: PriceBar, through: boolean): number {
  // The best price of the bar for a limit, the furthest for a stop.
  const favourable = side > 0 ? bar.low : bar.high;
  const adverse = side > 0 ? bar.high : bar.low;
  switch (order.type) {
    case 'limit':
      return withinLimit(side, favourable, order.limitPrice, through)
        ? betterOf(side, bar.open, order.limitPrice)
        : NOT_NOW;
    case 'stop':
    case 'trailing_stop':
      return beyondStop(side, adverse, order.stopPrice)
        ? betterOf(-side, bar.open, order.stopPrice)
        : NOT_NOW;
    case 'stop_limit':
      if (order.triggered || beyondStop(side, bar.open, order.stopPrice)) {
        return withinLimit(side, favourable, order.limitPrice, through)
          ? betterOf(side, bar.open, order.limitPrice)
          : NOT_NOW;
      }
      if (!beyondStop(side, adverse, order.stopPrice)) return NOT_NOW;
      // Triggered inside the bar: only a close within the limit proves that the limit was there after the stop.
      if (!withinLimit(side, bar.close, order.limitPrice, through)) return NOT_NOW;
      return side > 0 ? Math.min(order.limitPrice, bar.high) : Math.max(order.limitPrice, bar.low);
    default:
      return NOT_NOW;
  }
}

/** Whether a bar touches a stop-limit's stop, so that it rests as a limit from the next bar. */
export function touchesStop(order: RestingOrder, side: number, bar: PriceBar): boolean {
  return beyondStop(side, side > 0 ? bar.high : bar.low, order.stopPrice);
}

/** For an order live for a part of this bar only: its price where the close proves that it was reached afterwards. */
export function priceProvenByClose(
  order: RestingOrder,
  side: number,
  bar: PriceBar,
  through: boolean,
): number {
  const isLimit = order.type === 'limit' || order.type === 'stop_limit';
  const level = isLimit ? order.limitPrice : order.stopPrice;
  // On the wrong side of the fill it may lie outside of the bar, which then proves nothing: it waits for the next.
  if (level < bar.low || level > bar.high) return NOT_NOW;
  const isProven = isLimit
    ? withinLimit(side, bar.close, level, through)
    : beyondStop(side, bar.close, level);
  return isProven ? level : NOT_NOW;
}

/** A trailing stop's level after this bar: it only ever moves towards the price. */
export function trailedStop(order: RestingOrder, side: number, bar: PriceBar): number {
  const { trail } = order;
  if (trail === undefined) return order.stopPrice;
  const extreme = side > 0 ? bar.low : bar.high;
  const level = trailFrom(extreme, side, trail);
  return side > 0 ? Math.min(order.stopPrice, level) : Math.max(order.stopPrice, level);
}

/** A trailing stop's level from a price, in decimals: a float64 sum could miss a touch by its last digit. */
export function trailFrom(price: number, side: number, trail: NonNullable<RestingOrder['trail']>): number {
  const from = Exact.of(price);
  const distance = 'amount' in trail ? Exact.of(trail.amount) : from.times(Exact.of(trail.fraction));
  return (side > 0 ? from.plus(distance) : from.minus(distance)).toNumber();
}
