import type { Instant, TradingDays } from '../../kernel/index.ts';
import type { BrokerEvent } from '../events.ts';
import type { BarPrices } from '../matching/triggers.ts';
import { isIfTouched, type RestingOrder } from './order.ts';
import type { Refusal } from './refusals.ts';

/** Resting orders, oldest first. Also emits the events of cancelled and rejected orders. */
export class OrderBook {
  readonly orders: RestingOrder[] = [];
  /** Number of the current bar. −1 before the first bar. */
  bar = -1;
  readonly #symbols: readonly string[];
  readonly #emit: ((event: BrokerEvent) => void) | undefined;
  #nextId = 1;

  constructor(symbols: readonly string[], emit: ((event: BrokerEvent) => void) | undefined) {
    this.#symbols = symbols;
    this.#emit = emit;
  }

  /** Returns the number for a new order: 1, 2, 3 … */
  takeId(): number {
    return this.#nextId++;
  }

  /** Id of the next order. Current orders have smaller ids. */
  get nextId(): number {
    return this.#nextId;
  }

  find(orderId: number): RestingOrder | undefined {
    return this.orders.find((order) => order.id === orderId && !order.done);
  }

  cancel(order: RestingOrder, code: string, message: string): void {
    order.done = true;
    const symbol = this.#symbols[order.symbol]!;
    this.#emit?.({ type: 'order_cancelled', bar: this.bar, orderId: order.id, symbol, code, message });
  }

  reject(order: RestingOrder, { code, message, remedy }: Refusal): void {
    order.done = true;
    const symbol = this.#symbols[order.symbol]!;
    const { action, id } = order;
    this.#emit?.({
      type: 'order_rejected',
      bar: this.bar,
      orderId: id,
      symbol,
      action,
      code,
      message,
      remedy,
    });
  }

  /** Removes finished orders from the list: filled, cancelled or rejected. */
  sweep(): void {
    const { orders } = this;
    let kept = 0;
    for (let index = 0; index < orders.length; index++) {
      const order = orders[index]!;
      if (!order.done) orders[kept++] = order;
    }
    orders.length = kept;
  }
}

/**
 * Skips bars that cannot affect any resting order, so that orders far from the market cost almost no time.
 *
 * Most orders wait until a bar reaches their price or their time ends. If all orders wait in this way, two
 * prices per symbol are sufficient to check a bar: the nearest order price below the market and the nearest
 * order price above it. Skipped bars are later subtracted from the orders' remaining bars (`barsLeft`). Call
 * `invalidate` after any change of the book.
 */
export class RestingOrderFilter {
  readonly #book: OrderBook;
  readonly #prices: BarPrices;
  readonly #days: TradingDays;
  #known = false;
  #onlyByPrice = false;
  /**
   * Per symbol: a bar can only affect an order if its low is at or below `#fall` or its high is at or above
   * `#rise`.
   */
  readonly #fall: Float64Array;
  readonly #rise: Float64Array;
  /**
   * Per symbol: the smallest number of bars for which any of its orders is still valid, and the number of
   * bars skipped since this number was computed.
   */
  readonly #fewestBars: Float64Array;
  readonly #passed: Float64Array;
  #firstExpiry = Number.POSITIVE_INFINITY;
  /** Symbols that have a resting order. */
  #symbols: number[] = [];

  constructor(book: OrderBook, prices: BarPrices, days: TradingDays) {
    const count = prices.close.length;
    this.#book = book;
    this.#prices = prices;
    this.#days = days;
    this.#fall = new Float64Array(count);
    this.#rise = new Float64Array(count);
    this.#fewestBars = new Float64Array(count);
    this.#passed = new Float64Array(count);
  }

  /**
   * Subtracts the skipped bars from the orders' remaining bars and discards the cached prices. Call it before
   * processing the orders and after changing them.
   */
  invalidate(): void {
    if (!this.#known) return;
    this.#known = false;
    for (const symbol of this.#symbols) {
      const passed = this.#passed[symbol]!;
      if (passed === 0) continue;
      for (const order of this.#book.orders) if (order.symbol === symbol) order.barsLeft -= passed;
    }
  }

  /** Returns true if the current bar cannot affect any order. The bar is then counted as skipped. */
  passesOver(time: Instant): boolean {
    if (!this.#known) this.#study();
    if (!this.#onlyByPrice || time > this.#firstExpiry) return false;
    const { trades, low, high } = this.#prices;
    for (const symbol of this.#symbols) {
      if (trades[symbol] === 0) continue;
      if (low[symbol]! <= this.#fall[symbol]! || high[symbol]! >= this.#rise[symbol]!) return false;
      if (this.#passed[symbol]! + 1 >= this.#fewestBars[symbol]!) return false;
    }
    for (const symbol of this.#symbols) if (trades[symbol] === 1) this.#passed[symbol]! += 1;
    return true;
  }

  #study(): void {
    this.#known = true;
    this.#firstExpiry = Number.POSITIVE_INFINITY;
    this.#symbols = [];
    this.#onlyByPrice = !this.#book.orders.some(mayTriggerUnseen);
    if (!this.#onlyByPrice) return;
    for (const order of this.#book.orders) {
      const { symbol } = order;
      if (!this.#symbols.includes(symbol)) {
        this.#symbols.push(symbol);
        this.#fall[symbol] = Number.NEGATIVE_INFINITY;
        this.#rise[symbol] = Number.POSITIVE_INFINITY;
        this.#fewestBars[symbol] = Number.POSITIVE_INFINITY;
        this.#passed[symbol] = 0;
      }
      const waitsForLimit = order.type === 'limit' || order.triggered;
      const price = waitsForLimit ? order.limitPrice : order.stopPrice;
      // The limit of a buy order and the stop of a sell order are below the market. The limit of a sell order
      // and the stop of a buy order are above the market.
      if ((waitsForLimit || isIfTouched(order.type)) === order.side > 0)
        this.#fall[symbol] = Math.max(this.#fall[symbol]!, price);
      else this.#rise[symbol] = Math.min(this.#rise[symbol]!, price);
      this.#fewestBars[symbol] = Math.min(this.#fewestBars[symbol]!, order.barsLeft);
      const lastInstant = order.timeInForce === 'DAY' ? this.#days.lastOf(order.session) : order.expiresAt;
      this.#firstExpiry = Math.min(this.#firstExpiry, lastInstant);
    }
  }
}

/** True if a bar that does not reach the price of an order may affect it, for example a market order. */
function mayTriggerUnseen({ type, timeInForce, done, side, session, triggered }: RestingOrder): boolean {
  const waitsForPrice =
    type === 'limit' ||
    type === 'stop_limit' ||
    type === 'limit_if_touched' ||
    ((type === 'stop' || type === 'market_if_touched') && !triggered);
  const waitsLong = timeInForce !== 'IOC' && timeInForce !== 'FOK';
  return done || side === 0 || Number.isNaN(session) || !waitsLong || !waitsForPrice;
}
