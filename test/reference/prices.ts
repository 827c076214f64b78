import { limitOf, type RestingOrder, stopOf, typeOf } from './order.ts';
import type { Rational } from './rational.ts';
import type { Bar, Side, Terms } from './types.ts';

/** A price by the table of the fill rules, before slippage. */
export interface RulePrice {
  readonly price: Rational;
  /** A limit's price is never slipped. */
  readonly isLimit: boolean;
  /** Whether the order waited in the book for the price. */
  readonly isMaker: boolean;
  /** Of a stop-limit that is marketable at its stop: slippage ends here. */
  readonly bound?: Rational;
}

/** A point of a path: a price, and whether the path is a breath below (−1) or above (1) it. */
export interface Point {
  readonly price: Rational;
  readonly beyond: -1 | 0 | 1;
}

export const at = (price: Rational): Point => ({ price, beyond: 0 });

/** Negative where the first point is the lower. */
export const compare = (one: Point, other: Point): number =>
  one.price.minus(other.price).sign() || one.beyond - other.beyond;

/** Where a limit is reached on the way: at its price, or with `limitNeedsThrough` just past it. */
const limitPoint = (limit: Rational, side: Side, terms: Terms): Point => ({
  price: limit,
  beyond: terms.limitNeedsThrough ? (side === 'buy' ? -1 : 1) : 0,
});

const isLimitReached = (limit: Rational, side: Side, point: Point, terms: Terms): boolean => {
  const order = compare(point, limitPoint(limit, side, terms));
  return side === 'buy' ? order <= 0 : order >= 0;
};

export const isStopReached = (stop: Rational, side: Side, { price }: Point): boolean =>
  side === 'buy' ? !price.isBelow(stop) : !price.isAbove(stop);

/** What an order fills at where a bar opens; nothing when the open does not reach it. */
export function priceAtOpen(
  order: RestingOrder,
  side: Side,
  open: Rational,
  tick: Rational | undefined,
  terms: Terms,
): RulePrice | undefined {
  const type = typeOf(order);
  const asMarket = { price: open, isLimit: false, isMaker: false };
  const asLimit = isLimitReached(limitOf(order, side, tick), side, at(open), terms)
    ? { price: open, isLimit: true, isMaker: false }
    : undefined;
  if (type === 'market') return asMarket;
  if (type === 'market_on_close') return undefined;
  if (type === 'limit') return asLimit;
  const isStopped = order.triggered || isStopReached(stopOf(order, side, tick), side, at(open));
  if (!isStopped) return undefined;
  return type === 'stop_limit' ? asLimit : asMarket;
}

/** What an order fills at where a path has come to; `touched` when only its stop is touched there. */
export function priceOnTheWay(
  order: RestingOrder,
  side: Side,
  point: Point,
  tick: Rational | undefined,
  terms: Terms,
): RulePrice | 'touched' | undefined {
  const type = typeOf(order);
  if (type === 'market' || type === 'market_on_close') return undefined;
  const limit = limitOf(order, side, tick);
  const isWithin = isLimitReached(limit, side, point, terms);
  const resting = isWithin ? { price: point.price, isLimit: true, isMaker: true } : undefined;
  if (type === 'limit') return resting;
  if (order.triggered) return type === 'stop_limit' ? resting : undefined;
  if (!isStopReached(stopOf(order, side, tick), side, point)) return undefined;
  const taken = { price: point.price, isLimit: false, isMaker: false };
  if (type !== 'stop_limit') return taken;
  return isWithin ? { ...taken, bound: limit } : 'touched';
}

/** The points at which something can happen to an order. */
export function pointsOf(
  order: RestingOrder,
  side: Side,
  tick: Rational | undefined,
  terms: Terms,
): readonly Point[] {
  const limit = limitPoint(limitOf(order, side, tick), side, terms);
  const stop = at(stopOf(order, side, tick));
  switch (typeOf(order)) {
    case 'limit':
      return [limit];
    case 'stop':
    case 'trailing_stop':
      return order.triggered ? [] : [stop];
    case 'stop_limit':
      return order.triggered ? [limit] : [stop];
    default:
      return [];
  }
}

export const isInside = ({ high, low }: Bar, point: Point): boolean =>
  compare(point, at(low)) >= 0 && compare(point, at(high)) <= 0;
