import {
  AppError,
  type Decimal,
  describeValue,
  EXACT_ZERO,
  Exact,
  type Instant,
  RunningSum,
  recordOf,
  ZERO,
} from '../../kernel/index.ts';
import { AverageBook } from './average-book.ts';
import { FifoBook } from './fifo-book.ts';
import { inMoney, type SplitRatio } from './lot.ts';
import { type Book, type Claim, LEFT_OVER } from './lot-trade.ts';
import {
  type AccountView,
  type Booking,
  CASH_KINDS,
  type CashKind,
  type LedgerOptions,
  type PositionView,
  type SplitOutcome,
  type Trade,
} from './trade.ts';
import { positionView, Valuation, ValuedAccount } from './valuation.ts';

/**
 * Account of a run. Books fills and other cash movements, and returns the trades that a fill closes.
 *
 * Amounts are exact decimals. `equityNumber` is the equity as a float64, which is faster to compute and is
 * used on every bar.
 */
export class Ledger extends ValuedAccount implements AccountView {
  readonly currency: string;
  readonly #symbols: readonly string[];
  readonly #currencies: readonly string[] | undefined;
  readonly #isStale: ((symbol: number) => boolean) | undefined;
  readonly #books: Book[];
  /** Bar at which each open position was opened or changed its side. */
  readonly #entryBars: number[];
  #cash: Exact;
  #cashNumber: number;
  // Float64 equity at the current marks. NaN after a change, until it is computed on the next request.
  #equityNumber = Number.NaN;
  readonly #sum = new RunningSum();
  readonly #moved: Record<CashKind, Exact>;
  readonly #closedTrades: Trade[] = [];
  #realisedPnl: Decimal = ZERO;
  // Number of closed trades that are included in `#realisedPnl`. The sum is updated when it is read.
  #realisedCount = 0;

