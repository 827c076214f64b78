import { Exact } from '../../kernel/index.ts';
import type { PriceBar } from '../triggers.ts';
import type { PathVenue } from './path-venue.ts';
import { endPath, type StepTerms, step } from './step.ts';
import { nextPrice } from './walk.ts';

/** A path under way: where it is, and which extremes it has touched. */
interface Walker {
  readonly venue: PathVenue;
  readonly price: number;
  readonly low: boolean;
  readonly high: boolean;
}

/**
 * What the greedy worst path leads to: at each turn it goes to the nearest order price, up or down, at which the account
 * would lose more by the close; where neither loses, to the nearer extreme that it has not touched.
 */
export function greedyWorst(start: PathVenue, bar: PriceBar, terms: StepTerms): PathVenue {
  const close = Exact.of(bar.close);
  const opened = start.copy();
  step(opened, { price: bar.open, past: 0 }, terms);
  let walker: Walker = {
    venue: opened,
    price: bar.open,
    low: bar.open === bar.low,
    high: bar.open === bar.high,
  };
  // Each turn fills or refuses something, or touches an extreme; the rest is the way to the close.
  for (let turns = 0; turns < 10_000; turns++) {
    const up = towards(walker, bar.high, bar, terms);
    const down = towards(walker, bar.low, bar, terms);
    const now = walker.venue.gainAt(close);
    const [worse] = [up, down]
      .filter((next) => next !== undefined)
      .filter(({ venue }) => venue.gainAt(close).compare(now) < 0)
      .sort((a, b) => a.venue.gainAt(close).compare(b.venue.gainAt(close)));
    const next = worse ?? (walker.low && walker.high ? undefined : untouched(walker, up, down));
    if (next === undefined) break;
    walker = next;
  }
  let last: Walker | undefined = walker;
  while (last !== undefined && last.price !== bar.close) {
    walker = last;
    last = towards(walker, bar.close, bar, terms);
  }
  const { venue } = last ?? walker;
  endPath(venue, bar.close, terms);
  return venue;
}

function untouched(
  { low, high }: Walker,
  up: Walker | undefined,
  down: Walker | undefined,
): Walker | undefined {
  if (low) return up;
  if (high) return down;
  return up ?? down;
}

/** The next stop on the way to a price; undefined where the path is there. */
function towards(walker: Walker, to: number, bar: PriceBar, terms: StepTerms): Walker | undefined {
  if (walker.price === to) return undefined;
  const direction = to > walker.price ? 1 : -1;
  const venue = walker.venue.copy();
  if (terms.through) step(venue, { price: walker.price, past: direction }, terms);
  const price = nextPrice(venue, walker.price, to, bar);
  step(venue, { price, past: 0 }, terms);
  return {
    venue,
    price,
    low: walker.low || price === bar.low,
    high: walker.high || price === bar.high,
  };
}
