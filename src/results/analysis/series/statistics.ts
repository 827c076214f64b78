/** Result of a figure that is undefined for this run, with the reason. */
export interface Undefined {
  readonly reason: string;
}

export function undefinedBecause(reason: string): Undefined {
  return { reason };
}

export const TOO_FEW = undefinedBecause('fewer than two session returns');

/**
 * Minimum number of session returns for meaningful blocks: a quarter of daily data, or five years of monthly
 * data.
 */
export const ENOUGH_SESSIONS = 60;

export function mean(values: ArrayLike<number>): number {
  let sum = 0;
  for (let index = 0; index < values.length; index++) sum += values[index]!;
  return sum / values.length;
}

/** Standard deviation with ddof 1. */
export function standardDeviation(values: ArrayLike<number>): number {
  const centre = mean(values);
  let squares = 0;
  for (let index = 0; index < values.length; index++) squares += (values[index]! - centre) ** 2;
  return Math.sqrt(squares / (values.length - 1));
}

/** Largest absolute value. 0 for no values. */
export function largest(values: ArrayLike<number>): number {
  let result = 0;
  for (let index = 0; index < values.length; index++) result = Math.max(result, Math.abs(values[index]!));
  return result;
}

/**
 * Largest standard deviation of returns that rounding alone can cause. A return is a quotient minus one, with
 * an error of a few units in the last place.
 */
export function roundingOf(returns: Float64Array): number {
  return 4 * Number.EPSILON * (1 + largest(returns));
}

/**
 * Quantile by linear interpolation between order statistics (type 7 of Hyndman and Fan, 1996, the default of
 * numpy and R).
 *
 * @param sorted rising, at least one value
 * @param share from 0 to 1
 */
export function quantileOf(sorted: ArrayLike<number>, share: number): number {
  const place = share * (sorted.length - 1);
  const below = Math.floor(place);
  const low = sorted[below]!;
  const high = sorted[Math.min(below + 1, sorted.length - 1)]!;
  return low + (high - low) * (place - below);
}

/** Median. For an even number of values, the mean of the two middle ones. */
export function medianOf(values: ArrayLike<number>): number {
  return quantileOf(Float64Array.from(values).sort(), 0.5);
}
