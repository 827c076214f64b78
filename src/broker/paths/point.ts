import type { RestingOrder } from '../order.ts';
import { becomesLimit, triggerSide } from '../order-kinds.ts';

/** Where a path is: at a price, or on its way up (1) or down (−1) just past it. */
export interface Point {
  readonly price: number;
  readonly past: 1 | 0 | -1;
}

/** What a path does to an order at a point. */
export interface Touch {
  /** The rule's price; undefined where only the stop of a stop-limit was touched. */
  readonly price: number | undefined;
  /** It rested there and the price came to it. */
  readonly maker: boolean;
  /** A stop-limit that its stop has made marketable. */
  readonly slipsToLimit: boolean;
}

/**
 * What a path does to an order that is live when it comes to a point; undefined where nothing.
 *
 * @param through whether a limit needs the price to pass it
 */
export function touchAt(
  order: RestingOrder,
  side: 1 | -1,
  point: Point,
  through: boolean,
): Touch | undefined {
  const { type, limitPrice, stopPrice } = order;
  if (type === 'limit') return limitTouch(limitPrice, side, point, through);
  if (type === 'stop' || type === 'trailing_stop' || type === 'market_if_touched') {
    if (!(triggerSide(type, side) * comparePoint(point, stopPrice) >= 0)) return undefined;
    return { price: point.price, maker: false, slipsToLimit: false };
  }
  if (!becomesLimit(type)) return undefined;
  if (order.triggered) return limitTouch(limitPrice, side, point, through);
  if (!(triggerSide(type, side) * comparePoint(point, stopPrice) >= 0)) return undefined;
  const touch = limitTouch(limitPrice, side, point, through);
  return touch === undefined
    ? { price: undefined, maker: false, slipsToLimit: false }
    : { ...touch, maker: false, slipsToLimit: true };
}

function limitTouch(limit: number, side: 1 | -1, point: Point, through: boolean): Touch | undefined {
  const beyond = side * comparePoint(point, limit);
  if (through ? beyond >= 0 : beyond > 0) return undefined;
  // Where it became live beyond its limit already it takes the price that is there.
  return {
    price: side > 0 ? Math.min(limit, point.price) : Math.max(limit, point.price),
    maker: point.price === limit,
    slipsToLimit: false,
  };
}

/** Below 0 where the path is below a price, above 0 where it is above. */
function comparePoint({ price, past }: Point, other: number): number {
  return price === other ? past : price - other;
}
