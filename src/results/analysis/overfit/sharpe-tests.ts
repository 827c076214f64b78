import {
  type Figure,
  figure,
  standardDeviation,
  type Undefined,
  undefinedBecause,
} from '../figures/figures.ts';
import { sharpeRatio } from '../figures/returns.ts';
import { normalCdf, normalQuantile } from '../series/distributions.ts';
import { type Shape, shapeOf, sharpeVariance } from '../series/ratios.ts';

export { type Shape, shapeOf };

const EULER_MASCHERONI = 0.577_215_664_901_532_9;

/**
 * Probability that the true Sharpe ratio is above a threshold, for returns of any skewness and kurtosis.
 *
 * D. Bailey and M. López de Prado, "The Sharpe Ratio Efficient Frontier" (2012).
 *
 * @param ratio observed Sharpe ratio per session
 * @param threshold threshold of the Sharpe ratio per session
 * @param count number of returns
 */
export function probabilityAbove(
  ratio: number,
  threshold: number,
  count: number,
  shape: Shape,
): number | Undefined {
  const variance = sharpeVariance(ratio, shape);
  // The variance of the estimated Sharpe ratio can be 0 only for returns with two distinct values. Rounding
  // can make this variance slightly negative.
  if (!(variance > 1e-12)) return undefinedBecause('the returns take two values only');
  return normalCdf(((ratio - threshold) * Math.sqrt(count - 1)) / Math.sqrt(variance));
}

/**
 * Probability that the true Sharpe ratio of returns is above a threshold.
 *
 * @param returns simple returns by session
 * @param threshold Sharpe ratio per session, not annualised
 * @param riskFree risk-free rate per session
 * @param shape skewness and kurtosis of the returns, if already computed
 */
export function probabilisticSharpe(
  returns: Float64Array | Undefined,
  threshold: number,
  riskFree: number,
  shape?: Shape,
): number | Undefined {
  if ('reason' in returns) return returns;
  const ratio = sharpeRatio(returns, 1, riskFree);
  return typeof ratio === 'number'
    ? probabilityAbove(ratio, threshold, returns.length, shape ?? shapeOf(returns))
    : ratio;
}

/**
 * Expected value of the largest Sharpe ratio among trials without skill.
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

/**
 * Number of trials in a search, and the Sharpe ratio that the best of these trials is expected to reach by
 * luck.
 */
export interface TrialCount {
  /** Number of runs of the search, including runs with equal results. */
  readonly runs: number;
  /** Number of different results (N). Runs with equal results count once. */
  readonly trials: number;
  /**
   * Standard deviation (ddof 1) of the trials' annualised Sharpe ratios. `null` for fewer than two defined
   * ratios.
   */
  readonly sharpeDeviation: number | null;
  /** Expected annualised Sharpe ratio of the best of N trials without skill. */
  readonly luckySharpe: Figure;
}

/**
 * Counts the trials of one search, and computes the Sharpe ratio that the best of them is expected to reach
 * by luck.
 *
 * @param trials trials of one search, including the run under examination
 * @param periodsPerYear number of periods for annualised ratios
 */
export function countTrials(trials: readonly Trial[], periodsPerYear: number): TrialCount {
  const distinct = distinctTrials(trials);
  const ratios = distinct.flatMap(({ sharpe }) => (sharpe === null ? [] : [sharpe]));
  const yearly = Math.sqrt(periodsPerYear);
  const deviation = ratios.length < 2 ? null : standardDeviation(ratios);
  const lucky =
    deviation === null
      ? undefinedBecause(
          distinct.length < 2
            ? 'one trial: nothing was chosen among others'
            : `fewer than two of ${distinct.length} trials have a Sharpe ratio`,
        )
      : expectedMaximumSharpe(distinct.length, deviation ** 2) * yearly;
  return {
    runs: trials.length,
    trials: distinct.length,
    sharpeDeviation: deviation === null ? null : deviation * yearly,
    luckySharpe: figure(
      'Sharpe ratio a year expected of the best of N trials without skill: √V · ((1 − γ)·Φ⁻¹(1 − 1/N) + γ·Φ⁻¹(1 − 1/(N·e)))',
      lucky,
    ),
  };
}

/**
 * Deflated Sharpe ratio: the probability that the true ratio is above the ratio that the best of this number
 * of trials is expected to have by luck.
 *
 * @param returns simple returns by session
 * @param riskFreeRate annualised
 */
export function deflatedSharpe(
  returns: Float64Array | Undefined,
  { trials, luckySharpe }: TrialCount,
  periodsPerYear: number,
  riskFreeRate = 0,
): Figure {
  const convention = `probability that the true Sharpe ratio is above the one that luck would show, as of ${trials} trials`;
  if (luckySharpe.value === null) return { value: null, reason: luckySharpe.reason ?? '', convention };
  const threshold = luckySharpe.value / Math.sqrt(periodsPerYear);
  return figure(convention, probabilisticSharpe(returns, threshold, riskFreeRate / periodsPerYear));
}

/**
 * Run that counts as a trial of a search: one of several runs of a strategy with different parameters on the
 * same data.
 */
export interface Trial {
  readonly runId: string;
  readonly folder: string;
  /** Sharpe ratio per session. `null` if undefined. */
  readonly sharpe: number | null;
  /** Text that identifies the result. Runs with equal figures have equal texts and count as one trial. */
  readonly result: string;
}

/** Returns one run for each distinct result: the first run by folder name. */
export function distinctTrials(trials: readonly Trial[]): Trial[] {
  const byResult = new Map<string, Trial>();
  const sorted = [...trials].sort((one, other) =>
    one.folder < other.folder ? -1 : one.folder > other.folder ? 1 : 0,
  );
  for (const trial of sorted) if (!byResult.has(trial.result)) byResult.set(trial.result, trial);
  return [...byResult.values()];
}
