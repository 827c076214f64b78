/** Single paths, followed leg by leg: for trailing stops, and where orders have too many prices for a search. */
import { trails } from '../order-kinds.ts';
import type { PriceBar } from '../triggers.ts';
import { addPrices } from './levels.ts';
import type { PathVenue } from './path-venue.ts';
import { endPath, type StepTerms, step, trailTo } from './step.ts';

/** What the two canonical paths lead to: open, high, low, close; and open, low, high, close. */
export function canonicalPaths(start: PathVenue, bar: PriceBar, terms: StepTerms): PathVenue[] {
  const { open, high, low, close } = bar;
  return [
    follow(start, [open, high, low, close], bar, terms),
    follow(start, [open, low, high, close], bar, terms),
  ];
}

/** A path through the given prices, monotone in between. */
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
    // Limits that need the price to pass them.
    if (terms.through) step(venue, { price, past: direction }, terms);
    price = nextPrice(venue, price, to, bar);
    arrive(venue, price, terms);
  }
}

/** The next price on a leg at which some order may do something, or the leg's end. */
export function nextPrice(venue: PathVenue, from: number, to: number, bar: PriceBar): number {
  const prices = new Set<number>();
  addPrices(venue.orders, bar, prices);
  for (const { done, type, stopPrice, activationPrice } of venue.orders) {
    if (done || !trails(type)) continue;
    // Not a number where it has none, which is no price on the way.
    prices.add(stopPrice);
    prices.add(activationPrice);
  }
  let next = to;
  for (const price of prices) {
    if (to > from ? price > from && price < next : price < from && price > next) next = price;
  }
  return next;
}
