import { quantileOf } from './quantiles.ts';
import {
  mean,
  roundingOf,
  standardDeviation,
  TOO_FEW,
  type Undefined,
  undefinedBecause,
} from './statistics.ts';

/** Share of session returns in the tail figures. */
export const TAIL = 0.05;

export function volatility(returns: Float64Array | Undefined, periodsPerYear: number): number | Undefined {
  if ('reason' in returns) return returns;
  return returns.length < 2 ? TOO_FEW : spread(returns) * Math.sqrt(periodsPerYear);
}

/** @param riskFree rate per period */
export function sharpeRatio(
  returns: Float64Array | Undefined,
  periodsPerYear: number,
  riskFree: number,
): number | Undefined {
  if ('reason' in returns) return returns;
  if (returns.length < 2) return TOO_FEW;
  const deviation = spread(returns);
  if (deviation === 0) return undefinedBecause('session returns do not vary');
  return ((mean(returns) - riskFree) / deviation) * Math.sqrt(periodsPerYear);
}

/** @param acceptable minimum acceptable return (MAR) per period */
export function sortinoRatio(
  returns: Float64Array | Undefined,
  periodsPerYear: number,
  acceptable: number,
): number | Undefined {
  if ('reason' in returns) return returns;
  if (returns.length < 2) return TOO_FEW;
  let squares = 0;
  for (let index = 0; index < returns.length; index++)
    squares += Math.min(returns[index]! - acceptable, 0) ** 2;
  const deviation = Math.sqrt(squares / returns.length);
  if (deviation <= roundingOf(returns))
    return undefinedBecause('no session return is below the minimum acceptable');
  return ((mean(returns) - acceptable) / deviation) * Math.sqrt(periodsPerYear);
}

/**
 * Mean of the returns at or below their 5 % quantile.
 *
 * @param sorted rising
 */
export function lowerMean(sorted: Float64Array): number {
  const bound = quantileOf(sorted, TAIL);
  let count = 0;
  let sum = 0;
  for (; count < sorted.length && sorted[count]! <= bound; count++) sum += sorted[count]!;
  return sum / count;
}

/** Standard deviation. Returns 0 if the differences are only float64 rounding. */
function spread(returns: Float64Array): number {
  const deviation = standardDeviation(returns);
  return deviation <= roundingOf(returns) ? 0 : deviation;
}
