import { normalCdf } from './normal.ts';
import { studentQuantile } from './student.ts';

/** Confidence of every interval of session returns. */
export const CONFIDENCE = 0.95;

/** Largest autocorrelation of neighbours that is removed before the variance is estimated. */
const MOST_PERSISTENT = 0.97;

/** Standard error of a mean, with its degrees of freedom. */
interface MeanError {
  readonly error: number;
  readonly degrees: number;
}

/**
 * Standard error of the mean of values that may depend on earlier values.
 *
 * The autocorrelation of neighbours is removed first, corrected for its bias in short series. The variance of
 * the residuals is estimated from overlapping block sums of 2 n^⅓ values and corrected for the estimated
 * mean. The result is scaled back by 1 / (1 − ρ)².
 *
 * Source: Andrews & Monahan, "An Improved Heteroskedasticity and Autocorrelation Consistent Covariance Matrix
 * Estimator", Econometrica 60 (1992); Marriott & Pope, "Bias in the Estimation of Autocorrelations",
 * Biometrika 41 (1954); Priestley, "Spectral Analysis and Time Series" (1981), section 6.2.4, for the degrees
 * of freedom of Bartlett's window.
 *
 * @param values at least ten
 */
export function meanError(values: Float64Array): MeanError {
  const count = values.length;
  const mean = values.reduce((sum, value) => sum + value, 0) / count;
  const persistence = persistenceOf(values, mean);
  const rest = new Float64Array(count - 1);
  for (let at = 1; at < count; at++)
    rest[at - 1] = values[at]! - mean - persistence * (values[at - 1]! - mean);
  const block = Math.round(2 * Math.cbrt(count));
  // The two estimated numbers, mean and autocorrelation, each reduce the degrees of freedom by one.
  const variance = (blockVariance(rest, block) * (count - 1)) / (count - 2);
  return {
    error: Math.sqrt(variance / count) / (1 - persistence),
    degrees: Math.max(1, (1.5 * rest.length) / block - 2),
  };
}

/** Autocorrelation of neighbours, corrected for its bias; 0 for constant values. */
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

/** Variance of √n times the mean, from the sums of all blocks of neighbours, which wrap around the end. */
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
 * Share of resamples to omit at each end, so that the interval of the mean is as wide as Student's.
 *
 * Resamples vary too little if the series is short or its values depend on each other. The quantiles are
 * moved outwards by the ratio of both widths, equally for every figure.
 *
 * Source: Loh, "Calibrating Confidence Coefficients", JASA 82 (1987).
 *
 * @param differences differences by session
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
