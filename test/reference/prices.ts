import { isTouch, isTrail, limitOf, type RestingOrder, stopOf, turnsLimit, typeOf } from './order.ts';
import { Rational } from './rational.ts';
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

export const isAtLimit = (limit: Rational, side: Side, point: Point, terms: Terms): boolean => {
  const order = compare(point, limitPoint(limit, side, terms));
  return side === 'buy' ? order <= 0 : order >= 0;
};

/** Whether a price has come to what triggers an order. A trail that sleeps has nothing that does. */
export function isTriggerReached(
  order: RestingOrder,
  side: Side,
  { price }: Point,
  tick: Rational | undefined,
): boolean {
  if (isTrail(order) && order.level === undefined) return false;
  const stop = stopOf(order, side, tick);
  return (side === 'buy') !== isTouch(order) ? !price.isBelow(stop) : !price.isAbove(stop);
}

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
  const asLimit = isAtLimit(limitOf(order, side, tick), side, at(open), terms)
    ? { price: open, isLimit: true, isMaker: false }
    : undefined;
  if (type === 'market' || type === 'market_on_open') return asMarket;
  if (type === 'market_on_close' || type === 'limit_on_close') return undefined;
  // A post-only order rests in the book: it is the maker wherever it fills.
  if (type === 'limit') return asLimit && { ...asLimit, isMaker: order.ask.postOnly === true };
  if (type === 'limit_on_open') return asLimit;
  const isTriggered = order.triggered || isTriggerReached(order, side, at(open), tick);
  if (!isTriggered) return undefined;
  return turnsLimit(order) ? asLimit : asMarket;
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
  if (type.startsWith('market_on') || type === 'market' || type.startsWith('limit_on')) return undefined;
  const limit = limitOf(order, side, tick);
  const isWithin = isAtLimit(limit, side, point, terms);
  // An order that is created beyond its limit takes the price that is there: it did not wait in the book for it.
  const isMaker = point.price.equals(limit);
  const resting = isWithin ? { price: point.price, isLimit: true, isMaker } : undefined;
  if (type === 'limit') return resting;
  if (order.triggered) return turnsLimit(order) ? resting : undefined;
  if (!isTriggerReached(order, side, point, tick)) return undefined;
  const taken = { price: point.price, isLimit: false, isMaker: false };
  if (!turnsLimit(order)) return taken;
  return isWithin ? { ...taken, bound: limit } : 'touched';
}

/** The points at which something can happen to an order. */
export function pointsOf(
  order: RestingOrder,
  side: Side,
  tick: Rational | undefined,
  terms: Terms,
): readonly Point[] {
  const type = typeOf(order);
  const limit = limitPoint(limitOf(order, side, tick), side, terms);
  if (type === 'limit' || (turnsLimit(order) && order.triggered)) return [limit];
  if (type.startsWith('market_on') || type === 'market' || type.startsWith('limit_on')) return [];
  if (order.triggered) return [];
  if (isTrail(order) && order.level === undefined) return [at(Rational.of(order.ask.activationPrice!))];
  return [at(stopOf(order, side, tick))];
}

export const isInside = ({ high, low }: Bar, point: Point): boolean =>
  compare(point, at(low)) >= 0 && compare(point, at(high)) <= 0;
