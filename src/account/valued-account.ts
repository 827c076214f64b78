import type { Exact } from '../kernel/index.ts';
import type { Contract } from './contract.ts';
import type { Valuation } from './valuation.ts';

/** Base class of the ledger with the marks, rates and contracts for valuing positions. */
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

  /** Returns the value of one price point of a unit, in the account's currency: multiplier × rate. */
  pointValueOf(symbol: number): Exact {
    return this.values.pointValueOf(symbol);
  }

  /** Returns the value of `units` at their mark, as a float64. */
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
