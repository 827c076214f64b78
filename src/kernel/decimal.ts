/**
 * Money arithmetic.
 *
 *   Decimal + Decimal, Decimal − Decimal, Decimal × Decimal   exact (80 significant digits are kept,
 *                                                             more than any product of two prices needs)
 *   Decimal ÷ Decimal                                         rounded half-even at 80 digits
 *   number → Decimal                                          by the number's shortest decimal form
 *   Decimal → number                                          nearest double; for statistics, never back into money
 */
import { Decimal as DecimalBase } from 'decimal.js';

/** Exact decimals of decimal.js: 80 digits, rounded half-even. */
export const Decimal = DecimalBase.clone({
  precision: 80,
  rounding: DecimalBase.ROUND_HALF_EVEN,
  toExpNeg: -1000,
  toExpPos: 1000,
});
/** An exact decimal: money, quantities, and prices where they touch money. */
export type Decimal = DecimalBase;

export const ZERO: Decimal = new Decimal(0);
export const ONE: Decimal = new Decimal(1);

/** A decimal from a float64 price or a decimal string; the shortest form that reads back as the same number. */
export function decimal(value: number | string | Decimal): Decimal {
  return new Decimal(value);
}

/** Plain decimal notation, without an exponent and without trailing zeros. */
export function decimalString(value: Decimal): string {
  return value.isZero() ? '0' : value.toString();
}
