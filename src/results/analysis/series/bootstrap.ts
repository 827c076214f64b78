import { blockLengthFor } from './block-length.ts';
import { normalCdf, studentQuantile } from './distributions.ts';
import { mean, quantileOf } from './ratios.ts';
import {
  type Draw,
  RESAMPLES,
  type Resamples,
  resampledMeans,
  resampledSum,
  runningSums,
} from './resamples.ts';

/** Confidence level of all intervals. */
const CONFIDENCE = 0.95;

/**
 * Upper limit of the estimated lag-1 autocorrelation. `meanError` removes this autocorrelation before it
 * estimates the variance.
 */
const MOST_PERSISTENT = 0.97;

/** Standard error of a mean, with its degrees of freedom. */
interface MeanError {
  readonly error: number;
  readonly degrees: number;
}

/**
 * Standard error of the mean of values that may depend on earlier values.
 *
 * First, the lag-1 autocorrelation ρ is estimated, corrected for its bias in short series, and removed. The
 * variance of the residuals is estimated from sums of overlapping blocks of 2 n^⅓ values and corrected for
 * the estimated mean. Finally, the variance is multiplied by 1 / (1 − ρ)².
 *
 * Source: Andrews & Monahan, "An Improved Heteroskedasticity and Autocorrelation Consistent Covariance Matrix
 * Estimator", Econometrica 60 (1992); Marriott & Pope, "Bias in the Estimation of Autocorrelations",
 * Biometrika 41 (1954); Priestley, "Spectral Analysis and Time Series" (1981), section 6.2.4, for the degrees
 * of freedom of Bartlett's window.
 *
 * @param values series of at least ten values
 */
export function meanError(values: Float64Array): MeanError {
  const count = values.length;
  const mean = values.reduce((sum, value) => sum + value, 0) / count;
  const persistence = persistenceOf(values, mean);
  const rest = new Float64Array(count - 1);
  for (let at = 1; at < count; at++)
    rest[at - 1] = values[at]! - mean - persistence * (values[at - 1]! - mean);
  const block = Math.round(2 * Math.cbrt(count));
  // The mean and the autocorrelation are both estimated from the values. Each estimate reduces the degrees of
  // freedom by one.
  const variance = (blockVariance(rest, block) * (count - 1)) / (count - 2);
  return {
    error: Math.sqrt(variance / count) / (1 - persistence),
    degrees: Math.max(1, (1.5 * rest.length) / block - 2),
  };
}

/** Lag-1 autocorrelation, corrected for its bias in short series. 0 for constant values. */
function persistenceOf(values: Float64Array, mean: number): number {
  const count = values.length;
  let [product, squares] = [0, 0];
  for (let at = 1; at < count; at++) {
    const before = values[at - 1]! - mean;
    product += (values[at]! - mean) * before;
    squares += before * before;
  }
  if (squares === 0) return 0;
  const corrected = ((product / squares) * count + 1) / (count - 3);
  return Math.max(-MOST_PERSISTENT, Math.min(MOST_PERSISTENT, corrected));
}

/**
 * Variance of √n times the mean, from the sums of all blocks of consecutive values. A block that reaches the
 * last value continues at the first value.
 */
function blockVariance(values: Float64Array, block: number): number {
  const count = values.length;
  const mean = values.reduce((sum, value) => sum + value, 0) / count;
  let sum = 0;
  for (let at = 0; at < block; at++) sum += values[at]! - mean;
  let squares = 0;
  for (let at = 0; at < count; at++) {
    squares += sum * sum;
    sum += values[(at + block) % count]! - values[at]!;
  }
  return squares / count / block / (1 - block / count);
}

/**
 * Returns the share of resamples to omit at each end of an interval. With this share, the interval of the
 * mean is as wide as the interval by Student's t with `meanError`.
 *
 * The calibration is needed because resamples vary too little if the series is short or its values depend on
 * each other. The same share is used for the interval of every figure.
 *
 * Source: Loh, "Calibrating Confidence Coefficients", JASA 82 (1987).
 *
 * @param differences differences between the returns of two series, one per session
 * @param means mean of the differences in each resample
 */
export function calibratedTail(differences: Float64Array, means: Float64Array): number {
  const spread = deviationOf(means);
  const { error, degrees } = meanError(differences);
  const reach = (studentQuantile(CONFIDENCE, degrees) * error) / spread;
  return Number.isFinite(reach) ? normalCdf(-reach) : (1 - CONFIDENCE) / 2;
}

function deviationOf(values: Float64Array): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1));
}

/** Estimate with its 95 % interval. */
export interface Interval {
  readonly estimate: number;
  readonly low: number;
  readonly high: number;
}

export interface PairedDifference {
  /** Mean session return of the first series minus the second, annualised by multiplication. */
  readonly meanReturn: Interval;
  /**
   * Annualised Sharpe ratio of the first series minus the second. `undefined` if one of the series does not
   * vary.
   */
  readonly sharpe: Interval | undefined;
  readonly resamples: number;
  /** Mean length of the blocks, in sessions. */
  readonly blockLength: number;
  readonly confidence: number;
}

