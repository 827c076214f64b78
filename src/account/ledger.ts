import { type Decimal, EXACT_ONE, EXACT_ZERO, Exact, type Instant, recordOf, ZERO } from '../kernel/index.ts';
import { AverageBook } from './average-book.ts';
import type { Book } from './book.ts';
import { LEFT_OVER } from './claims.ts';
import { FifoBook } from './fifo-book.ts';
import type { LedgerOptions, SplitOutcome } from './ledger-types.ts';
import type { SplitRatio } from './lot.ts';
import { symbolIndex } from './symbol-index.ts';
import type { AccountView, Booking, CashKind, PositionView, Trade } from './trade.ts';

const CASH_KINDS = [
  'commission',
  'dividend',
  'borrow_fee',
  'interest',
  'margin_interest',
  'funding',
] as const;

/**
 * The exact account: fills and cash entries in, trades out.
 *
 * Cash, lots and costs are decimals in the account's currency. Marks and exchange rates are float64 numbers of the bars
 * and become decimals only when an exact figure is asked for; `equityNumber` is the quick float64 twin used once a bar.
 */
export class Ledger implements AccountView {
  readonly currency: string;
  readonly #symbols: readonly string[];
  readonly #currencies: readonly string[] | undefined;
  readonly #isStale: ((symbol: number) => boolean) | undefined;
  readonly #books: Book[];
  readonly #marks: Float64Array;
  // 1 for the account's own currency; NaN while no rate is known.
  readonly #rates: Float64Array;
  #cash: Exact;
  #cashNumber: number;
  readonly #moved: Record<CashKind, Exact>;
  readonly #closedTrades: Trade[] = [];
  // Summed when asked for: how many closed trades are in it already.
  #realisedPnl: Decimal = ZERO;
  #realisedCount = 0;

