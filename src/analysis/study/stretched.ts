import { normalQuantile } from '../series/normal.ts';
import { studentQuantile } from '../series/student.ts';

/**
 * Factor by which a percentile interval of the bootstrap must be stretched for correct coverage with few
 * units: t(k − 1) √(k / (k − 1)) / z. The bootstrap's variance is (k − 1) / k of the unbiased one. Its
 * quantiles are nearly normal, although the spread of k units is only estimated.
 *
 * Source: T. Hesterberg, "What Teachers Should Know About the Bootstrap", The American Statistician 69
 * (2015), section 5.2, which corrects the quantile levels by the same two factors. Stretching is used
 * instead, because few units have no quantiles that extreme.
 *
 * @param units number of units drawn with replacement, at least two
 */
export function stretchFor(units: number, confidence: number): number {
  const ordinary = normalQuantile((1 + confidence) / 2);
  return (studentQuantile(confidence, units - 1) * Math.sqrt(units / (units - 1))) / ordinary;
}
