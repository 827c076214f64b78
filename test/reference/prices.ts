import { limitOf, type RestingOrder, typeOf } from './order.ts';
import { larger, Rational, smaller } from './rational.ts';
import type { Bar, Terms } from './types.ts';

/** A price by the table of the fill rules, before slippage. */
export interface RulePrice {
  readonly price: Rational;
  /** A limit's price is never slipped. */
  readonly isLimit: boolean;
}

const isLimitReached = (side: 'buy' | 'sell', limit: Rational, price: Rational, terms: Terms): boolean => {
  const beyond = side === 'buy' ? price.isBelow(limit) : price.isAbove(limit);
  return beyond || (!terms.limitNeedsThrough && price.equals(limit));
};

const isStopReached = (side: 'buy' | 'sell', stop: Rational, price: Rational): boolean =>
  side === 'buy' ? !price.isBelow(stop) : !price.isAbove(stop);

const better = (side: 'buy' | 'sell', one: Rational, other: Rational): Rational =>
  side === 'buy' ? smaller(one, other) : larger(one, other);
const worse = (side: 'buy' | 'sell', one: Rational, other: Rational): Rational =>
  side === 'buy' ? larger(one, other) : smaller(one, other);

/** The farthest price against the side's limit: what a buyer's limit waits for is the low, a seller's the high. */
const bestOf = (side: 'buy' | 'sell', bar: Bar): Rational => (side === 'buy' ? bar.low : bar.high);
/** What a buyer's stop waits for is the high, a seller's the low. */
const worstOf = (side: 'buy' | 'sell', bar: Bar): Rational => (side === 'buy' ? bar.high : bar.low);

/** A stop on the tick, rounded against the trader; a trailing one is where it trailed to. */
export function stopOf(order: RestingOrder, side: 'buy' | 'sell', tick: Rational | undefined): Rational {
  const stop = order.level ?? Rational.of(order.ask.stopPrice ?? 0);
  if (tick === undefined || order.level !== undefined) return stop;
  return side === 'buy' ? stop.upTo(tick) : stop.downTo(tick);
}

/** What an order fills at where the bar opens; nothing when the open does not reach it. */
export function priceAtOpen(
  order: RestingOrder,
  side: 'buy' | 'sell',
  bar: Bar,
  tick: Rational | undefined,
  terms: Terms,
): RulePrice | undefined {
  const type = typeOf(order);
  const limit = limitOf(order, side, tick);
  const limitFill = isLimitReached(side, limit, bar.open, terms)
    ? { price: bar.open, isLimit: true }
    : undefined;
  if (type === 'market') return { price: bar.open, isLimit: false };
  if (type === 'market_on_close') return undefined;
  if (type === 'limit') return limitFill;
  const isStopped = order.triggered || isStopReached(side, stopOf(order, side, tick), bar.open);
  if (type === 'stop_limit') return isStopped ? limitFill : undefined;
  return isStopped ? { price: bar.open, isLimit: false } : undefined;
}

/** What an order that was there at the open fills at between open, high and low. */
export function priceInside(
  order: RestingOrder,
  side: 'buy' | 'sell',
  bar: Bar,
  tick: Rational | undefined,
  terms: Terms,
): RulePrice | undefined {
  const type = typeOf(order);
  if (type === 'market' || type === 'market_on_close') return undefined;
  const limit = limitOf(order, side, tick);
  const restingLimit = isLimitReached(side, limit, bestOf(side, bar), terms)
    ? { price: better(side, bar.open, limit), isLimit: true }
    : undefined;
  if (type === 'limit') return restingLimit;
  const stop = stopOf(order, side, tick);
  if (type !== 'stop_limit') {
    return isStopReached(side, stop, worstOf(side, bar))
      ? { price: worse(side, bar.open, stop), isLimit: false }
      : undefined;
  }
  if (order.triggered || isStopReached(side, stop, bar.open)) return restingLimit;
  // Touched inside the bar: only the close proves that the price came back to the limit after the stop.
  return isStopReached(side, stop, worstOf(side, bar)) && isLimitReached(side, limit, bar.close, terms)
    ? { price: better(side, worstOf(side, bar), limit), isLimit: true }
    : undefined;
}

/** What an exit born inside the bar fills at in that bar: its own level, and only when the close is beyond it. */
export function priceAfterBirth(
  order: RestingOrder,
  side: 'buy' | 'sell',
  bar: Bar,
  tick: Rational | undefined,
  terms: Terms,
): RulePrice | undefined {
  const isLimit = typeOf(order) === 'limit';
  const level = isLimit ? limitOf(order, side, tick) : stopOf(order, side, tick);
  if (level.isBelow(bar.low) || level.isAbove(bar.high)) return undefined;
  const isProven = isLimit
    ? isLimitReached(side, level, bar.close, terms)
    : isStopReached(side, level, bar.close);
  return isProven ? { price: level, isLimit } : undefined;
}

export const touchesStop = (order: RestingOrder, side: 'buy' | 'sell', price: Rational): boolean =>
  isStopReached(side, stopOf(order, side, undefined), price);

/** The level of a trailing stop from a price: below it for a seller, above it for a buyer. */
export function trailFrom(order: RestingOrder, side: 'buy' | 'sell', price: Rational): Rational {
  const { trailAmount, trailFraction } = order.ask;
  const distance =
    trailAmount === undefined ? price.times(Rational.of(trailFraction ?? 0)) : Rational.of(trailAmount);
  return side === 'sell' ? price.minus(distance) : price.plus(distance);
}
