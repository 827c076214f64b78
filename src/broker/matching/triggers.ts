/**
 * Rules for the price of a fill at the open or the close, for limits, and for trailing stops. See
 * docs/fill-rules.md; `paths/fill-rules.ts` has the rules for prices within a bar. Prices are float64, and
 * NaN means no fill at this moment. `side` is above 0 for a buy and below 0 for a sell. Only `moveTrail` has
 * side effects.
 */

import { Exact } from '../../kernel/index.ts';
import { isTriggered, type RestingOrder, type Trail } from '../orders/order.ts';
import { toTick } from '../settings/ticks.ts';

/** Prices of one bar or finer bar. */
export interface PriceBar {
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
}

const NOT_NOW = Number.NaN;

/**
 * True if a price satisfies a limit. If `through` is true, the price must be beyond the limit; touching it is
 * not sufficient.
 */
export function withinLimit(side: number, price: number, limit: number, through: boolean): boolean {
  if (through) return side > 0 ? price < limit : price > limit;
  return side > 0 ? price <= limit : price >= limit;
}

/**
 * Returns the price at which an order fills at the open. `NaN` if the order does not fill at the open. A
 * stop-limit or limit-if-touched order counts as triggered if the open is at or beyond its trigger price.
 */
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

/**
 * Returns the level of a trailing stop after the market has reached a price. An existing level only moves
 * down for a buy and up for a sell. A stop that is not active yet gets its first level when the price
 * activates it.
 */
export function trailedStop(order: RestingOrder, side: number, price: number): number {
  const { trail, activationPrice } = order;
  if (trail === undefined || order.triggered) return order.stopPrice;
  if (!Number.isNaN(activationPrice) && !wakes(side, price, activationPrice)) return order.stopPrice;
  const level = trailFrom(price, side, trail);
  if (Number.isNaN(order.stopPrice)) return level;
  return side > 0 ? Math.min(order.stopPrice, level) : Math.max(order.stopPrice, level);
}

/**
 * Moves the level of a trailing stop after the market has reached a price. For a trailing stop-limit, also
 * moves its limit.
 *
 * @param tick price step of the order's symbol
 */
export function moveTrail(order: RestingOrder, side: number, price: number, tick: Exact | undefined): void {
  const level = trailedStop(order, side, price);
  if (Number.isNaN(level) || level === order.stopPrice) return;
  order.stopPrice = level;
  order.activationPrice = NOT_NOW;
  if (order.limitOffset !== undefined) order.limitPrice = offsetLimit(level, side, order.limitOffset, tick);
}

/**
 * True if a price activates a trailing stop. For a sell, the price must be at or above the activation price;
 * for a buy, at or below it.
 */
export function wakes(side: number, price: number, activation: number): boolean {
  return side > 0 ? price <= activation : price >= activation;
}

/**
 * Returns the limit price of a trailing stop-limit order: the stop level plus (buy) or minus (sell) `offset`,
 * rounded to the tick in favour of the trader.
 */
export function offsetLimit(stop: number, side: number, offset: Exact, tick: Exact | undefined): number {
  const from = Exact.of(stop);
  return toTick(side > 0 ? from.plus(offset) : from.minus(offset), tick, side < 0).toNumber();
}

/**
 * Returns the level of a trailing stop when the market is at `price`: `trail` above it for a buy, below it
 * for a sell. Uses exact decimals, because float64 could miss a price that exactly touches the level.
 */
export function trailFrom(price: number, side: number, trail: Trail): number {
  const from = Exact.of(price);
  const distance = 'amount' in trail ? Exact.of(trail.amount) : from.times(Exact.of(trail.fraction));
  return (side > 0 ? from.plus(distance) : from.minus(distance)).toNumber();
}

/**
 * Prices of one bar for all symbols. `trades[symbol]` is 0 for a symbol that cannot trade now: without a bar
 * at this instant, without volume, or outside its trading times.
 */
export interface BarPrices {
  readonly trades: Uint8Array;
  readonly open: Float64Array;
  readonly high: Float64Array;
  readonly low: Float64Array;
  readonly close: Float64Array;
  readonly volume: Float64Array;
  /** Quoted spread of the bar in money per unit, if slippage is configured with a column. */
  readonly spread?: Float64Array;
}

/** Bars in which the opening and closing auctions of a symbol take place. */
export interface Auctions {
  /** True if orders for the open fill at the open of a bar. */
  isOpening(symbol: number, bar: number): boolean;
  /** True if orders for the close fill at the close of a bar. */
  isClosing(symbol: number, bar: number): boolean;
}

/** Auctions for unknown sessions: every bar has both auctions. */
export const EVERY_BAR: Auctions = { isOpening: () => true, isClosing: () => true };
