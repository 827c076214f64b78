/**
 * Evaluates possible price paths within a bar: the sequences in which prices between the bar's low and high
 * are reached.
 *
 * `canonicalPaths` evaluates two fixed paths. Used for trailing stops, and if there are too many order prices
 * to search all paths. `searchPaths` evaluates all paths, for orders at fixed prices.
 *
 * Method of `searchPaths`: the result of a path depends only on the sequence in which the path reaches the
 * orders' prices, the low, the high and the close. The search therefore moves between these price levels. A
 * node consists of the current level, the extremes (low, high) reached so far, and the fills so far. Each
 * node is visited once. A path may end at the close after both extremes were reached. Nodes with fewer fills
 * and other actions are visited first, so that all ways to a node are known before its successors are
 * visited.
 */

import type { PriceBar } from '../matching/triggers.ts';
import { type RestingOrder, trails } from '../orders/order.ts';
import { anyTouched, endPath, type Point, type StepTerms, step, trailTo } from './fill-rules.ts';
import { compareFills } from './outcome.ts';
import type { PathVenue } from './path-venue.ts';

/** Largest number of different order prices inside a bar for which all paths are searched. */
const MOST_PRICES = 12;

/**
 * Prices inside a bar at which a path can affect orders, in rising order. `low`, `high`, `open` and `close`
 * are indices of `prices`.
 */
class Levels {
  readonly prices: readonly number[];
  readonly low = 0;
  readonly high: number;
  readonly open: number;
  readonly close: number;
  /** Number of different order prices among `prices`. */
  readonly orderPrices: number;
  readonly #between: boolean;

  /**
   * @param between if true, a path can also be between two adjacent prices. Needed if a limit order fills
   *   only beyond its limit
   */
  constructor(bar: PriceBar, orderPrices: ReadonlySet<number>, between: boolean) {
    const all = new Set([bar.low, bar.open, bar.close, bar.high, ...orderPrices]);
    this.prices = [...all].sort((a, b) => a - b);
    this.#between = between;
    this.orderPrices = orderPrices.size;
    this.high = this.prices.length - 1;
    this.open = this.prices.indexOf(bar.open);
    this.close = this.prices.indexOf(bar.close);
  }

  /**
   * Number of positions on a path: one per price and, if `between` is true, one between each two adjacent
   * prices.
   */
  get places(): number {
    return this.#between ? 2 * this.prices.length - 1 : this.prices.length;
  }

  /** Returns the position number of the price with index `level` in `prices`. */
  placeOf(level: number): number {
    return this.#between ? 2 * level : level;
  }

  /** Returns the point that a path reaches when it enters a position, moving up (1) or down (−1). */
  pointAt(place: number, direction: 1 | -1): Point {
    if (!this.#between) return { price: this.prices[place]!, past: 0 };
    if (place % 2 === 0) return { price: this.prices[place / 2]!, past: 0 };
    return { price: this.prices[(place - direction) / 2]!, past: direction };
  }
}

/** Adds the limit and stop prices of orders that are within a bar's range. */
function addPrices(orders: readonly RestingOrder[], { low, high }: PriceBar, prices: Set<number>): void {
  for (const { done, type, triggered, limitPrice, stopPrice } of orders) {
    if (done || type === 'trailing_stop' || type === 'limit_on_close') continue;
    if (type === 'trailing_stop_limit' && !triggered) continue;
    if (limitPrice >= low && limitPrice <= high) prices.add(limitPrice);
    if (stopPrice >= low && stopPrice <= high) prices.add(stopPrice);
  }
}

/** Returns the results of the two canonical paths: open, high, low, close; and open, low, high, close. */
export function canonicalPaths(start: PathVenue, bar: PriceBar, terms: StepTerms): PathVenue[] {
  const { open, high, low, close } = bar;
  return [
    follow(start, [open, high, low, close], bar, terms),
    follow(start, [open, low, high, close], bar, terms),
  ];
}

/** Returns the result of a path that moves straight from each of the given prices to the next. */
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
    // With `through`, limit orders fill only beyond their limit. The point just beyond the price is therefore
    // evaluated as well.
    if (terms.through) step(venue, { price, past: direction }, terms);
    price = nextPrice(venue, price, to, bar);
    arrive(venue, price, terms);
  }
}

/**
 * Returns the next price, on the way from one price to another, at which an order may be affected. If the
 * way affects no order, returns the price at its end.
 */
export function nextPrice(venue: PathVenue, from: number, to: number, bar: PriceBar): number {
  const prices = new Set<number>();
  addPrices(venue.orders, bar, prices);
  for (const { done, type, stopPrice, activationPrice } of venue.orders) {
    if (done || !trails(type)) continue;
    // Orders without a stop or activation price add NaN. The comparisons below ignore NaN.
    prices.add(stopPrice);
    prices.add(activationPrice);
  }
  let next = to;
  for (const price of prices) {
    if (to > from ? price > from && price < next : price < from && price > next) next = price;
  }
  return next;
}

