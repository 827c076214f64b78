import type { RestingOrder } from '../order.ts';
import type { PriceBar } from '../triggers.ts';
import type { Point } from './point.ts';

/** Largest number of different order prices inside a bar for which all paths are searched. */
export const MOST_PRICES = 12;

/** Prices inside a bar at which a path can affect orders, in rising order. */
export class Levels {
  readonly prices: readonly number[];
  readonly low = 0;
  readonly high: number;
  readonly open: number;
  readonly close: number;
  /** Number of different order prices among them. */
  readonly orderPrices: number;
  readonly #between: boolean;

  /**
   * @param between if true, positions between two prices count, because limits require the price to move
   *   beyond them
   */
  constructor(bar: PriceBar, orderPrices: ReadonlySet<number>, between: boolean) {
    const all = new Set([bar.low, bar.open, bar.close, bar.high, ...orderPrices]);
    this.prices = [...all].sort((a, b) => a - b);
    this.#between = between;
    this.orderPrices = orderPrices.size;
    this.high = this.prices.length - 1;
    this.open = this.prices.indexOf(bar.open);
    this.close = this.prices.indexOf(bar.close);
  }

  /** Number of positions of a path: the prices and, if relevant, the positions between two prices. */
  get places(): number {
    return this.#between ? 2 * this.prices.length - 1 : this.prices.length;
  }

  /** Returns the position of a price. */
  placeOf(level: number): number {
    return this.#between ? 2 * level : level;
  }

  /** Returns the point that a path reaches when it enters a position from below (1) or above (−1). */
  pointAt(place: number, direction: 1 | -1): Point {
    if (!this.#between) return { price: this.prices[place]!, past: 0 };
    if (place % 2 === 0) return { price: this.prices[place / 2]!, past: 0 };
    return { price: this.prices[(place - direction) / 2]!, past: direction };
  }
}

/** Adds the prices of orders that are inside a bar. */
export function addPrices(
  orders: readonly RestingOrder[],
  { low, high }: PriceBar,
  prices: Set<number>,
): void {
  for (const { done, type, triggered, limitPrice, stopPrice } of orders) {
    if (done || type === 'trailing_stop' || type === 'limit_on_close') continue;
    if (type === 'trailing_stop_limit' && !triggered) continue;
    if (limitPrice >= low && limitPrice <= high) prices.add(limitPrice);
    if (stopPrice >= low && stopPrice <= high) prices.add(stopPrice);
  }
}
