import { EXACT_ZERO, type Exact, type Instant, type TradingDays, utcDays } from '../../kernel/index.ts';
import type { Ledger, SplitRatio } from '../account/index.ts';
import { BorrowDates } from '../costs/cost-models.ts';
import { type CostModels, Costs } from '../costs/costs.ts';
import type { BrokerEvent } from '../events.ts';
import { Executor } from '../fills/executor.ts';
import { LiveAccount } from '../fills/fill-account.ts';
import { orderAdjusted, rebaseOrder, shiftOrder } from '../orders/adjust-for-split.ts';
import { OrderBook, RestingOrderFilter } from '../orders/book.ts';
import { type RestingOrder, waitsForAuction, waitsForOpen } from '../orders/order.ts';
import type { OrderType } from '../orders/request.ts';
import { type Instrument, instrumentsOf } from '../settings/instruments.ts';
import { RiskGate } from '../settings/risk.ts';
import type { BrokerSettings } from '../settings/settings.ts';
import { BarMatcher, type DetailReader } from './bar-matcher.ts';
import { fitExit } from './brackets.ts';
import { endImmediate, Filler, LiveVenue, OpenMatcher, TAKER } from './filler.ts';
import type { BarDoubt, InsideBar } from './inside.ts';
import { type Auctions, type BarPrices, EVERY_BAR } from './triggers.ts';

/** Statistics of bars in which the unknown sequence of prices within the bar changes which orders fill. */
export interface Ambiguity {
  /** Number of bars with several possible outcomes, and number of fills that not all outcomes contain. */
  readonly bars: number;
  readonly fills: number;
  /**
   * Sum of the differences between the best and the worst possible equity at the close, over all bars with
   * several possible outcomes. In account currency. Not a bound for the result of the whole run.
   */
  readonly difference: Exact;
  /**
   * Number of bars for which finer bars exist but do not reach the bar's high and low. These bars were
   * matched without the finer bars.
   */
  readonly uncoveredBars: number;
}

export interface MatcherParts {
  readonly symbols: readonly string[];
  readonly prices: BarPrices;
  readonly ledger: Ledger;
  readonly settings: BrokerSettings;
  /** Meaning of a bar's timestamp: the start or the end of the bar. Default: `start`. */
  readonly barTimes?: 'start' | 'end' | undefined;
  /** Assigns bars to days, for DAY orders. Default: days of UTC. */
  readonly days?: TradingDays | undefined;
  /** Bars in which opening and closing auctions take place. Default: every bar has both. */
  readonly auctions?: Auctions | undefined;
  /**
   * Returns true if a symbol is outside the run's universe of symbols. Positions in it can then only be
   * reduced.
   */
  readonly isOutside?: ((symbol: number) => boolean) | undefined;
  readonly models?: CostModels;
  readonly detail?: DetailReader;
  readonly emit: ((event: BrokerEvent) => void) | undefined;
}

/** Stores the resting orders and matches them with each bar. See docs/fill-rules.md. */
export class Matcher {
  readonly executor: Executor;
  readonly costs: Costs;
  readonly risk: RiskGate;
  /** Availability of shares for short selling. `undefined` if no instrument has borrow dates. */
  readonly borrow: BorrowDates | undefined;
  readonly instruments: readonly Instrument[];
  readonly #parts: MatcherParts;
  readonly #book: OrderBook;
  readonly #filler: Filler;
  readonly #venue: LiveVenue;
  readonly #bars: BarMatcher;
  readonly #opens: OpenMatcher;
  readonly #filter: RestingOrderFilter;
  readonly #days: TradingDays;
  readonly #auctions: Auctions;
  #ambiguousBars = 0;
  #difference = EXACT_ZERO;

