/**
 * Money arithmetic.
 *
 * ||  Decimal + Decimal, Decimal − Decimal, Decimal × Decimal   exact (80 significant digits are stored,
 * ||                                                            more than any product of two prices needs)
 * ||  Decimal ÷ Decimal                                         rounded half-even at 80 digits
 * ||  number → Decimal                                          by the shortest decimal form of the number
 * ||  Decimal → number                                          nearest double; for statistics, never back into money
 */
import { Decimal as DecimalBase } from 'decimal.js';

/** Decimal class of decimal.js with 80 digits, rounded half-even. */
export const Decimal = DecimalBase.clone({
  precision: 80,
  rounding: DecimalBase.ROUND_HALF_EVEN,
  toExpNeg: -1000,
  toExpPos: 1000,
});
/** Exact decimal. Used for money, quantities, and prices that are multiplied into money. */
export type Decimal = DecimalBase;

export const ZERO: Decimal = new Decimal(0);
export const ONE: Decimal = new Decimal(1);

/**
 * Converts a float64 price or a decimal string to a decimal. A float64 is converted by its shortest decimal
 * form.
 */
export function decimal(value: number | string | Decimal): Decimal {
  return new Decimal(value);
}

/** Returns plain decimal notation, without an exponent and without trailing zeros. */
export function decimalString(value: Decimal): string {
  return value.isZero() ? '0' : value.toString();
}