  /**
   * @param symbols in the market's order; a booking identifies a symbol by its index in this list
   * @param cash initial cash, in the account's currency
   */
  constructor(symbols: readonly string[], cash: Decimal, options: LedgerOptions = {}) {
    const { lots = 'fifo', currency = 'USD', currencies, contracts, isStale } = options;
    const rates = symbols.map((_, symbol) =>
      (currencies?.[symbol] ?? currency) === currency ? 1 : Number.NaN,
    );
    super(new Valuation(Float64Array.from(rates), contracts));
    this.currency = currency;
    this.#symbols = symbols;
    this.#currencies = currencies;
    this.#isStale = isStale;
    this.#entryBars = symbols.map(() => 0);
    this.#books = symbols.map((symbol) => (lots === 'fifo' ? new FifoBook(symbol) : new AverageBook(symbol)));
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

  /** Cash plus the value of every position at its mark. */
  get exactEquity(): Exact {
    let equity = this.#cash;
    for (let index = 0; index < this.#books.length; index++) {
      if (this.#books[index]!.units !== 0) equity = equity.plus(this.valueAt(index));
    }
    return equity;
  }

  /**
   * Returns the exact equity in a reused object, so that no object is created per bar.
   *
   * @returns the equity, which the next call overwrites. If `fits` is false, the value is not exact; use
   *   `exactEquity` instead
   */
  get equitySum(): RunningSum {
    const sum = this.#sum;
    sum.start(this.#cash);
    for (let index = 0; index < this.#books.length; index++) {
      const book = this.#books[index]!;
      if (book.units !== 0) this.values.addTo(sum, index, book.quantity);
    }
    return sum;
  }

  /** True if no symbol has a position. Equity then equals cash. */
  get isFlat(): boolean {
    for (let index = 0; index < this.#books.length; index++)
      if (this.#books[index]!.units !== 0) return false;
    return true;
  }

  /** Equity as a float64. Faster than `exactEquity`; read on every bar for the equity curve. */
  get equityNumber(): number {
    const known = this.#equityNumber;
    return Number.isNaN(known) ? this.#valued() : known;
  }

  #valued(): number {
    let equity = this.#cashNumber;
    for (let index = 0; index < this.#books.length; index++) {
      const book = this.#books[index]!;
      if (book.units !== 0) equity += this.values.valueNumber(index, book);
    }
    this.#equityNumber = equity;
    return equity;
  }

  override mark(symbol: number, price: number): void {
    this.values.mark(symbol, price);
    this.#equityNumber = Number.NaN;
  }

  override setRate(symbol: number, rate: number): void {
    this.values.setRate(symbol, rate);
    this.#equityNumber = Number.NaN;
  }

  /** Sum of the absolute exposures of all positions, in the account's currency, as a float64. */
  get grossExposureNumber(): number {
    let exposure = 0;
    for (let index = 0; index < this.#books.length; index++) {
      const { units } = this.#books[index]!;
      if (units !== 0) exposure += this.values.exposureNumber(index, Math.abs(units));
    }
    return exposure;
  }

  /** Returns the signed exposure of a position, in the account's currency: quantity × mark × point value. */
  exposureOf(symbol: number): Exact {
    return this.values.exposureOf(symbol, this.#books[symbol]!.quantity);
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

  /**
   * Returns the amount that a position adds to equity on top of cash, in the account's currency.
   * `Valuation.valueOf` defines the amount.
   */
  valueAt(symbol: number): Exact {
    return this.values.valueOf(symbol, this.#books[symbol]!);
  }

  /** Books a fill at the current exchange rate. Returns the trades that the fill closed. */
  book(booking: Booking): Trade[] {
    const { symbol, bar, time, reason, orderId, closesOrder, ambiguous } = booking;
    const quantity = Exact.of(booking.quantity);
    const price = Exact.of(booking.price);
    const commission = this.inAccountCurrency(symbol, Exact.of(booking.commission));
    const rate = this.rateOf(symbol);
    const contract = this.contractOf(symbol);
    const book = this.#books[symbol]!;
    // Signed cash to pay for the fill. For a margined position, only the realised profit is paid: cost of the
    // fill, plus cost of the open units before the fill, minus their cost after the fill.
    let paid = inMoney(quantity.times(price), contract);
    if (contract.margined) paid = paid.plus(book.paid());
    const fill = {
      bar,
      time,
      reason,
      quantity,
      price,
      commission,
      rate,
      contract,
      orderId,
      closesOrder,
      ambiguous,
    };
    const before = Math.sign(book.units);
    const closed = book.apply(fill, this.#closedTrades.length + 1);
    this.#equityNumber = Number.NaN;
    if (Math.sign(book.units) !== before) this.#entryBars[symbol] = bar;
    // Completes `paid` for a margined position: subtracts the cost of the units that remain open after the
    // fill.
    if (contract.margined) paid = paid.minus(book.paid());
    this.#moveCash(this.inAccountCurrency(symbol, paid).plus(commission).negated());
    this.#moved.commission = this.#moved.commission.minus(commission);
    for (const trade of closed) this.#closedTrades.push(trade);
    return closed;
  }

  /**
   * Flags the open units that the given orders opened as ambiguous: another possible price path within the
   * bar would have closed these units.
   */
  doubt(symbol: number, orderIds: readonly number[]): void {
    this.#books[symbol]!.doubt(orderIds);
  }

  /** Adds an amount to cash for a reason other than a fill. Signed, in the account's currency. */
  post(kind: Exclude<CashKind, 'commission'>, amount: Exact): void {
    this.#moveCash(amount);
    this.#moved[kind] = this.#moved[kind].plus(amount);
  }

  /**
   * Splits a symbol. Quantities change, costs do not. Units that do not fill a whole lot are closed for cash.
   *
   * @param at bar, time and price (after the split) for closing the units beyond the last whole lot
   * @param lot smallest quantity that can be traded
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
    this.#equityNumber = Number.NaN;
    const leftOver = before.isNegative() ? left.negated() : left;
    const terms = { commission: EXACT_ZERO, reason: 'cash in lieu', closesOrder: LEFT_OVER };
    const trades = left.isZero() ? [] : this.book({ symbol, ...at, quantity: leftOver.negated(), ...terms });
    return { before, after: book.quantity, leftOver, trades };
  }

  #moveCash(amount: Exact): void {
    this.#cash = this.#cash.plus(amount);
    this.#cashNumber = this.#cash.toNumber();
    this.#equityNumber = Number.NaN;
  }

  /** Returns a copy of the open lots of a symbol. Fills on the copy do not change the account. */
  copyBook(symbol: number): Book {
    return this.#books[symbol]!.copy();
  }

  /** Returns the units that an order opened and that are still open. */
  openQuantity(symbol: number, orderId: number): Exact {
    return this.#books[symbol]!.openQuantity(orderId);
  }

  /**
   * Records other orders as the owners of a position's units, instead of the orders that opened them. The
   * exits of the new orders then close the units.
   */
  assign(symbol: number, claims: readonly Claim[]): void {
    this.#books[symbol]!.assign(claims);
  }

  /** Closed trades, in the order of their exits. */
  get closedTrades(): readonly Trade[] {
    return this.#closedTrades;
  }

  /** Returns the open units as trades valued at the last mark, oldest first within a symbol. */
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
    const stale = this.#isStale?.(index) ?? false;
    return positionView(this.#books[index]!, index, this.values, {
      entryBar: this.#books[index]!.units === 0 ? null : this.#entryBars[index]!,
      currency: this.currencyOf(index),
      stale,
    });
  }
}

/**
 * Returns the index of a symbol in the market.
 *
 * @throws AppError `unknown_symbol` if the market does not contain the symbol
 */
function symbolIndex(given: string, symbols: readonly string[]): number {
  const index = symbols.indexOf(given);
  if (index >= 0) return index;
  throw new AppError({
    code: 'unknown_symbol',
    message:
      typeof given === 'string'
        ? `Unknown symbol ${given} in this market.`
        : `account.position and account.units require the name of a symbol, and received ${describeValue(given)}.`,
    hint: `Use one of: ${symbols.join(', ')}.`,
  });
}
