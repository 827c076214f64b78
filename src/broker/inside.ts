import type { Ledger } from '../account/index.ts';
import { Exact, type Instant } from '../kernel/index.ts';
import type { Bar } from '../market/index.ts';
import type { OrderBook } from './book.ts';
import type { BarPrices } from './executor.ts';
import type { FillPlace } from './fill-place.ts';
import type { RestingOrder } from './order.ts';
import { sideOf } from './sides.ts';
import {
  type PriceBar,
  priceAtOpen,
  priceInside,
  priceProvenByClose,
  touchesStop,
  trailedStop,
} from './triggers.ts';

/** An order that may fill, and the rule's price. */
export interface Candidate {
  readonly order: RestingOrder;
  readonly side: 1 | -1;
  readonly price: number;
}

/** Gives a symbol's finer bars of the bar under way, oldest first; empty where there are none. */
export type DetailReader = (symbol: number) => readonly Bar[];

export interface InsideParts {
  readonly book: OrderBook;
  readonly prices: BarPrices;
  readonly ledger: Ledger;
  readonly limitNeedsThrough: boolean;
  readonly detail: DetailReader | undefined;
  readonly fill: (candidate: Candidate, place: FillPlace) => void;
  /** Units that a candidate would trade. */
  readonly unitsOf: (candidate: Candidate) => Exact;
}

/** Matches what rests between a bar's open and close: by the bar alone, or by finer bars where there are some. */
export class InsideMatcher {
  readonly #parts: InsideParts;
  readonly #whole = { open: 0, high: 0, low: 0, close: 0 };
  /** Orders whose stop was touched in the finer bars walked: what the whole bar says of their limit may be older. */
  readonly #touched = new Set<RestingOrder>();
  #detailTime: Instant | undefined;

  constructor(parts: InsideParts) {
    this.#parts = parts;
  }

  match(): void {
    const { book, prices, detail } = this.#parts;
    const { orders } = book;
    const finer = detail === undefined ? undefined : this.#finerBars(detail);
    for (let index = 0; index < orders.length; index++) {
      const order = orders[index]!;
      if (order.done || prices.trades[order.symbol] === 0 || finer?.[order.symbol] !== undefined) continue;
      this.#matchOne(order, this.wholeBar(order.symbol), order.bornInside);
    }
    if (finer?.some((bars) => bars !== undefined)) this.#walk(finer);
  }

  /** The bar of a symbol, in an object that the next call reuses. */
  wholeBar(symbol: number): PriceBar {
    const { prices } = this.#parts;
    const bar = this.#whole;
    bar.open = prices.open[symbol]!;
    bar.high = prices.high[symbol]!;
    bar.low = prices.low[symbol]!;
    bar.close = prices.close[symbol]!;
    return bar;
  }

  /** @param needsProof for an order that was not there for all of the bar: only the close proves its price */
  #matchOne(order: RestingOrder, bar: PriceBar, needsProof: boolean): void {
    if (order.type === 'market' || order.type === 'market_on_close') return;
    const side = sideOf(order, this.#parts.ledger);
    if (side === 0) return;
    const price = this.#priceOf(order, side, bar, needsProof);
    if (!Number.isNaN(price)) {
      this.#fillWorst({ order, side, price }, bar);
    } else if (order.type === 'stop_limit' && !order.triggered && touchesStop(order, side, bar)) {
      order.triggered = true;
      if (this.#detailTime !== undefined) this.#touched.add(order);
    }
  }

  #priceOf(order: RestingOrder, side: 1 | -1, bar: PriceBar, needsProof: boolean): number {
    const { limitNeedsThrough } = this.#parts;
    return needsProof
      ? priceProvenByClose(order, side, bar, limitNeedsThrough)
      : priceInside(order, side, bar, limitNeedsThrough);
  }