  constructor(parts: MatcherParts) {
    const { symbols, ledger, settings, prices, emit } = parts;
    this.#parts = parts;
    this.instruments = instrumentsOf(symbols, settings);
    this.costs = new Costs(settings, parts.models);
    this.risk = new RiskGate(settings.risk, symbols, ledger, this.instruments, parts.isOutside);
    const { costs, instruments, risk } = this;
    this.borrow = BorrowDates.of(symbols, settings, parts.barTimes);
    const { borrow } = this;
    this.executor = new Executor({
      symbols,
      prices,
      ledger,
      settings,
      emit,
      costs,
      instruments,
      risk,
      borrow,
    });
    const book = new OrderBook(symbols, emit);
    this.#book = book;
    this.#days = parts.days ?? utcDays(parts.barTimes);
    this.#auctions = parts.auctions ?? EVERY_BAR;
    this.#filter = new RestingOrderFilter(book, prices, this.#days);
    this.#filler = new Filler({ symbols, instruments, ledger, executor: this.executor });
    const account = new LiveAccount(ledger, instruments, settings.leverage);
    this.#venue = new LiveVenue({ symbols, book, executor: this.executor, account, emit });
    this.#opens = new OpenMatcher({
      symbols,
      book,
      executor: this.executor,
      filler: this.#filler,
      venue: this.#venue,
      through: settings.limitNeedsThrough,
    });
    this.#bars = new BarMatcher({
      symbols,
      book,
      prices,
      instruments,
      leverage: settings.leverage,
      ledger,
      costs,
      executor: this.executor,
      filler: this.#filler,
      venue: this.#venue,
      through: settings.limitNeedsThrough,
      resolve: settings.resolve,
      detail: parts.detail,
      auctions: this.#auctions,
      reopen: (bars) => this.#reopen(bars),
    });
  }

  get resting(): readonly RestingOrder[] {
    return this.#book.orders;
  }

  /** Returns the earliest bar in which a new order can fill. */
  nextFillBar(type: OrderType): number {
    const atOnce = type === 'market' && this.#parts.settings.fillOn === 'close';
    return atOnce ? this.#book.bar : this.#book.bar + 1;
  }

  nextId(): number {
    return this.#book.takeId();
  }

  /** Effect of the unknown sequence of prices within the current bar on the account. */
  get doubt(): BarDoubt {
    return this.#bars.inside.doubt;
  }

  get ambiguity(): Ambiguity {
    return {
      bars: this.#ambiguousBars,
      fills: this.executor.ambiguousFills,
      difference: this.#difference,
      uncoveredBars: this.#bars.uncovered,
    };
  }

  rest(order: RestingOrder): void {
    this.#filter.invalidate();
    this.#book.orders.push(order);
  }

  find(orderId: number): RestingOrder | undefined {
    this.#filter.invalidate();
    return this.#book.find(orderId);
  }

  cancel(order: RestingOrder, code: string, message: string): void {
    this.#filter.invalidate();
    this.#book.cancel(order, code, message);
  }

  /**
   * Matches orders with a bar in four steps: cancels expired orders, then fills orders at the open, at prices
   * within the bar, and at the close. Then counts the bar for orders that are valid for a number of bars.
   */
  matchBar(bar: number, time: Instant): void {
    this.#book.bar = bar;
    this.executor.startBar(bar, time);
    this.borrow?.startBar(time);
    this.#bars.inside.startBar();
    if (this.risk.any) this.risk.startBar(this.#days.dayOf(time));
    if (this.#book.orders.length === 0 || this.#filter.passesOver(time)) return;
    this.#filter.invalidate();
    this.#expire(time);
    this.#atOpen();
    this.#bars.match(bar, time);
    const { difference } = this.doubt;
    if (difference !== undefined) {
      this.#ambiguousBars += 1;
      this.#difference = this.#difference.plus(difference);
    }
    this.#endBar(time);
  }

  /** Fills the market orders that were just placed at this bar's close, for the option `fillOn: "close"`. */
  fillMarketOrdersAtClose(): void {
    this.#filter.invalidate();
    const { orders, bar } = this.#book;
    const { prices } = this.#parts;
    let any = false;
    for (let index = 0; index < orders.length; index++) {
      const order = orders[index]!;
      // The program places orders itself after a margin breach or a risk halt. These orders always wait for
      // the next open.
      if (order.type !== 'market' || order.placedBar !== bar || order.role !== 'order') continue;
      if (order.done || !this.#trades(order)) continue;
      any = true;
      // Exits created at the close are active from the next bar.
      const price = prices.close[order.symbol]!;
      const side = this.#filler.sideOf(this.#venue, order, price);
      if (side === 0) this.#filler.withoutSide(this.#venue, order);
      else this.#filler.fill(this.#venue, { order, side, price }, TAKER);
      endImmediate(this.#book, order, 'close');
    }
    if (any) this.#book.sweep();
  }

  /**
   * Applies a split to the resting orders of a symbol, after the split of the ledger. Orders below one lot
   * are cancelled.
   */
  rebase(symbol: number, ratio: SplitRatio): void {
    const { emit, ledger, symbols } = this.#parts;
    this.#filter.invalidate();
    for (const order of this.#book.orders) {
      if (order.done || order.symbol !== symbol) continue;
      const rest = rebaseOrder(order, ratio, this.instruments[symbol]!);
      if (order.parentId !== undefined && fitExit(order, ledger) === 'gone')
        this.cancel(order, 'position_closed', 'The position it belongs to is closed.');
      else if (rest === 'below-lot' && (order.parentId === undefined || order.target !== undefined))
        this.cancel(order, 'split', 'After the split the order is below one lot.');
      else emit?.(orderAdjusted(order, this.#book.bar, symbols[symbol]!));
    }
    this.#book.sweep();
  }

  /**
   * Shifts the prices of a symbol's resting orders by the price gap between two futures contracts. Orders
   * whose price would not be positive are cancelled.
   */
  shift(symbol: number, gap: Exact): void {
    const { emit, symbols } = this.#parts;
    this.#filter.invalidate();
    for (const order of this.#book.orders) {
      if (order.done || order.symbol !== symbol) continue;
      if (shiftOrder(order, gap, this.instruments[symbol]!) === 'no-price')
        this.cancel(order, 'rolled', 'After the roll the price of the order is not above zero.');
      else emit?.(orderAdjusted(order, this.#book.bar, symbols[symbol]!));
    }
    this.#book.sweep();
  }

  /**
   * Sets the current bar before its corporate actions are applied. `matchBar` is called later.
   */
  startActions(bar: number, time: Instant): void {
    this.#book.bar = bar;
    this.executor.startBar(bar, time);
  }

  #trades(order: RestingOrder): boolean {
    return this.#parts.prices.trades[order.symbol] === 1;
  }

  /**
   * True if an order may fill at the current open. False for an order that waits for an opening auction if
   * the bar has none.
   */
  #mayOpen({ symbol, type }: RestingOrder): boolean {
    return !waitsForAuction(type) || this.#auctions.isOpening(symbol, this.#book.bar);
  }

  #expire(time: Instant): void {
    const day = this.#days.dayOf(time);
    // A bar that ends at midnight belongs to the date that ends at this midnight.
    const newest = this.#parts.barTimes === 'end' ? time - 1 : time;
    for (const order of this.#book.orders) {
      if (order.done) continue;
      if (order.expiresAt < newest) this.cancel(order, 'expired', 'The last date of the order has passed.');
      else if (order.timeInForce === 'DAY' && day > order.session)
        this.cancel(order, 'expired', 'The day of the order is over.');
    }
  }

  #atOpen(): void {
    const { prices } = this.#parts;
    this.#opens.fill(prices.open, (order) => this.#trades(order) && this.#mayOpen(order), TAKER);
  }

  /** Fills orders at the opens of finer bars. The rules are the same as at the open of a whole bar. */
  #reopen(bars: readonly InsideBar[]): void {
    const opens = new Map(bars.map((bar) => [bar.symbol, bar.open]));
    const open = Float64Array.from(this.#parts.symbols, (_, symbol) => opens.get(symbol) ?? Number.NaN);
    const place = { maker: false, detailTime: bars[0]!.detailTime! };
    this.#opens.fill(open, ({ symbol, type }) => opens.has(symbol) && !waitsForOpen(type), place);
  }

  #endBar(time: Instant): void {
    const day = this.#days.dayOf(time);
    for (const order of this.#book.orders) {
      if (order.done || !this.#trades(order)) continue;
      order.barsLeft -= 1;
      if (Number.isNaN(order.session) && this.#mayOpen(order)) order.session = day;
      if (order.barsLeft <= 0) this.cancel(order, 'expired', 'The bars of the order are over.');
    }
    this.#book.sweep();
  }
}
