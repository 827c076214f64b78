import type { Instant, TradingDays } from '../kernel/index.ts';
import type { BarPrices } from './bar-prices.ts';
import type { OrderBook } from './book.ts';
import type { RestingOrder } from './order.ts';
import { isIfTouched } from './order-kinds.ts';

/**
 * Finds the bars that no resting order is concerned by, so that a book of far-away orders costs next to nothing a bar.
 *
 * Most orders can do nothing before a bar reaches their price or their time ends. While all are such, two prices a symbol
 * decide: the highest that a fall must reach and the lowest that a rise must reach. Bars passed over are counted
 * against `validBars` afterwards. Anything that changes the book must call `invalidate`.
 */
export class RestingOrderFilter {
  readonly #book: OrderBook;
  readonly #prices: BarPrices;
  readonly #days: TradingDays;
  #known = false;
  #onlyByPrice = false;
  /** By symbol: a low at or below the first, or a high at or above the second, concerns an order. */
  readonly #fall: Float64Array;
  readonly #rise: Float64Array;
  /** By symbol: fewest bars that one of its orders may still wait, and bars passed over since that was known. */
  readonly #fewestBars: Float64Array;
  readonly #passed: Float64Array;
  #firstExpiry = Number.POSITIVE_INFINITY;
  /** Symbols with an order. */
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

  /** Counts the bars passed over and forgets what was known: the book is about to be looked at, or was changed. */
  invalidate(): void {
    if (!this.#known) return;
    this.#known = false;
    for (const symbol of this.#symbols) {
      const passed = this.#passed[symbol]!;
      if (passed === 0) continue;
      for (const order of this.#book.orders) if (order.symbol === symbol) order.barsLeft -= passed;
    }
  }

  /** Whether no order is concerned by the bar under way; it is passed over then. */
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
      // A buyer's limit and a seller's stop lie below the market, the other two above.
      if ((waitsForLimit || isIfTouched(order.type)) === order.side > 0)
        this.#fall[symbol] = Math.max(this.#fall[symbol]!, price);
      else this.#rise[symbol] = Math.min(this.#rise[symbol]!, price);
      this.#fewestBars[symbol] = Math.min(this.#fewestBars[symbol]!, order.barsLeft);
      const lastInstant = order.timeInForce === 'DAY' ? this.#days.lastOf(order.session) : order.expiresAt;
      this.#firstExpiry = Math.min(this.#firstExpiry, lastInstant);
    }
  }
}

/** Whether an order may do something on a bar that comes to neither of its prices. */
function mayTriggerUnseen({ type, timeInForce, done, side, session, triggered }: RestingOrder): boolean {
  const waitsForPrice =
    type === 'limit' ||
    type === 'stop_limit' ||
    type === 'limit_if_touched' ||
    ((type === 'stop' || type === 'market_if_touched') && !triggered);
  const waitsLong = timeInForce !== 'IOC' && timeInForce !== 'FOK';
  return done || side === 0 || Number.isNaN(session) || !waitsLong || !waitsForPrice;
}
