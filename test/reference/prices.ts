import { isTouch, isTrail, limitOf, type RestingOrder, stopOf, turnsLimit, typeOf } from './order.ts';
import { Rational } from './rational.ts';
import type { Bar, Side, Terms } from './types.ts';

/** Price given by the fill rules (docs/fill-rules.md), before slippage. */
export interface RulePrice {
  readonly price: Rational;
  /** True for the price of a limit order, to which no slippage is applied. */
  readonly isLimit: boolean;
  /** True if the order was resting in the book at this price. It then pays the maker fee. */
  readonly isMaker: boolean;
  /**
   * Only for a stop-limit order that fills when its stop is reached: its limit, which slippage cannot exceed.
   */
  readonly bound?: Rational;
}

/**
 * Point of a price path. `beyond`: 0 at the price, −1 infinitesimally below it, 1 infinitesimally above it.
 */
export interface Point {
  readonly price: Rational;
  readonly beyond: -1 | 0 | 1;
}

export const at = (price: Rational): Point => ({ price, beyond: 0 });

/** Returns a negative number if the first point is lower, and 0 if both are equal. */
export const compare = (one: Point, other: Point): number =>
  one.price.minus(other.price).sign() || one.beyond - other.beyond;

/**
 * Returns the point at which a limit order fills inside a bar: at its price, or just beyond it with the
 * setting `limitNeedsThrough`.
 */
const limitPoint = (limit: Rational, side: Side, terms: Terms): Point => ({
  price: limit,
  beyond: terms.limitNeedsThrough ? (side === 'buy' ? -1 : 1) : 0,
});

export const isAtLimit = (limit: Rational, side: Side, point: Point, terms: Terms): boolean => {
  const order = compare(point, limitPoint(limit, side, terms));
  return side === 'buy' ? order <= 0 : order >= 0;
};

/** Returns true if a price triggers an order. Always false for a trailing stop that is not activated. */
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

/**
 * Returns the price at which an order fills at the open of a bar. `undefined` if the open does not reach the
 * order.
 */
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
  // A post-only order always rests in the book, so it pays the maker fee.
  if (type === 'limit') return asLimit && { ...asLimit, isMaker: order.ask.postOnly === true };
  if (type === 'limit_on_open') return asLimit;
  const isTriggered = order.triggered || isTriggerReached(order, side, at(open), tick);
  if (!isTriggered) return undefined;
  return turnsLimit(order) ? asLimit : asMarket;
}

/**
 * Returns the price at which an order fills at a point inside a bar. `touched` if only its stop is triggered
 * there.
 */
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
  // An order that is created beyond its limit fills at the current price. It was not resting in the book, so
  // it pays the taker fee.
  const isMaker = point.price.equals(limit);
  const resting = isWithin ? { price: point.price, isLimit: true, isMaker } : undefined;
  if (type === 'limit') return resting;
  if (order.triggered) return turnsLimit(order) ? resting : undefined;
  if (!isTriggerReached(order, side, point, tick)) return undefined;
  const taken = { price: point.price, isLimit: false, isMaker: false };
  if (!turnsLimit(order)) return taken;
  return isWithin ? { ...taken, bound: limit } : 'touched';
}

/** Returns the points at which an order could fill or be triggered. */
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
