/** A figure that is not defined for this run. */
export interface Undefined {
  readonly reason: string;
}

export function undefinedBecause(reason: string): Undefined {
  return { reason };
}

export const TOO_FEW = undefinedBecause('fewer than two session returns');

/** Session returns below which blocks of them say nothing: a quarter of days, or five years of months. */
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

/** The largest absolute value; 0 when there is none. */
export function largest(values: ArrayLike<number>): number {
  let result = 0;
  for (let index = 0; index < values.length; index++) result = Math.max(result, Math.abs(values[index]!));
  return result;
}

/** What a spread of returns can be by rounding alone: a return is a quotient less one, off by a few units in the last place. */
export function roundingOf(returns: Float64Array): number {
  return 4 * Number.EPSILON * (1 + largest(returns));
}