  /** Of an order and the rivals that this bar reached too, fills the one that leaves the trader worse off. */
  #fillWorst(first: Candidate, bar: PriceBar): void {
    let worst = first;
    let best = first;
    const { group, symbol } = first.order;
    if (group !== undefined) {
      // Both are valued at the close of the whole bar, where the account is marked.
      const close = this.#parts.prices.close[symbol]!;
      for (const rival of this.#parts.book.orders) {
        if (rival === first.order || rival.done || rival.group !== group || rival.symbol !== symbol) continue;
        const side = sideOf(rival, this.#parts.ledger);
        const price = side === 0 ? Number.NaN : this.#priceOf(rival, side, bar, rival.bornInside);
        if (side === 0 || Number.isNaN(price)) continue;
        const candidate = { order: rival, side, price };
        if (this.#gainBy(close, candidate).compare(this.#gainBy(close, worst)) < 0) worst = candidate;
        if (this.#gainBy(close, candidate).compare(this.#gainBy(close, best)) > 0) best = candidate;
      }
    }
    const { type } = worst.order;
    const close = this.#parts.prices.close[symbol]!;
    this.#parts.fill(worst, {
      inside: true,
      maker: type === 'limit' || type === 'stop_limit',
      ...(worst === best ? {} : { gainIfOther: this.#gainBy(close, best).minus(this.#gainBy(close, worst)) }),
      ...(this.#detailTime === undefined ? {} : { detailTime: this.#detailTime }),
    });
  }

  /** What a fill gains by a close, in money: tells the worse of two answers. */
  #gainBy(close: number, candidate: Candidate): Exact {
    const rise = Exact.of(close).minus(Exact.of(candidate.price));
    return (candidate.side > 0 ? rise : rise.negated()).times(this.#parts.unitsOf(candidate));
  }

  /** The finer bars of every symbol that has an order and trades; those without volume prove nothing. */
  #finerBars(detail: DetailReader): (readonly Bar[] | undefined)[] {
    const { book, prices } = this.#parts;
    const finer: (readonly Bar[] | undefined)[] = prices.close.length === 0 ? [] : Array(prices.close.length);
    for (const { done, symbol } of book.orders) {
      if (done || prices.trades[symbol] === 0 || finer[symbol] !== undefined) continue;
      const bars = detail(symbol).filter((bar) => bar.volume > 0);
      if (bars.length > 0) finer[symbol] = bars;
    }
    return finer;
  }

  /** Walks the finer bars of all symbols in the order of time, each as a bar of its own. */
  #walk(finer: readonly (readonly Bar[] | undefined)[]): void {
    const { orders, nextId } = this.#parts.book;
    const next = finer.map(() => 0);
    const nowOf = (symbol: number): Bar | undefined => finer[symbol]?.[next[symbol]!];
    for (;;) {
      let time = Number.POSITIVE_INFINITY;
      for (let symbol = 0; symbol < finer.length; symbol++)
        time = Math.min(time, nowOf(symbol)?.time ?? time);
      if (time === Number.POSITIVE_INFINITY) break;
      this.#detailTime = time;
      // Exits born on the way join the end of the book, and are met in the same pass.
      for (let index = 0; index < orders.length; index++) {
        const bar = nowOf(orders[index]!.symbol);
        if (bar?.time === time) this.#openOne(orders[index]!, bar);
      }
      for (let index = 0; index < orders.length; index++) {
        const order = orders[index]!;
        const bar = nowOf(order.symbol);
        if (bar?.time === time && !order.done) this.#matchOne(order, bar, order.bornInside);
      }
      for (const order of orders) {
        const bar = nowOf(order.symbol);
        if (bar?.time === time && !order.done) this.#closeOne(order, bar);
      }
      for (let symbol = 0; symbol < finer.length; symbol++)
        if (nowOf(symbol)?.time === time) next[symbol]! += 1;
    }
    this.#detailTime = undefined;
    this.#matchRemainder(finer, nextId);
  }

  #openOne(order: RestingOrder, bar: Bar): void {
    if (order.done || order.type === 'market' || order.type === 'market_on_close') return;
    const side = sideOf(order, this.#parts.ledger);
    if (side === 0) return;
    const price = priceAtOpen(order, side, bar.open, this.#parts.limitNeedsThrough);
    if (!Number.isNaN(price)) {
      this.#parts.fill({ order, side, price }, { inside: false, maker: false, detailTime: bar.time });
    } else if (
      order.type === 'stop_limit' &&
      !order.triggered &&
      (side > 0 ? bar.open >= order.stopPrice : bar.open <= order.stopPrice)
    ) {
      order.triggered = true;
      this.#touched.add(order);
    }
  }

  #closeOne(order: RestingOrder, bar: Bar): void {
    order.bornInside = false;
    if (order.type !== 'trailing_stop') return;
    const side = sideOf(order, this.#parts.ledger);
    if (side !== 0) order.stopPrice = trailedStop(order, side, bar);
  }

  /** What the whole bar proves beyond its finer bars, where they do not reach its high, its low or its close. */
  #matchRemainder(finer: readonly (readonly Bar[] | undefined)[], firstBorn: number): void {
    const { book, prices } = this.#parts;
    const untold = finer.map((bars, symbol) => bars !== undefined && !tellsAll(bars, prices, symbol));
    if (untold.includes(true)) {
      for (const order of book.orders) {
        // Its level, or the order itself, is younger than parts of the bar.
        const late = order.id >= firstBorn || this.#touched.has(order) || order.type === 'trailing_stop';
        if (late && untold[order.symbol] === true) order.bornInside = true;
      }
      for (let index = 0; index < book.orders.length; index++) {
        const order = book.orders[index]!;
        if (!order.done && untold[order.symbol] === true)
          this.#matchOne(order, this.wholeBar(order.symbol), order.bornInside);
      }
    }
    this.#touched.clear();
  }
}

function tellsAll(bars: readonly Bar[], { high, low, close }: BarPrices, symbol: number): boolean {
  if (bars.at(-1)!.close !== close[symbol]) return false;
  const highest = bars.reduce((most, bar) => Math.max(most, bar.high), 0);
  const lowest = bars.reduce((least, bar) => Math.min(least, bar.low), Number.POSITIVE_INFINITY);
  return highest === high[symbol] && lowest === low[symbol];
}