/** Resamples of a pair of series. */
export interface PairedResamples {
  readonly resamples: Resamples;
  /**
   * First series minus the second, session by session. Sessions with equal returns have a difference of
   * exactly 0.
   */
  readonly differences: Float64Array;
  /** Mean of `differences` in each resample. */
  readonly means: Float64Array;
  /** Share of resamples beyond each end of an interval. */
  readonly tail: number;
}

/**
 * Returns resamples for two series of session returns. The block length is chosen from the data. `tail` is
 * calibrated by `calibratedTail`.
 *
 * @param second session returns of the second series, for the same sessions
 */
export function pairedResamples(first: Float64Array, second: Float64Array, draw: Draw): PairedResamples {
  const resamples = draw(first.length, blockLengthFor(first, second));
  const differences = first.map((one, at) => one - second[at]!);
  const means = resampledMeans(differences, resamples);
  return { resamples, differences, means, tail: calibratedTail(differences, means) };
}

/**
 * Returns the differences between two runs in mean return and Sharpe ratio. Their intervals are computed by
 * the paired stationary bootstrap.
 *
 * Session returns of both runs are resampled together, in blocks that continue at the first session after the
 * last session. Common moves on the same session, and dependence on earlier sessions, are therefore
 * preserved. Intervals are quantiles of the resamples, calibrated by `calibratedTail`.
 *
 * @param first session returns of the first run
 * @param second session returns of the second run, for the same sessions
 * @returns undefined for fewer than ten sessions
 */
export function pairedDifference(
  first: Float64Array,
  second: Float64Array,
  periodsPerYear: number,
  draw: Draw,
): PairedDifference | undefined {
  const count = first.length;
  if (count < 10) return undefined;
  const yearly = Math.sqrt(periodsPerYear);
  const { resamples, differences, means, tail } = pairedResamples(first, second, draw);
  const [ownSharpes, otherSharpes] = [sharpesOf(first, resamples), sharpesOf(second, resamples)];
  const sharpes = new Float64Array(RESAMPLES);
  for (let resample = 0; resample < RESAMPLES; resample++)
    sharpes[resample] = (ownSharpes[resample]! - otherSharpes[resample]!) * yearly;
  const estimate = (ownSharpes[RESAMPLES]! - otherSharpes[RESAMPLES]!) * yearly;
  return {
    meanReturn: interval(
      mean(differences) * periodsPerYear,
      means.map((one) => one * periodsPerYear),
      tail,
    ),
    sharpe:
      Number.isFinite(estimate) && sharpes.every(Number.isFinite)
        ? interval(estimate, sharpes, tail)
        : undefined,
    resamples: RESAMPLES,
    blockLength: resamples.blockLength,
    confidence: CONFIDENCE,
  };
}

/** Cache of Sharpe ratios by resamples and returns, because a run is compared with many other runs. */
const knownSharpes = new WeakMap<Resamples, WeakMap<Float64Array, Float64Array>>();

/**
 * Returns the Sharpe ratio of each resample, not annualised. The last element is the ratio of the actual
 * returns.
 */
function sharpesOf(returns: Float64Array, resamples: Resamples): Float64Array {
  const ofThese = knownSharpes.get(resamples) ?? new WeakMap<Float64Array, Float64Array>();
  knownSharpes.set(resamples, ofThese);
  const known = ofThese.get(returns);
  if (known !== undefined) return known;
  const count = returns.length;
  const sums = runningSums(returns);
  const squares = runningSums(returns.map((one) => one ** 2));
  const sharpes = new Float64Array(RESAMPLES + 1);
  for (let resample = 0; resample < RESAMPLES; resample++)
    sharpes[resample] = sharpe(
      resampledSum(sums, resamples, resample),
      resampledSum(squares, resamples, resample),
      count,
    );
  sharpes[RESAMPLES] = sharpe(sums[count]!, squares[count]!, count);
  ofThese.set(returns, sharpes);
  return sharpes;
}

/**
 * Mean divided by standard deviation (ddof 1) of returns, from their sum and sum of squares. NaN or infinite
 * if the returns do not vary.
 */
function sharpe(sum: number, squares: number, count: number): number {
  const mean = sum / count;
  return mean / Math.sqrt((squares - count * mean * mean) / (count - 1));
}

/**
 * Returns the interval between two quantiles of `resamples`, which contains the figure of each resample.
 *
 * @param tail share of resamples beyond each end of the interval
 */
export function interval(estimate: number, resamples: Float64Array, tail: number): Interval {
  const sorted = Float64Array.from(resamples).sort();
  return { estimate, low: quantileOf(sorted, tail), high: quantileOf(sorted, 1 - tail) };
}
