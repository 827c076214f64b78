import { EXACT_ZERO, Exact } from '../../kernel/index.ts';
import { trailOf } from '../exits.ts';
import type { RestingOrder } from '../order.ts';
import { trails, waitsForClose } from '../order-kinds.ts';
import type { PriceBar } from '../triggers.ts';
import { canonicalPaths } from './canonical.ts';
import { greedyWorst } from './greedy.ts';
import { judge, type Resolve, type Verdict } from './outcome.ts';
import type { PathVenue } from './path-venue.ts';
import { searchPaths } from './search.ts';
import { endPath, type StepTerms, step } from './step.ts';

/** Accuracy of a bar's two equities as bounds. `undefined` means exact. */
export type Bounds = 'canonical' | 'approximate';

export interface Decision extends Verdict {
  readonly bounds: Bounds | undefined;
}

/**
 * Evaluates a bar for a symbol's orders and selects the outcome to book.
 *
 * @param inReach orders whose prices are inside the bar
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

/** True if a fill inside the bar creates a trailing stop loss. */
function bringsTrail({ type, stopLoss }: RestingOrder): boolean {
  return trailOf(stopLoss) !== undefined && !waitsForClose(type);
}

/** Evaluates orders that are only decided at the close of a bar. */
export function decideEnd(start: PathVenue, { close }: PriceBar, terms: StepTerms): Decision {
  endPath(start, close, terms);
  return proved(start);
}

/**
 * Returns the price at which the single order in reach fills on every path. `undefined` if other outcomes are
 * possible.
 *
 * This covers most bars that reach an order, and avoids a search.
 */
function certainPrice(inReach: readonly RestingOrder[], { through }: StepTerms): number | undefined {
  const [only, another] = inReach;
  if (only === undefined || another !== undefined || only.side === 0) return undefined;
  if ((only.stopLoss ?? only.takeProfit ?? only.targets) !== undefined) return undefined;
  if ((only.type === 'stop' || only.type === 'market_if_touched') && !only.triggered) return only.stopPrice;
  return only.type === 'limit' && !through ? only.limitPrice : undefined;
}

const NONE: ReadonlySet<string> = new Set();

/** Returns a decision with the same outcome on every path. */
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
