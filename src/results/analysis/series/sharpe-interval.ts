import { mean, sharpeRatio } from './ratios.ts';

/** Skewness and Pearson kurtosis (3 for a normal distribution), from population moments. */
export interface Shape {
  readonly skewness: number;
  readonly kurtosis: number;
}

export function shapeOf(returns: ArrayLike<number>): Shape {
  const centre = mean(returns);
  let [second, third, fourth] = [0, 0, 0];
  for (let index = 0; index < returns.length; index++) {
    const deviation = returns[index]! - centre;
    const square = deviation * deviation;
    second += square;
    third += square * deviation;
    fourth += square * square;
  }
  const variance = second / returns.length;
  return {
    skewness: third / returns.length / variance ** 1.5,
    kurtosis: fourth / returns.length / variance ** 2,
  };
}

/** Variance of an estimated Sharpe ratio per session, times the number of returns minus 1. */
export function sharpeVariance(ratio: number, { skewness, kurtosis }: Shape): number {
  return 1 - skewness * ratio + ((kurtosis - 1) / 4) * ratio * ratio;
}

/** 97.5 % quantile of the normal distribution. */
const TWO_SIDED_95 = 1.959_963_984_540_054;

/**
 * Returns the 95 % interval of an annualised Sharpe ratio, for returns of any skewness and kurtosis. It uses
 * the same variance as the probabilistic Sharpe ratio. Undefined if the ratio is undefined.
 *
 * D. Bailey and M. López de Prado, "The Sharpe Ratio Efficient Frontier" (2012).
 *
 * @param riskFree rate per session
 */
export function sharpeInterval(
  returns: Float64Array,
  periodsPerYear: number,
  riskFree: number,
): { readonly low: number; readonly high: number } | undefined {
  const ratio = sharpeRatio(returns, 1, riskFree);
  if (typeof ratio !== 'number') return undefined;
  const variance = sharpeVariance(ratio, shapeOf(returns));
  if (!(variance > 1e-12)) return undefined;
  const half = TWO_SIDED_95 * Math.sqrt(variance / (returns.length - 1));
  const yearly = Math.sqrt(periodsPerYear);
  return { low: (ratio - half) * yearly, high: (ratio + half) * yearly };
}
