import { EXACT_ZERO, Exact } from '../../kernel/index.ts';
import { trailOf } from '../matching/brackets.ts';
import type { PriceBar } from '../matching/triggers.ts';
import { type RestingOrder, trails, waitsForClose } from '../orders/order.ts';
import { canonicalPaths, nextPrice, searchPaths } from './canonical.ts';
import { endPath, type StepTerms, step } from './fill-rules.ts';
import { judge, type Resolve, type Verdict } from './outcome.ts';
import type { PathVenue } from './path-venue.ts';

/**
 * Method by which the best and worst outcome of a bar were estimated. `canonical`: from the two standard
 * paths (open, high, low, close and open, low, high, close). `approximate`: from the two standard paths and
 * the path that a greedy search for the worst outcome found. `undefined` in a `Decision` means that all price
 * paths were evaluated, so both outcomes are exact.
 */
export type Bounds = 'canonical' | 'approximate';

export interface Decision extends Verdict {
  readonly bounds: Bounds | undefined;
}

/**
 * Evaluates the possible outcomes of a bar for a symbol's orders and selects the outcome to book.
 *
 * @param inReach orders that the bar may affect
 */
export function decideBar(
  start: PathVenue,
  bar: PriceBar,
  terms: StepTerms,
  resolve: Resolve,
  inReach: readonly RestingOrder[],
): Decision {
  const close = Exact.of(bar.close);
  if (start.orders.some(isTrailing) || inReach.some(bringsTrail))
    return { ...judge(canonicalPaths(start, bar, terms), close, resolve), bounds: 'canonical' };
  const certain = certainPrice(inReach, terms);
  if (certain !== undefined) {
    step(start, { price: certain, past: 0 }, terms);
    return proved(start);
  }
  const ends = searchPaths(start, bar, terms);
  if (ends !== undefined) return { ...judge(ends, close, resolve), bounds: undefined };
  const approximate = [...canonicalPaths(start, bar, terms), greedyWorst(start, bar, terms)];
  return { ...judge(approximate, close, resolve), bounds: 'approximate' };
}

function isTrailing({ done, triggered, type }: RestingOrder): boolean {
  return trails(type) && !done && !triggered;
}

/** True if a fill of the order before the close would create a trailing stop loss. */
function bringsTrail({ type, stopLoss }: RestingOrder): boolean {
  return trailOf(stopLoss) !== undefined && !waitsForClose(type);
}

/** Evaluates orders that are only decided at the close of a bar. */
export function decideEnd(start: PathVenue, { close }: PriceBar, terms: StepTerms): Decision {
  endPath(start, close, terms);
  return proved(start);
}

/**
 * Returns the price at which the symbol's only affected order fills, whatever price path the bar has.
 * `undefined` if several outcomes are possible.
 *
 * Most bars that affect an order have such a price, so no search of paths is needed.
 */
function certainPrice(inReach: readonly RestingOrder[], { through }: StepTerms): number | undefined {
  const [only, another] = inReach;
  if (only === undefined || another !== undefined || only.side === 0) return undefined;
  if ((only.stopLoss ?? only.takeProfit ?? only.targets) !== undefined) return undefined;
  if ((only.type === 'stop' || only.type === 'market_if_touched') && !only.triggered) return only.stopPrice;
  return only.type === 'limit' && !through ? only.limitPrice : undefined;
}

const NONE: ReadonlySet<string> = new Set();

/** Returns the decision for a bar whose outcome `booked` is the same on every price path. */
function proved(booked: PathVenue): Decision {
  return {
    booked,
    difference: EXACT_ZERO,
    ambiguous: false,
    doubtful: NONE,
    closedElsewhere: [],
    bounds: undefined,
  };
}

/** State of the greedy search: current price, and whether the bar's low and high were reached. */
interface Trial {
  readonly venue: PathVenue;
  readonly price: number;
  readonly low: boolean;
  readonly high: boolean;
}

/**
 * Returns the result of a greedy search for the worst price path. Each step moves up or down to the next
 * order price if the equity at the close becomes lower. If neither direction lowers it, the step moves
 * towards an extreme of the bar that was not reached yet.
 */
function greedyWorst(start: PathVenue, bar: PriceBar, terms: StepTerms): PathVenue {
  const close = Exact.of(bar.close);
  const opened = start.copy();
  step(opened, { price: bar.open, past: 0 }, terms);
  let trial: Trial = {
    venue: opened,
    price: bar.open,
    low: bar.open === bar.low,
    high: bar.open === bar.high,
  };
  // Each iteration fills or rejects an order, or moves towards an extreme of the bar. Afterwards the path
  // moves to the close.
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

/**
 * Returns the state after moving to the next price, on the way to `to`, at which an order may be affected.
 * `undefined` if the path is already at `to`.
 */
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