  /**
   * @param symbols in the market's order; a booking names a symbol by its index here
   * @param cash initial cash, in the account's currency
   */
  constructor(symbols: readonly string[], cash: Decimal, options: LedgerOptions = {}) {
    const { lots = 'fifo', currency = 'USD', currencies, isStale } = options;
    this.currency = currency;
    this.#symbols = symbols;
    this.#currencies = currencies;
    this.#isStale = isStale;
    this.#books = symbols.map((symbol) => (lots === 'fifo' ? new FifoBook(symbol) : new AverageBook(symbol)));
    this.#marks = new Float64Array(symbols.length);
    this.#rates = Float64Array.from(symbols, (_, symbol) =>
      this.currencyOf(symbol) === currency ? 1 : Number.NaN,
    );
    this.#cash = Exact.of(cash);
    this.#cashNumber = cash.toNumber();
    this.#moved = recordOf(CASH_KINDS, () => EXACT_ZERO);
  }

  get cash(): Decimal {
    return this.#cash.toDecimal();
  }

  get exactCash(): Exact {
    return this.#cash;
  }

  get cashNumber(): number {
    return this.#cashNumber;
  }

  get commissionPaid(): Decimal {
    return this.#moved.commission.negated().toDecimal();
  }

  get cashByKind(): Readonly<Record<CashKind, Decimal>> {
    return recordOf(CASH_KINDS, (kind) => this.#moved[kind].toDecimal());
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
      if (this.#books[index]!.units !== 0) equity = equity.plus(this.#valueAt(index));
    }
    return equity;
  }

  /** Equity as a float64, for the bar's column. */
  get equityNumber(): number {
    let equity = this.#cashNumber;
    for (let index = 0; index < this.#books.length; index++) {
      const { units } = this.#books[index]!;
      if (units !== 0) equity += units * this.#marks[index]! * this.#rates[index]!;
    }
    return equity;
  }

  /** Sum of |quantity| × mark × rate over all positions, as a float64. */
  get grossExposureNumber(): number {
    let exposure = 0;
    for (let index = 0; index < this.#books.length; index++) {
      const { units } = this.#books[index]!;
      if (units !== 0) exposure += Math.abs(units) * this.#marks[index]! * this.#rates[index]!;
    }
    return exposure;
  }

  /** Sum of |quantity| × mark × rate over all positions, exactly. */
  get grossExposure(): Exact {
    let exposure = EXACT_ZERO;
    for (let index = 0; index < this.#books.length; index++) {
      if (this.#books[index]!.units !== 0) exposure = exposure.plus(this.#valueAt(index).abs());
    }
    return exposure;
  }

  /** Sum of quantity × mark × rate over all positions, signed, as a float64. */
  get netExposureNumber(): number {
    let exposure = 0;
    for (let index = 0; index < this.#books.length; index++) {
      const { units } = this.#books[index]!;
      if (units !== 0) exposure += units * this.#marks[index]! * this.#rates[index]!;
    }
    return exposure;
  }

  /** Sets the price a symbol's position is valued at, in the instrument's currency. */
  mark(symbol: number, price: number): void {
    this.#marks[symbol] = price;
  }

  /** The price a symbol's position is valued at, in the instrument's currency. */
  markOf(symbol: number): Exact {
    return Exact.of(this.#marks[symbol]!);
  }

  /** Sets what a unit of a symbol's currency is worth in the account's. */
  setRate(symbol: number, rate: number): void {
    this.#rates[symbol] = rate;
  }

  /** Whether a rate of the symbol's currency is known yet. */
  hasRate(symbol: number): boolean {
    return !Number.isNaN(this.#rates[symbol]!);
  }

  /** Account currency for a unit of the symbol's currency. */
  rateOf(symbol: number): Exact {
    const rate = this.#rates[symbol]!;
    return rate === 1 ? EXACT_ONE : Exact.of(rate);
  }

  /** An amount of the symbol's currency in the account's. */
  inAccountCurrency(symbol: number, amount: Exact): Exact {
    const rate = this.#rates[symbol]!;
    return rate === 1 ? amount : amount.times(Exact.of(rate));
  }

  currencyOf(symbol: number): string {
    return this.#currencies?.[symbol] ?? this.currency;
  }

  quantity(symbol: number): Exact {
    return this.#books[symbol]!.quantity;
  }

  unitsAt(symbol: number): number {
    return this.#books[symbol]!.units;
  }

  /** Signed value of a position at its mark, in the account's currency. */
  valueOf(symbol: number): Exact {
    return this.#valueAt(symbol);
  }

  #valueAt(symbol: number): Exact {
    return this.inAccountCurrency(symbol, this.#books[symbol]!.quantity.times(this.markOf(symbol)));
  }

  /** Value of a short position, without sign; zero where there is none. */
  shortValue(symbol: number): Exact {
    return this.#books[symbol]!.units < 0 ? this.#valueAt(symbol).negated() : EXACT_ZERO;
  }

  /** Books a fill at the rate of now and gives the trades it closed. */
  book(booking: Booking): Trade[] {
    const { symbol, bar, time, reason, orderId, closesOrder, ambiguous } = booking;
    const quantity = Exact.of(booking.quantity);
    const price = Exact.of(booking.price);
    const commission = this.inAccountCurrency(symbol, Exact.of(booking.commission));
    const paid = this.inAccountCurrency(symbol, quantity.times(price));
    this.#moveCash(paid.plus(commission).negated());
    this.#moved.commission = this.#moved.commission.minus(commission);
    const rate = this.rateOf(symbol);
    const fill = { bar, time, reason, quantity, price, commission, rate, orderId, closesOrder, ambiguous };
    const closed = this.#books[symbol]!.apply(fill, this.#closedTrades.length + 1);
    for (const trade of closed) this.#closedTrades.push(trade);
    return closed;
  }

  /** Notes that another outcome of a bar has closed units that these orders opened: their trades are ambiguous. */
  doubt(symbol: number, orderIds: readonly number[]): void {
    this.#books[symbol]!.doubt(orderIds);
  }

  /** Moves cash for a reason other than a fill; the amount is signed and in the account's currency. */
  post(kind: Exclude<CashKind, 'commission'>, amount: Exact): void {
    this.#moveCash(amount);
    this.#moved[kind] = this.#moved[kind].plus(amount);
  }

  /**
   * Splits a symbol: quantities are re-based, costs stay, and what is beyond the last whole lot is closed for cash.
   *
   * @param at where and at what price, on the new basis, the rest is closed
   * @param lot smallest quantity that is traded
   */
  split(
    symbol: number,
    ratio: SplitRatio,
    lot: Exact,
    at: { readonly bar: number; readonly time: Instant; readonly price: number },
  ): SplitOutcome {
    const book = this.#books[symbol]!;
    const before = book.quantity;
    if (before.isZero()) return { before, after: before, leftOver: EXACT_ZERO, trades: [] };
    const left = book.split(ratio, lot);
    const leftOver = before.isNegative() ? left.negated() : left;
    const terms = { commission: EXACT_ZERO, reason: 'cash in lieu', closesOrder: LEFT_OVER };
    const trades = left.isZero() ? [] : this.book({ symbol, ...at, quantity: leftOver.negated(), ...terms });
    return { before, after: book.quantity, leftOver, trades };
  }

  #moveCash(amount: Exact): void {
    this.#cash = this.#cash.plus(amount);
    this.#cashNumber = this.#cash.toNumber();
  }

  /** A copy of a symbol's lots, to try fills on. */
  copyBook(symbol: number): Book {
    return this.#books[symbol]!.copy();
  }

  /** Units still open of what an order opened. */
  openQuantity(symbol: number, orderId: number): Exact {
    return this.#books[symbol]!.openQuantity(orderId);
  }

  /** Closed trades, in the order they closed. */
  get closedTrades(): readonly Trade[] {
    return this.#closedTrades;
  }

  /** What is open as trades valued at the last mark, oldest first within a symbol. */
  openTrades(): Trade[] {
    let id = this.#closedTrades.length + 1;
    return this.#books.flatMap((book, index) => {
      if (book.units === 0) return [];
      const trades = book.openTrades(this.markOf(index), this.rateOf(index), id);
      id += trades.length;
      return trades;
    });
  }

  position(symbol: string): PositionView {
    return this.#view(symbolIndex(symbol, this.#symbols));
  }

  positions(): PositionView[] {
    return this.#symbols.flatMap((_, index) => (this.#books[index]!.units === 0 ? [] : [this.#view(index)]));
  }

  units(symbol?: string): number {
    return this.#books[symbol === undefined ? 0 : symbolIndex(symbol, this.#symbols)]!.units;
  }

  #view(index: number): PositionView {
    const book = this.#books[index]!;
    const marketValue = book.units === 0 ? EXACT_ZERO : this.#valueAt(index);
    return {
      symbol: book.symbol,
      quantity: book.quantity.toDecimal(),
      averagePrice: book.averagePrice().toDecimal(),
      mark: this.markOf(index).toDecimal(),
      marketValue: marketValue.toDecimal(),
      unrealisedPnl: marketValue.minus(book.costBasis()).toDecimal(),
      currency: this.currencyOf(index),
      stale: this.#isStale?.(index) ?? false,
    };
  }
}
