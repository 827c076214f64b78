import type { RestingOrder } from '../order.ts';
import { becomesLimit, triggerSide } from '../order-kinds.ts';

/** Position of a path: at a price (0), or just beyond the price on its way up (1) or down (−1). */
export interface Point {
  readonly price: number;
  readonly past: 1 | 0 | -1;
}

/** Effect of a path on an order at a point. */
export interface Touch {
  /** Price of the rule. `undefined` if only the stop of a stop-limit was touched. */
  readonly price: number | undefined;
  /** True if the order was resting at this price when the path arrived. */
  readonly maker: boolean;
  /** True for a stop-limit that became marketable at its stop. */
  readonly slipsToLimit: boolean;
}

/**
 * Returns the effect of a path on an active order at a point. `undefined` without an effect.
 *
 * @param through true if a limit only fills when the price moves beyond it
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
  // An order that was already executable when it became active fills at the current price.
  return {
    price: side > 0 ? Math.min(limit, point.price) : Math.max(limit, point.price),
    maker: point.price === limit,
    slipsToLimit: false,
  };
}

/** Returns a negative number if the path is below a price, a positive one if it is above. */
function comparePoint({ price, past }: Point, other: number): number {
  return price === other ? past : price - other;
}
