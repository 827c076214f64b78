import type { Ledger, SplitRatio } from '../account/index.ts';
import type { Instant } from '../kernel/index.ts';
import { OrderBook } from './book.ts';
import { Brackets } from './brackets.ts';
import { type CostModels, Costs } from './costs.ts';
import type { BrokerEvent } from './events.ts';
import { type BarPrices, Executor } from './executor.ts';
import { fitExit } from './exits.ts';
import type { FillPlace } from './fill-place.ts';
import { type Candidate, type DetailReader, InsideMatcher } from './inside.ts';
import { type Instrument, instrumentsOf } from './instruments.ts';
import type { RestingOrder } from './order.ts';
import { Patience } from './patience.ts';
import { orderAdjusted, rebaseOrder } from './rebase.ts';
import { positionGone } from './refusals.ts';
import { RiskGate } from './risk.ts';
import type { BrokerSettings } from './settings.ts';
import { sideOf } from './sides.ts';
import { priceAtOpen, trailedStop } from './triggers.ts';

const DAY = 86_400_000;

export interface MatcherParts {
  readonly symbols: readonly string[];
  readonly prices: BarPrices;
  readonly ledger: Ledger;
  readonly settings: BrokerSettings;
  readonly models?: CostModels;
  readonly detail?: DetailReader;
  readonly emit: ((event: BrokerEvent) => void) | undefined;
}

const AT_OPEN: FillPlace = { inside: false, maker: false };
/** Inside for the exits born there: what they do at a close, nothing can prove. */
const AT_CLOSE: FillPlace = { inside: true, maker: false };

/** Holds the resting orders and matches them against each bar, by docs/fill-rules.md. */
export class Matcher {
  readonly executor: Executor;
  readonly costs: Costs;
  readonly risk: RiskGate;
  readonly instruments: readonly Instrument[];
  readonly #parts: MatcherParts;
  readonly #book: OrderBook;
  readonly #brackets: Brackets;
  readonly #insideMatcher: InsideMatcher;
  readonly #patience: Patience;

