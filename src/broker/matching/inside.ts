import { EXACT_ZERO, type Exact, type Instant } from '../../kernel/index.ts';
import type { Ledger } from '../account/index.ts';
import type { Costs } from '../costs/costs.ts';
import type { Executor } from '../fills/executor.ts';
import type { OrderBook } from '../orders/book.ts';
import { type RestingOrder, trails, waitsForClose, waitsForOpen } from '../orders/order.ts';
import { Snapshot, type Wanted } from '../paths/claims.ts';
import { type Bounds, type Decision, decideBar, decideEnd } from '../paths/decide.ts';
import type { StepTerms } from '../paths/fill-rules.ts';
import type { Resolve } from '../paths/outcome.ts';
import { type Action, fillName, PathVenue } from '../paths/path-venue.ts';
import type { Instrument } from '../settings/instruments.ts';
import { cancelRivals } from './brackets.ts';
import type { Filler, LiveVenue } from './filler.ts';
import { type BarPrices, moveTrail, type PriceBar, trailedStop, wakes } from './triggers.ts';

export interface InsideParts {
  readonly symbols: readonly string[];
  readonly book: OrderBook;
  readonly prices: BarPrices;
  readonly instruments: readonly Instrument[];
  /** Leverage of the run. */
  readonly leverage: number;
  readonly ledger: Ledger;
  readonly costs: Costs;
  readonly executor: Executor;
  readonly filler: Filler;
  readonly venue: LiveVenue;
  readonly through: boolean;
  readonly resolve: Resolve;
}

/** Effect of the unknown sequence of prices within one bar on the account, over all symbols. */
export interface BarDoubt {
  /**
   * Sum of the differences in equity at the close between the best and the worst outcome of each ambiguous
   * symbol, in account currency. `undefined` if all fills are certain.
   */
  readonly difference: Exact | undefined;
  /**
   * Symbols for which the best and worst outcome are estimates, because not all possible price paths were
   * evaluated.
   */
  readonly bounds: ReadonlyMap<number, Bounds>;
}

/** Bar, or finer bar within it (such as a minute bar within a daily bar), of a symbol that has orders. */
export interface InsideBar extends PriceBar {
  readonly symbol: number;
  /**
   * Orders that are matched with this bar. `whole`: all orders. `finer`: all orders except those for the
   * close of the bar. `end`: only orders for the close.
   */
  readonly part: 'whole' | 'finer' | 'end';
  /**
   * True if orders for the close (`market_on_close`, `limit_on_close`) can fill at the end of this bar.
   * Always false for a finer bar.
   */
  readonly isClosing: boolean;
  readonly detailTime: Instant | undefined;
}

/** Bar of a symbol, and the symbol's orders with a price inside the bar (`inReach`), oldest first. */
interface Concerned {
  readonly one: InsideBar;
  readonly inReach: readonly RestingOrder[];
}

/**
 * Evaluates, symbol by symbol, the resting orders between a bar's open and its close, and books the resulting
 * fills.
 */
export class InsideMatcher {
  readonly #parts: InsideParts;
  #difference: Exact | undefined;
  #bounds = new Map<number, Bounds>();

  constructor(parts: InsideParts) {
    this.#parts = parts;
  }

