import { AppError, type Decimal, EXACT_ONE, EXACT_ZERO, Exact, ZERO } from '../kernel/index.ts';
import { LotBook } from './lots.ts';
import type { AccountView, Booking, PositionView, Trade } from './trade.ts';

/**
 * The exact account: fills in, trades out.
 *
 * Cash, lots and costs are decimals. Marks are the float64 prices of the bars and become decimals only when an exact
 * figure is asked for; `equityNumber` is the quick float64 twin used once a bar.
 */
export class Ledger implements AccountView {
  readonly #symbols: readonly string[];
  readonly #books: LotBook[];
  readonly #marks: Float64Array;
  #cash: Exact;
  #cashNumber: number;
  #commissionPaid: Exact = EXACT_ZERO;
  readonly #closedTrades: Trade[] = [];
  // Summed when asked for: how many closed trades are in it already.
  #realisedPnl: Decimal = ZERO;
  #realisedCount = 0;

  /**
   * @param symbols in the market's order; a booking names a symbol by its index here
   * @param cash initial cash, in the account's currency
   */
  constructor(symbols: readonly string[], cash: Decimal) {
    this.#symbols = symbols;
    this.#books = symbols.map((symbol) => new LotBook(symbol));
    this.#marks = new Float64Array(symbols.length);
    this.#cash = Exact.of(cash);
    this.#cashNumber = cash.toNumber();
  }

  get cash(): Decimal {
    return this.#cash.toDecimal();
  }

  get cashNumber(): number {
    return this.#cashNumber;
  }

  get commissionPaid(): Decimal {
    return this.#commissionPaid.toDecimal();
  }

  get realisedPnl(): Decimal {
    const trades = this.#closedTrades;
    for (; this.#realisedCount < trades.length; this.#realisedCount++) {
      this.#realisedPnl = this.#realisedPnl.plus(trades[this.#realisedCount]!.netPnl);
    }
    return this.#realisedPnl;
  }

  get equity(): Decimal {
    return this.exactEquity.toDecimal();
  }

  /** Cash plus every position at its mark. */
  get exactEquity(): Exact {
    let equity = this.#cash;
    for (let index = 0; index < this.#books.length; index++) {
      const { quantity } = this.#books[index]!;
      if (!quantity.isZero()) equity = equity.plus(quantity.times(this.markOf(index)));
    }
    return equity;
  }

  /** Equity as a float64, for the bar's column. */
  get equityNumber(): number {
    let equity = this.#cashNumber;
    for (let index = 0; index < this.#books.length; index++) {
      const { units } = this.#books[index]!;
      if (units !== 0) equity += units * this.#marks[index]!;
    }
    return equity;
  }

  /** Sum of |quantity| × mark over all positions, as a float64. */
  get grossExposureNumber(): number {
    let exposure = 0;
    for (let index = 0; index < this.#books.length; index++) {
      const { units } = this.#books[index]!;
      if (units !== 0) exposure += Math.abs(units) * this.#marks[index]!;
    }
    return exposure;
  }

  /** Sum of |quantity| × mark over all positions, exactly. */
  get grossExposure(): Exact {
    let exposure = EXACT_ZERO;
    for (let index = 0; index < this.#books.length; index++) {
      const { quantity } = this.#books[index]!;
      if (!quantity.isZero()) exposure = exposure.plus(quantity.abs().times(this.markOf(index)));
    }
    return exposure;
  }

  /** Sets the price a symbol's position is valued at. */
  mark(symbol: number, price: number): void {
    this.#marks[symbol] = price;
  }

  /** The price a symbol's position is valued at. */
  markOf(symbol: number): Exact {
    return Exact.of(this.#marks[symbol]!);
  }

  quantity(symbol: number): Exact {
    return this.#books[symbol]!.quantity;
  }

  unitsAt(symbol: number): number {
    return this.#books[symbol]!.units;
  }

  /** Books a fill and gives the trades it closed, first in first out. */
  book(booking: Booking): Trade[] {
    const quantity = Exact.of(booking.quantity);
    const price = Exact.of(booking.price);
    const commission = Exact.of(booking.commission);
    this.#cash = this.#cash.minus(quantity.times(price)).minus(commission);
    this.#cashNumber = this.#cash.toNumber();
    this.#commissionPaid = this.#commissionPaid.plus(commission);
    const { symbol, bar, time, reason, orderId, closesOrder } = booking;
    const fill = { bar, time, reason, quantity, price, commission, orderId, closesOrder };
    const closed = this.#books[symbol]!.apply(fill, this.#closedTrades.length + 1);
    for (const trade of closed) this.#closedTrades.push(trade);
    return closed;
  }

  /** Units still open of what an order opened. */
  openQuantity(symbol: number, orderId: number): Exact {
    return this.#books[symbol]!.openQuantity(orderId);
  }

  /** Account currency for a unit of the symbol's currency. */
  rateOf(_symbol: number): Exact {
    return EXACT_ONE;
  }

  /** Sum of quantity × mark over all positions, signed, as a float64. */
  get netExposureNumber(): number {
    let exposure = 0;
    for (let index = 0; index < this.#books.length; index++)
      exposure += this.#books[index]!.units * (this.#marks[index]! || 0);
    return exposure;
  }

  /** Closed trades, in the order they closed. */
  get closedTrades(): readonly Trade[] {
    return this.#closedTrades;
  }

  /** The open lots as trades valued at the last mark, oldest first within a symbol. */
  openTrades(): Trade[] {
    let id = this.#closedTrades.length + 1;
    return this.#books.flatMap((book, index) => {
      const trades = book.openTrades(this.markOf(index), id);
      id += trades.length;
      return trades;
    });
  }

  position(symbol: string): PositionView {
    return this.#view(this.#indexOf(symbol));
  }

  positions(): PositionView[] {
    return this.#symbols.flatMap((_, index) => (this.#books[index]!.units === 0 ? [] : [this.#view(index)]));
  }

  units(symbol?: string): number {
    return this.#books[symbol === undefined ? 0 : this.#indexOf(symbol)]!.units;
  }

  #indexOf(symbol: string): number {
    const index = this.#symbols.indexOf(symbol);
    if (index >= 0) return index;
    throw new AppError({
      code: 'unknown_symbol',
      message: `There is no symbol ${symbol} in this market.`,
      remedy: `Use one of: ${this.#symbols.join(', ')}.`,
    });
  }

  #view(index: number): PositionView {
    const book = this.#books[index]!;
    const mark = this.markOf(index);
    const marketValue = book.quantity.times(mark);
    return {
      symbol: book.symbol,
      quantity: book.quantity.toDecimal(),
      averagePrice: book.averagePrice().toDecimal(),
      mark: mark.toDecimal(),
      marketValue: marketValue.toDecimal(),
      unrealisedPnl: marketValue.minus(book.costBasis()).toDecimal(),
    };
  }
}
