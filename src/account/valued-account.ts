import type { Exact } from '../kernel/index.ts';
import type { Contract } from './contract.ts';
import type { Valuation } from './valuation.ts';

/** The marks, rates and contracts that a ledger values positions by. */
export abstract class ValuedAccount {
  protected readonly values: Valuation;

  constructor(values: Valuation) {
    this.values = values;
  }

  /** Sets the price a symbol's position is valued at, in the instrument's currency. */
  mark(symbol: number, price: number): void {
    this.values.mark(symbol, price);
  }

  /** The price a symbol's position is valued at, in the instrument's currency. */
  markOf(symbol: number): Exact {
    return this.values.markOf(symbol);
  }

  /** Sets what a unit of a symbol's currency is worth in the account's. */
  setRate(symbol: number, rate: number): void {
    this.values.setRate(symbol, rate);
  }

  /** Whether a rate of the symbol's currency is known yet. */
  hasRate(symbol: number): boolean {
    return !Number.isNaN(this.values.rateNumber(symbol));
  }

  /** Account currency for a unit of the symbol's currency. */
  rateOf(symbol: number): Exact {
    return this.values.rateOf(symbol);
  }

  contractOf(symbol: number): Contract {
    return this.values.contractOf(symbol);
  }

  /** Account currency for one point of a unit's price: multiplier × rate. */
  pointValueOf(symbol: number): Exact {
    return this.values.pointValueOf(symbol);
  }

  /** Value of some units at their mark, as a float64. */
  exposureNumberOf(symbol: number, units: number): number {
    return this.values.exposureNumber(symbol, units);
  }

  /** What a unit at a price comes to in the account's currency. */
  unitValue(symbol: number, price: Exact): Exact {
    return this.values.unitValue(symbol, price);
  }

  /** An amount of the symbol's currency in the account's. */
  inAccountCurrency(symbol: number, amount: Exact): Exact {
    return this.values.inAccountCurrency(symbol, amount);
  }
}