  /** Clears the ambiguity results of the previous bar. */
  startBar(): void {
    this.#difference = undefined;
    if (this.#bounds.size > 0) this.#bounds = new Map();
  }

  get doubt(): BarDoubt {
    return { difference: this.#difference, bounds: this.#bounds };
  }

  /**
   * Processes the bars of all symbols at one instant, after the fills at their opens. The symbol with the
   * oldest order that its bar may fill comes first.
   */
  match(bars: readonly InsideBar[], bar: number, time: Instant): void {
    const concerned: Concerned[] = [];
    for (const one of bars) {
      const inReach = this.#inReach(one);
      if (inReach !== undefined) concerned.push({ one, inReach });
      else if (one.part !== 'end') this.#trail(one);
    }
    if (concerned.length === 0) return;
    const { ledger, instruments, leverage } = this.#parts;
    const several = concerned.length > 1;
    if (several) concerned.sort((a, b) => a.inReach[0]!.id - b.inReach[0]!.id);
    const snapshot = new Snapshot(ledger, instruments, leverage, () =>
      several ? this.#wanted(concerned.flatMap(({ inReach }) => inReach)) : [],
    );
    for (const { one, inReach } of concerned) this.#decide(one, inReach, bar, time, snapshot);
  }

  /** Returns a symbol's orders that a bar may fill, oldest first. `undefined` if there are no such orders. */
  #inReach(bar: InsideBar): RestingOrder[] | undefined {
    let found: RestingOrder[] | undefined;
    for (const order of this.#parts.book.orders) {
      if (order.done || order.symbol !== bar.symbol || !this.#reaches(order, bar)) continue;
      found ??= [];
      found.push(order);
    }
    return found;
  }

  /**
   * True if a bar may affect an order, because the bar's range contains a price of the order. Every price
   * path within the bar then passes this price.
   */
  #reaches(order: RestingOrder, { low, high, part, isClosing }: InsideBar): boolean {
    const { type, limitPrice, stopPrice, activationPrice } = order;
    if (waitsForOpen(type)) return false;
    if (waitsForClose(type)) return isClosing;
    if (part === 'end') return false;
    if (trails(type) && !(order.triggered && type === 'trailing_stop_limit')) {
      const { filler, venue } = this.#parts;
      const side = filler.sideOf(venue, order);
      if (side === 0) return true;
      if (!Number.isNaN(activationPrice)) return wakes(side, side > 0 ? low : high, activationPrice);
      const furthest = trailedStop(order, side, side > 0 ? low : high);
      return side > 0 ? high >= furthest : low <= furthest;
    }
    return (limitPrice >= low && limitPrice <= high) || (stopPrice >= low && stopPrice <= high);
  }

  #decide(
    one: InsideBar,
    inReach: readonly RestingOrder[],
    bar: number,
    time: Instant,
    snapshot: Snapshot,
  ): void {
    const { book, ledger, costs, executor, filler, through, resolve } = this.#parts;
    const { symbol, detailTime } = one;
    const live = book.orders.filter((order) => !order.done && order.symbol === symbol);
    const terms: StepTerms = { filler, through, detailTime };
    const shared = { symbol, bar, time, ledger, costs, executor, snapshot };
    const orders = one.isClosing ? live : live.filter(({ type }) => !waitsForClose(type));
    const start = PathVenue.at(shared, orders, book.nextId);
    const decision =
      one.part === 'end' ? decideEnd(start, one, terms) : decideBar(start, one, terms, resolve, inReach);
    this.#book(symbol, decision);
    snapshot.decide(symbol, decision.booked.claims);
    if (decision.bounds !== undefined) this.#bounds.set(symbol, decision.bounds);
    if (decision.ambiguous) this.#difference = (this.#difference ?? EXACT_ZERO).plus(decision.difference);
  }

  /**
   * Books the chosen outcome of a bar (`booked`). The outcome was computed on copies; its effects are applied
   * to the real orders and account.
   */
  #book(symbol: number, { booked, doubtful, difference, closedElsewhere }: Decision): void {
    const { book, venue, ledger } = this.#parts;
    const byId = new Map<number, RestingOrder>();
    for (const order of book.orders) if (order.symbol === symbol) byId.set(order.id, order);
    const copies = new Map(booked.orders.map((order) => [order.id, order]));
    const isDoubtful = (action: Action): boolean =>
      doubtful.size > 0 && action.kind === 'fill' && doubtful.has(fillName(action));
    const lastDoubtful = booked.actions.findLast(isDoubtful);
    for (const action of booked.actions) {
      if (action.kind === 'accept') {
        const exit = action.exit;
        venue.takeId();
        byId.set(exit.id, exit);
        venue.accept(exit);
        continue;
      }
      const order = byId.get(action.id)!;
      if (action.kind === 'cancel') venue.cancel(order, action.code, action.message);
      else if (action.kind === 'reject') venue.reject(order, action.refusal);
      else {
        const ambiguous = isDoubtful(action);
        const doubt = ambiguous
          ? { ambiguous, ...(action === lastDoubtful ? { gainIfOther: difference } : {}) }
          : {};
        venue.book(order, action.side, action.fill, { ...action.place, ...doubt, inside: true });
        // Orders of the same symbol were already cancelled on the price path. This call cancels orders that
        // are not part of the path: orders of other symbols, and orders for a close that is not in this bar.
        cancelRivals(venue, order, ({ id }) => copies.has(id));
      }
    }
    for (const [id, copy] of copies) Object.assign(byId.get(id)!, copy);
    if (closedElsewhere.length > 0) ledger.doubt(symbol, closedElsewhere);
  }

  /** Moves the trailing stops of a symbol after a bar that affects no order of the symbol. */
  #trail({ symbol, high, low }: InsideBar): void {
    const { book, filler, venue } = this.#parts;
    for (const order of book.orders) {
      if (order.done || order.symbol !== symbol || !trails(order.type)) continue;
      const side = filler.sideOf(venue, order);
      if (side !== 0) moveTrail(order, side, side > 0 ? low : high, filler.tickOf(symbol));
    }
  }

  /**
   * Returns the buying power that each of the given orders would need in the current state. Sorted by order
   * id.
   */
  #wanted(orders: readonly RestingOrder[]): Wanted[] {
    const { executor, filler, prices, venue } = this.#parts;
    return orders
      .map((order): Wanted => {
        const { id, symbol, group, type } = order;
        const side = filler.sideOf(venue, order, waitsForClose(type) ? prices.close[symbol] : undefined);
        return {
          id,
          symbol,
          group,
          amount: side === 0 ? EXACT_ZERO : executor.wouldClaim(venue.account, order, side),
        };
      })
      .sort((a, b) => a.id - b.id);
  }
}
