import { expect, it } from 'vitest';
import { createRandom } from '../../../kernel/random.ts';
import { calibratedTail, meanError } from './bootstrap.ts';

/** First-order autoregression. For many values, the variance of its mean is 1 / (n (1 − ρ)²). */
function following(persistence: number, count: number, seed: number): Float64Array {
  const random = createRandom(seed, 'following');
  const values = new Float64Array(count);
  let value = 0;
  for (let at = 0; at < count; at++) values[at] = value = persistence * value + random.normal();
  return values;
}

it.each([0, 0.5, 0.9, -0.5])('estimates the error of a mean, at an autocorrelation of %f', (persistence) => {
  const { error } = meanError(following(persistence, 40_000, 1));
  expect(error * Math.sqrt(40_000) * (1 - persistence)).toBeGreaterThan(0.9);
  expect(error * Math.sqrt(40_000) * (1 - persistence)).toBeLessThan(1.1);
});

it('has fewer degrees of freedom for few sessions', () => {
  // The degrees of freedom are 1.5 × residuals / block length − 2. 60 values have 59 residuals in blocks of
  // 8, 252 values have 251 residuals in blocks of 13.
  expect(meanError(following(0, 60, 1)).degrees).toBeCloseTo((1.5 * 59) / 8 - 2, 12);
  expect(meanError(following(0, 252, 1)).degrees).toBeCloseTo((1.5 * 251) / 13 - 2, 12);
  expect(meanError(following(0, 10, 1)).degrees).toBeCloseTo((1.5 * 9) / 4 - 2, 12);
});

it('has no error for constant values', () => {
  expect(meanError(new Float64Array(60).fill(0.25)).error).toBe(0);
});

it('widens the quantiles if resamples vary too little, and narrows them if too much', () => {
  const values = following(0, 1_000, 2);
  const { error } = meanError(values);
  const spread = (deviation: number): Float64Array => {
    const random = createRandom(3, 'means');
    return Float64Array.from({ length: 1_000 }, () => deviation * random.normal());
  };
  const tails = [0.5, 1, 2].map((factor) => calibratedTail(values, spread(factor * error)));
  expect(tails[0]).toBeLessThan(0.001);
  // If the resampled means vary as much as the standard error, the omitted share is slightly below 2.5 %.
  // Student's t with 73 degrees of freedom is slightly wider than the normal distribution.
  expect(tails[1]).toBeGreaterThan(0.018);
  expect(tails[1]).toBeLessThan(0.028);
  expect(tails[2]).toBeGreaterThan(0.14);
});

it('does not change the quantiles of 2.5 % if resamples do not vary', () => {
  expect(calibratedTail(new Float64Array(60), new Float64Array(1_000))).toBeCloseTo(0.025, 12);
});
