import { normalQuantile } from '../series/normal.ts';
import { studentQuantile } from '../series/student.ts';

/**
 * How many times as long a percentile interval of the bootstrap has to be to hold as often as it says, for so few units
 * drawn: t(k − 1) √(k / (k − 1)) / z. The bootstrap's variance is (k − 1) / k of the unbiased one, and its quantiles are
 * nearly the normal's, where the spread of k units is itself estimated.
 *
 * Source: T. Hesterberg, "What Teachers Should Know About the Bootstrap", The American Statistician 69 (2015), section 5.2,
 * which corrects the quantiles looked up by the same two factors; stretched instead, since of few units there are none that
 * far out.
 *
 * @param units that were drawn with replacement, two or more
 */
export function stretchFor(units: number, confidence: number): number {
  const ordinary = normalQuantile((1 + confidence) / 2);
  return (studentQuantile(confidence, units - 1) * Math.sqrt(units / (units - 1))) / ordinary;
}