  constructor(parts: MatcherParts) {
    const { symbols, ledger, settings, prices, emit } = parts;
    this.#parts = parts;
    this.instruments = instrumentsOf(symbols, settings);
    this.costs = new Costs(settings, parts.models);
    this.risk = new RiskGate(settings.risk, symbols, ledger, this.instruments);
    const { costs, instruments, risk } = this;
    this.executor = new Executor({ symbols, prices, ledger, settings, emit, costs, instruments, risk });
    const book = new OrderBook(symbols, emit);
    this.#book = book;
    this.#patience = new Patience(book, prices);
    this.#brackets = new Brackets({ symbols, instruments, ledger, book, emit });
    this.#insideMatcher = new InsideMatcher({
      book,
      prices,
      ledger,
      limitNeedsThrough: settings.limitNeedsThrough,
      detail: parts.detail,
      fill: (candidate, place) => this.#fill(candidate, place),
      unitsOf: ({ order, side, price }) => this.executor.unitsOf(order, side, price),
    });
  }

  get resting(): readonly RestingOrder[] {
    return this.#book.orders;
  }

  /** The bar that an order placed now can fill in at the earliest. */
  get nextFillBar(): number {
    return this.#parts.settings.fillOn === 'close' ? this.#book.bar : this.#book.bar + 1;
  }

  nextId(): number {
    return this.#book.takeId();
  }

  rest(order: RestingOrder): void {
    this.#patience.look();
    this.#book.orders.push(order);
  }

  find(orderId: number): RestingOrder | undefined {
    this.#patience.look();
    return this.#book.find(orderId);
  }

  cancel(order: RestingOrder, code: string, message: string): void {
    this.#patience.look();
    this.#book.cancel(order, code, message);
  }

  /** The whole of a bar's matching: expiry, open, inside, close; then stops trail and bars are counted. */
  matchBar(bar: number, time: Instant): void {
    this.#book.bar = bar;
    this.executor.startBar(bar, time);
    if (this.risk.any) this.risk.startBar(time);
    if (this.#book.orders.length === 0 || this.#patience.passesOver(time)) return;
    this.#patience.look();
    this.#expire(time);
    this.#atOpen();
    this.#insideMatcher.match();
    this.#atClose();
    this.#endBar(time);
  }

  /** The market orders just placed fill at once, at this bar's close: the `fillOn: "close"` option. */
  fillMarketOrdersAtClose(): void {
    this.#patience.look();
    const { orders, bar } = this.#book;
    let any = false;
    for (let index = 0; index < orders.length; index++) {
      const order = orders[index]!;
      // What a margin breach or a halt forces waits for the open, as always.
      if (order.type !== 'market' || order.placedBar !== bar || order.role !== 'order') continue;
      if (order.done || !this.#trades(order)) continue;
      any = true;
      // Exits born now are whole orders from the next bar on.
      this.#fillNow(order, this.#parts.prices.close[order.symbol]!, AT_OPEN);
      this.#endImmediate(order, 'close');
    }
    if (any) this.#book.sweep();
  }

  /** Re-bases the resting orders of a symbol that was split, once the ledger is; what falls below a lot is taken back. */
  rebase(symbol: number, ratio: SplitRatio): void {
    const { emit, ledger, symbols } = this.#parts;
    this.#patience.look();
    for (const order of this.#book.orders) {
      if (order.done || order.symbol !== symbol) continue;
      const rest = rebaseOrder(order, ratio, this.instruments[symbol]!);
      if (order.parentId !== undefined && fitExit(order, ledger) === 'gone')
        this.cancel(order, 'position_closed', 'The position it belongs to is closed.');
      else if (rest === 'below-lot' && order.parentId === undefined)
        this.cancel(order, 'split', 'After the split it is below one lot.');
      else emit?.(orderAdjusted(order, this.#book.bar, symbols[symbol]!));
    }
    this.#book.sweep();
  }

  /** Notes the bar whose corporate actions come before its matching. */
  startActions(bar: number, time: Instant): void {
    this.#book.bar = bar;
    this.executor.startBar(bar, time);
  }

  #trades(order: RestingOrder): boolean {
    return this.#parts.prices.trades[order.symbol] === 1;
  }

  #expire(time: Instant): void {
    const day = Math.floor(time / DAY);
    for (const order of this.#book.orders) {
      if (order.done) continue;
      if (order.expiresAt < time) this.cancel(order, 'expired', 'Its last date has passed.');
      else if (order.timeInForce === 'DAY' && day > order.session)
        this.cancel(order, 'expired', 'Its day is over.');
    }
  }

  #atOpen(): void {
    const { prices, settings, ledger } = this.#parts;
    const { orders } = this.#book;
    // Exits born in this pass join its end: the open may be beyond them already.
    for (let index = 0; index < orders.length; index++) {
      const order = orders[index]!;
      // An order for the close is looked at there: it may have a position to close, or a target to reach, by then.
      if (order.done || !this.#trades(order) || order.type === 'market_on_close') continue;
      const side = sideOf(order, ledger);
      if (side === 0) {
        this.#withoutSide(order);
        continue;
      }
      const open = prices.open[order.symbol]!;
      const price = priceAtOpen(order, side, open, settings.limitNeedsThrough);
      if (!Number.isNaN(price)) this.#fill({ order, side, price }, AT_OPEN);
      if (order.type === 'stop_limit' && (side > 0 ? open >= order.stopPrice : open <= order.stopPrice)) {
        order.triggered = true;
      }
      this.#endImmediate(order, 'open');
    }
  }

  #endImmediate(order: RestingOrder, where: 'open' | 'close'): void {
    if (order.done || (order.timeInForce !== 'IOC' && order.timeInForce !== 'FOK')) return;
    const code = order.timeInForce.toLowerCase();
    this.cancel(order, code, `What could not fill at the ${where} is cancelled.`);
  }

  #atClose(): void {
    const { orders } = this.#book;
    for (let index = 0; index < orders.length; index++) {
      const order = orders[index]!;
      if (order.done || order.type !== 'market_on_close' || !this.#trades(order)) continue;
      this.#fillNow(order, this.#parts.prices.close[order.symbol]!, AT_CLOSE);
    }
  }

  #endBar(time: Instant): void {
    const day = Math.floor(time / DAY);
    for (const order of this.#book.orders) {
      if (order.done || !this.#trades(order)) continue;
      order.bornInside = false;
      if (order.type === 'trailing_stop') {
        const side = sideOf(order, this.#parts.ledger);
        if (side !== 0)
          order.stopPrice = trailedStop(order, side, this.#insideMatcher.wholeBar(order.symbol));
      }
      order.barsLeft -= 1;
      if (Number.isNaN(order.session)) order.session = day;
      if (order.barsLeft <= 0) this.cancel(order, 'expired', 'Its bars are over.');
    }
    this.#book.sweep();
  }

  #fillNow(order: RestingOrder, price: number, place: FillPlace): void {
    const side = sideOf(order, this.#parts.ledger);
    if (side === 0) this.#withoutSide(order);
    else this.#fill({ order, side, price }, place);
  }

  #fill({ order, side, price }: Candidate, place: FillPlace): void {
    const outcome = this.executor.fill(order, side, price, place);
    if (outcome.kind === 'refused') {
      // Less than a lot from its target, it is there.
      if (order.action === 'target' && outcome.refusal.code === 'below_lot') this.#withoutSide(order);
      else this.#book.reject(order, outcome.refusal);
    }
    // A stop that could fill has been touched: what is left of it waits for volume, not for the price again.
    order.triggered = true;
    if (outcome.kind !== 'filled') return;
    order.done = outcome.complete;
    this.#brackets.afterFill(order, side, outcome.price, place.inside);
  }

  #withoutSide(order: RestingOrder): void {
    if (order.action === 'target') this.cancel(order, 'at_target', 'The position is at its target already.');
    else this.#book.reject(order, positionGone(this.#parts.symbols[order.symbol]!));
  }
}
