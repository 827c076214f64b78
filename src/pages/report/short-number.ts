const SIGNIFICANT_DIGITS = 9;
/** Magnitude below which a number with four decimal places has at most `SIGNIFICANT_DIGITS` digits. */
const SHORT_BELOW = 10 ** (SIGNIFICANT_DIGITS - 4);
/** Significant digits of curves, which correspond to a hundredth of a pixel. */
const DRAWN_DIGITS = 7;

/** Rounds a price to the digits that a page shows. */
export function short(value: number): number {
  // Fast path: most prices and volumes have few digits, which is testable without formatting them.
  if (Math.abs(value) < SHORT_BELOW && Math.round(value * 1e4) / 1e4 === value) return value;
  if (Number.isInteger(value) && Math.abs(value) < 10 ** SIGNIFICANT_DIGITS) return value;
  return Number(value.toPrecision(SIGNIFICANT_DIGITS)) + 0;
}

/**
 * Rounds a value of a curve. Large values are rounded to integers, because the readout shows them in full.
 */
export function drawn(value: number): number {
  if (Math.abs(value) >= 10 ** DRAWN_DIGITS) return Math.round(value) + 0;
  return Number(value.toPrecision(DRAWN_DIGITS)) + 0;
}

/** Rounds a fraction to a thousandth of a percent. */
export function shortShare(value: number): number {
  return Math.round(value * 1e5) / 1e5 + 0;
}
