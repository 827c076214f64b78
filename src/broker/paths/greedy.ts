import { Exact } from '../../kernel/index.ts';
import type { PriceBar } from '../triggers.ts';
import { nextPrice } from './canonical.ts';
import type { PathVenue } from './path-venue.ts';
import { endPath, type StepTerms, step } from './step.ts';

/** State of a path: current price and touched extremes. */
interface Trial {
  readonly venue: PathVenue;
  readonly price: number;
  readonly low: boolean;
  readonly high: boolean;
}

/**
 * Returns the result of the greedy worst path. At each turn, it moves to the nearest order price, up or down,
 * at which the account would lose more by the close. Without such a price, it moves to the nearer untouched
 * extreme.
 */
export function greedyWorst(start: PathVenue, bar: PriceBar, terms: StepTerms): PathVenue {
  const close = Exact.of(bar.close);
  const opened = start.copy();
  step(opened, { price: bar.open, past: 0 }, terms);
  let trial: Trial = {
    venue: opened,
    price: bar.open,
    low: bar.open === bar.low,
    high: bar.open === bar.high,
  };
  // Each turn fills or rejects an order, or touches an extreme. Afterwards the path moves to the close.
  for (let turns = 0; turns < 10_000; turns++) {
    const up = towards(trial, bar.high, bar, terms);
    const down = towards(trial, bar.low, bar, terms);
    const now = trial.venue.gainAt(close);
    const [worse] = [up, down]
      .filter((next) => next !== undefined)
      .filter(({ venue }) => venue.gainAt(close).compare(now) < 0)
      .sort((a, b) => a.venue.gainAt(close).compare(b.venue.gainAt(close)));
    const next = worse ?? (trial.low && trial.high ? undefined : untouched(trial, up, down));
    if (next === undefined) break;
    trial = next;
  }
  let last: Trial | undefined = trial;
  while (last !== undefined && last.price !== bar.close) {
    trial = last;
    last = towards(trial, bar.close, bar, terms);
  }
  const { venue } = last ?? trial;
  endPath(venue, bar.close, terms);
  return venue;
}

function untouched({ low, high }: Trial, up: Trial | undefined, down: Trial | undefined): Trial | undefined {
  if (low) return up;
  if (high) return down;
  return up ?? down;
}

/** Moves to the next stop towards a price. `undefined` if the path is already there. */
function towards(trial: Trial, to: number, bar: PriceBar, terms: StepTerms): Trial | undefined {
  if (trial.price === to) return undefined;
  const direction = to > trial.price ? 1 : -1;
  const venue = trial.venue.copy();
  if (terms.through) step(venue, { price: trial.price, past: direction }, terms);
  const price = nextPrice(venue, trial.price, to, bar);
  step(venue, { price, past: 0 }, terms);
  return {
    venue,
    price,
    low: trial.low || price === bar.low,
    high: trial.high || price === bar.high,
  };
}
