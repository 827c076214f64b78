import { EXACT_ONE, EXACT_ZERO, Exact, type RunningSum } from '../../kernel/index.ts';
import { type Contract, SHARE } from './lot.ts';
import type { Book } from './lot-trade.ts';
import type { PositionView } from './trade.ts';

/**
 * Values positions. Stores marks, exchange rates, and the value of a price point in the account's currency.
 *
 * Marks and rates are float64 numbers, like the prices of the bars. They are converted to decimals only when
 * an exact amount is requested.
 */
export class Valuation {
  readonly #contracts: readonly Contract[] | undefined;
  readonly #marks: Float64Array;
  // Units of the account's currency per unit of each symbol's currency. 1 if both are the same. NaN while
  // unknown.
  readonly #rates: Float64Array;
  // Value of a price change of 1 for one unit of each symbol, in the account's currency: rate × multiplier.
  readonly #points: Float64Array;
  readonly #anyMargined: boolean;
  // Decimal places of the last mark of each symbol that was converted to a decimal. The next conversion tries
  // this number first.
  readonly #places: Uint8Array;

  constructor(rates: Float64Array, contracts: readonly Contract[] | undefined) {
    this.#contracts = contracts;
    this.#marks = new Float64Array(rates.length);
    this.#rates = rates;
    this.#points = rates.map((rate, symbol) => rate * this.contractOf(symbol).multiplier.toNumber());
    this.#anyMargined = contracts?.some(({ margined }) => margined) ?? false;
    this.#places = new Uint8Array(rates.length);
  }

  contractOf(symbol: number): Contract {
    return this.#contracts?.[symbol] ?? SHARE;
  }

  mark(symbol: number, price: number): void {
    this.#marks[symbol] = price;
  }

  markOf(symbol: number): Exact {
    return Exact.of(this.#marks[symbol]!);
  }

  setRate(symbol: number, rate: number): void {
    this.#rates[symbol] = rate;
    this.#points[symbol] = rate * this.contractOf(symbol).multiplier.toNumber();
  }

  /** Returns the exchange rate. `NaN` while the rate is unknown. */
  rateNumber(symbol: number): number {
    return this.#rates[symbol]!;
  }

  rateOf(symbol: number): Exact {
    const rate = this.#rates[symbol]!;
    return rate === 1 ? EXACT_ONE : Exact.of(rate);
  }

  /** Returns the value of a price change of 1 for one unit, in the account's currency: multiplier × rate. */
  pointValueOf(symbol: number): Exact {
    const { multiplier } = this.contractOf(symbol);
    const rate = this.rateOf(symbol);
    if (multiplier === EXACT_ONE) return rate;
    return rate === EXACT_ONE ? multiplier : rate.times(multiplier);
  }

  unitValue(symbol: number, price: Exact): Exact {
    const point = this.pointValueOf(symbol);
    return point === EXACT_ONE ? price : price.times(point);
  }

  inAccountCurrency(symbol: number, amount: Exact): Exact {
    const rate = this.rateOf(symbol);
    return rate === EXACT_ONE ? amount : amount.times(rate);
  }

  /** Returns the signed exposure, in the account's currency: quantity × mark × point value. */
  exposureOf(symbol: number, quantity: Exact): Exact {
    return this.unitValue(symbol, quantity.times(this.markOf(symbol)));
  }

  /** Returns the signed exposure of `units`, in the account's currency, as a float64. */
  exposureNumber(symbol: number, units: number): number {
    return units * this.#marks[symbol]! * this.#points[symbol]!;
  }

  /**
   * Returns the amount that a position adds to equity on top of cash, in the account's currency. This is its
   * exposure or, for a margined position (see `Contract`), its open profit.
   */
  valueOf(symbol: number, book: Book): Exact {
    const exposure = this.exposureOf(symbol, book.quantity);
    if (!this.contractOf(symbol).margined) return exposure;
    return exposure.minus(book.paid().times(this.rateOf(symbol)));
  }

  /** Adds the value of a position to a sum. Afterwards, `sum.fits` is true if the sum is exact. */
  addTo(sum: RunningSum, symbol: number, quantity: Exact): void {
    if (this.#anyMargined || this.#points[symbol] !== 1) sum.fits = false;
    else this.#places[symbol] = sum.addProduct(quantity, this.#marks[symbol]!, this.#places[symbol]!);
  }

  /** Returns the same as `valueOf`, as a float64. */
  valueNumber(symbol: number, book: Book): number {
    if (this.#anyMargined && this.contractOf(symbol).margined) return this.valueOf(symbol, book).toNumber();
    return this.exposureNumber(symbol, book.units);
  }
}

/** Base class of the ledger. Stores marks, rates and contracts, and values positions. */
export abstract class ValuedAccount {
  protected readonly values: Valuation;

  constructor(values: Valuation) {
    this.values = values;
  }

  /** Sets the price for valuing a symbol's position, in the instrument's currency. */
  mark(symbol: number, price: number): void {
    this.values.mark(symbol, price);
  }

  /** Returns the price for valuing a symbol's position, in the instrument's currency. */
  markOf(symbol: number): Exact {
    return this.values.markOf(symbol);
  }

  /** Sets the value of one unit of a symbol's currency in the account's currency. */
  setRate(symbol: number, rate: number): void {
    this.values.setRate(symbol, rate);
  }

  /** True if an exchange rate of the symbol's currency is known. */
  hasRate(symbol: number): boolean {
    return !Number.isNaN(this.values.rateNumber(symbol));
  }

  /** Returns units of the account's currency per unit of the symbol's currency. */
  rateOf(symbol: number): Exact {
    return this.values.rateOf(symbol);
  }

  contractOf(symbol: number): Contract {
    return this.values.contractOf(symbol);
  }

  /** Returns the value of a price change of 1 for one unit, in the account's currency: multiplier × rate. */
  pointValueOf(symbol: number): Exact {
    return this.values.pointValueOf(symbol);
  }

  /** Returns the signed value of `units` at the symbol's mark, in the account's currency, as a float64. */
  exposureNumberOf(symbol: number, units: number): number {
    return this.values.exposureNumber(symbol, units);
  }

  /** Returns the value of one unit at a price, in the account's currency. */
  unitValue(symbol: number, price: Exact): Exact {
    return this.values.unitValue(symbol, price);
  }

  /** Converts an amount in the symbol's currency to the account's currency. */
  inAccountCurrency(symbol: number, amount: Exact): Exact {
    return this.values.inAccountCurrency(symbol, amount);
  }
}

/** Returns a view of a symbol's position in decimals. */
export function positionView(
  book: Book,
  symbol: number,
  values: Valuation,
  given: Pick<PositionView, 'currency' | 'stale' | 'entryBar'>,
): PositionView {
  const { multiplier, margined, margin } = values.contractOf(symbol);
  const flat = book.units === 0;
  const exposure = flat ? EXACT_ZERO : values.exposureOf(symbol, book.quantity);
  const marketValue = margined && !flat ? values.valueOf(symbol, book) : exposure;
  return {
    symbol: book.symbol,
    quantity: book.quantity.toDecimal(),
    averagePrice: book.averagePrice().toDecimal(),
    mark: values.markOf(symbol).toDecimal(),
    marketValue: marketValue.toDecimal(),
    exposure: exposure.toDecimal(),
    unrealisedPnl: (margined ? marketValue : marketValue.minus(book.costBasis())).toDecimal(),
    multiplier: multiplier.toDecimal(),
    margin: margin?.toDecimal() ?? null,
    ...given,
  };
}