/**
 * Largest number of nodes of a search. A bar with more nodes is treated like a bar with too many order
 * prices. Many nodes arise, for example, if the fill of an exit leads to further exits.
 */
const MOST_NODES = 60_000;

const LOW = 1;
const HIGH = 2;
const BOTH = LOW | HIGH;

/** Returns the results of all paths of a bar. `undefined` if there are too many prices or nodes. */
export function searchPaths(start: PathVenue, bar: PriceBar, terms: StepTerms): PathVenue[] | undefined {
  const prices = new Set<number>();
  addPrices(start.orders, bar, prices);
  while (prices.size <= MOST_PRICES) {
    const known = prices.size;
    const ends = new Search(start, bar, new Levels(bar, prices, terms.through), terms).run(prices);
    if (ends === undefined) return undefined;
    // Exits created during the search may have prices that were not among the searched levels. The search is
    // then repeated with these prices.
    if (prices.size === known) return ends;
  }
  return undefined;
}

interface Node {
  readonly place: number;
  readonly touched: number;
  readonly venue: PathVenue;
}

class Search {
  readonly #levels: Levels;
  readonly #bar: PriceBar;
  readonly #terms: StepTerms;
  readonly #start: PathVenue;
  readonly #known = new Map<string, PathVenue>();
  readonly #visited = new Map<PathVenue, Uint8Array>();
  readonly #ends = new Map<string, PathVenue>();
  /**
   * Nodes to visit, grouped by the number of actions (fills, cancellations, rejections, new exits) that led
   * to them.
   */
  readonly #nodes: Node[][] = [];
  #count = 0;

  constructor(start: PathVenue, bar: PriceBar, levels: Levels, terms: StepTerms) {
    this.#start = start;
    this.#bar = bar;
    this.#levels = levels;
    this.#terms = terms;
  }

  /**
   * Visits all nodes. Returns the results of all paths, or `undefined` if there are too many nodes.
   *
   * @param prices receives the prices of orders that are created during the search; if there are any, the
   *   result is an empty list
   */
  run(prices: Set<number>): PathVenue[] | undefined {
    const levels = this.#levels;
    const known = prices.size;
    const open = levels.placeOf(levels.open);
    this.#visit(open, 0, this.#arrive(this.#start, open, 1));
    for (let happened = 0; happened < this.#nodes.length; happened++) {
      const nodes = this.#nodes[happened] ?? [];
      for (let index = 0; index < nodes.length; index++) {
        if (this.#count > MOST_NODES) return undefined;
        const { place, touched, venue } = nodes[index]!;
        if (touched === BOTH && place === levels.placeOf(levels.close)) this.#end(venue);
        if (place > 0) this.#visit(place - 1, touched, this.#arrive(venue, place - 1, -1));
        if (place + 1 < levels.places) this.#visit(place + 1, touched, this.#arrive(venue, place + 1, 1));
      }
    }
    for (const { orders } of this.#known.values()) addPrices(orders, this.#bar, prices);
    return prices.size > known ? [] : [...this.#ends.values()];
  }

  #arrive(venue: PathVenue, place: number, direction: 1 | -1): PathVenue {
    const point = this.#levels.pointAt(place, direction);
    if (!anyTouched(venue, point, this.#terms)) return venue;
    const moved = venue.copy();
    step(moved, point, this.#terms);
    const same = this.#known.get(moved.key);
    if (same !== undefined) {
      // Two paths led to the same state by a different sequence of fills. To make the result deterministic,
      // the node stores the sequence that comes first in the order of `compareFills`.
      if (compareFills(moved, same) < 0) same.adopt(moved);
      return same;
    }
    this.#known.set(moved.key, moved);
    return moved;
  }

  #visit(place: number, before: number, venue: PathVenue): void {
    const { low, high } = this.#levels;
    const atLow = place === this.#levels.placeOf(low) ? LOW : 0;
    const atHigh = place === this.#levels.placeOf(high) ? HIGH : 0;
    const touched = before | atLow | atHigh;
    let visited = this.#visited.get(venue);
    if (visited === undefined) {
      visited = new Uint8Array(this.#levels.places);
      this.#visited.set(venue, visited);
    }
    // Each combination of touched extremes (none, low, high, both) has one bit in `visited`.
    const bit = 1 << touched;
    if ((visited[place]! & bit) !== 0) return;
    visited[place]! |= bit;
    this.#count += 1;
    const nodes = this.#nodes[venue.actions.length] ?? [];
    this.#nodes[venue.actions.length] = nodes;
    nodes.push({ place, touched, venue });
  }

  #end(venue: PathVenue): void {
    const key = venue.key;
    if (this.#ends.has(key)) return;
    const end = venue.copy();
    endPath(end, this.#bar.close, this.#terms);
    this.#ends.set(key, end);
  }
}
