/**
 * Evaluates single price paths, leg by leg. Used for trailing stops, and if orders have too many prices for a
 * search.
 */
import { trails } from '../order-kinds.ts';
import type { PriceBar } from '../triggers.ts';
import { addPrices } from './levels.ts';
import type { PathVenue } from './path-venue.ts';
import { endPath, type StepTerms, step, trailTo } from './step.ts';

/** Returns the results of the two canonical paths: open, high, low, close; and open, low, high, close. */
export function canonicalPaths(start: PathVenue, bar: PriceBar, terms: StepTerms): PathVenue[] {
  const { open, high, low, close } = bar;
  return [
    follow(start, [open, high, low, close], bar, terms),
    follow(start, [open, low, high, close], bar, terms),
  ];
}

/** Follows a path through the given prices, monotone in between. */
function follow(start: PathVenue, turns: readonly number[], bar: PriceBar, terms: StepTerms): PathVenue {
  const venue = start.copy();
  arrive(venue, turns[0]!, terms);
  for (let turn = 1; turn < turns.length; turn++) leg(venue, turns[turn - 1]!, turns[turn]!, bar, terms);
  endPath(venue, bar.close, terms);
  return venue;
}

function arrive(venue: PathVenue, price: number, terms: StepTerms): void {
  trailTo(venue, price, terms);
  step(venue, { price, past: 0 }, terms);
}

function leg(venue: PathVenue, from: number, to: number, bar: PriceBar, terms: StepTerms): void {
  const direction = to > from ? 1 : -1;
  let price = from;
  while (price !== to) {
    // For limit orders that only fill when the price moves beyond their limit.
    if (terms.through) step(venue, { price, past: direction }, terms);
    price = nextPrice(venue, price, to, bar);
    arrive(venue, price, terms);
  }
}

/** Returns the next price on a leg at which an order may be affected, or the end of the leg. */
export function nextPrice(venue: PathVenue, from: number, to: number, bar: PriceBar): number {
  const prices = new Set<number>();
  addPrices(venue.orders, bar, prices);
  for (const { done, type, stopPrice, activationPrice } of venue.orders) {
    if (done || !trails(type)) continue;
    // NaN, for orders without the price, is ignored.
    prices.add(stopPrice);
    prices.add(activationPrice);
  }
  let next = to;
  for (const price of prices) {
    if (to > from ? price > from && price < next : price < from && price > next) next = price;
  }
  return next;
}
