import { mean, type Undefined, undefinedBecause } from '../figures/figures.ts';
import { sharpeRatio } from '../figures/returns.ts';
import { normalCdf, normalQuantile } from '../series/distributions.ts';

const EULER_MASCHERONI = 0.577_215_664_901_532_9;

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

/**
 * Probability that the true Sharpe ratio is above a threshold, for returns of any skewness and kurtosis.
 *
 * D. Bailey and M. López de Prado, "The Sharpe Ratio Efficient Frontier" (2012).
 *
 * @param ratio observed ratio per session
 * @param threshold threshold per session
 * @param count number of returns
 */
export function probabilityAbove(
  ratio: number,
  threshold: number,
  count: number,
  { skewness, kurtosis }: Shape,
): number | Undefined {
  const variance = 1 - skewness * ratio + ((kurtosis - 1) / 4) * ratio * ratio;
  // The variance is 0 only for returns with two distinct values, at one ratio. Rounding can make it negative.
  if (!(variance > 1e-12)) return undefinedBecause('the returns take two values only');
  return normalCdf(((ratio - threshold) * Math.sqrt(count - 1)) / Math.sqrt(variance));
}

/**
 * Probability that the true Sharpe ratio of returns is above a threshold.
 *
 * @param returns simple returns by session
 * @param threshold Sharpe ratio per session, not annualised
 * @param riskFree rate per session
 */
export function probabilisticSharpe(
  returns: Float64Array | Undefined,
  threshold: number,
  riskFree: number,
): number | Undefined {
  if ('reason' in returns) return returns;
  const ratio = sharpeRatio(returns, 1, riskFree);
  return typeof ratio === 'number'
    ? probabilityAbove(ratio, threshold, returns.length, shapeOf(returns))
    : ratio;
}

/**
 * Largest Sharpe ratio expected by luck among trials without skill.
 *
 * D. Bailey and M. López de Prado, "The Deflated Sharpe Ratio" (2014).
 *
 * @param trials number of trials, at least 2
 * @param variance variance of the trials' Sharpe ratios, ddof 1, per session
 * @returns Sharpe ratio per session
 */
export function expectedMaximumSharpe(trials: number, variance: number): number {
  const first = -normalQuantile(1 / trials);
  const second = -normalQuantile(1 / (trials * Math.E));
  return Math.sqrt(variance) * ((1 - EULER_MASCHERONI) * first + EULER_MASCHERONI * second);
}
