const SIGNIFICANT_DIGITS = 9;
/** Magnitude below which a number of four decimal places has no more significant digits than that. */
const SHORT_BELOW = 10 ** (SIGNIFICANT_DIGITS - 4);
/** Significant digits of what a chart draws without prices on it: a hundredth of a pixel. */
const DRAWN_DIGITS = 7;

/** A number with as many digits as a page shows of prices. */
export function short(value: number): number {
  // Most prices and volumes have no more digits than that, which is seen without writing them.
  if (Math.abs(value) < SHORT_BELOW && Math.round(value * 1e4) / 1e4 === value) return value;
  if (Number.isInteger(value) && Math.abs(value) < 10 ** SIGNIFICANT_DIGITS) return value;
  return Number(value.toPrecision(SIGNIFICANT_DIGITS)) + 0;
}

/** A number with as many digits as a curve shows; whole beyond them, for it is read at the crosshair, too. */
export function drawn(value: number): number {
  if (Math.abs(value) >= 10 ** DRAWN_DIGITS) return Math.round(value) + 0;
  return Number(value.toPrecision(DRAWN_DIGITS)) + 0;
}

/** A share to a thousandth of a per cent. */
export function shortShare(value: number): number {
  return Math.round(value * 1e5) / 1e5 + 0;
}
