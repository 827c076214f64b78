import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { undefinedBecause } from '../figures/figures.ts';
import { expectedMaximumSharpe, probabilisticSharpe, probabilityAbove, shapeOf } from './sharpe-tests.ts';

const RETURNS = Float64Array.of(0.02, -0.01, 0.03, 0);

describe('the shape of returns', () => {
  it('uses population moments and Pearson’s kurtosis', () => {
    // Mean 0.01; deviations 0.01, −0.02, 0.02, −0.01: squares sum to 0.001, fourths to 3.4e-7, cubes to 0.
    const { skewness, kurtosis } = shapeOf(RETURNS);
    expect(skewness).toBeCloseTo(0, 12);
    expect(kurtosis).toBeCloseTo(3.4e-7 / 4 / 0.00025 ** 2, 12);
    // One 1 in four values: variance 3/16, skewness 2/√3, kurtosis 7/3.
    const coin = shapeOf([0, 0, 0, 1]);
    expect(coin.skewness).toBeCloseTo(2 / Math.sqrt(3), 12);
    expect(coin.kurtosis).toBeCloseTo(7 / 3, 12);
  });
});

describe('the probabilistic Sharpe ratio', () => {
  it('equals a manual calculation', () => {
    // Sharpe 0.01 / √(0.001 / 3) = 0.547723, kurtosis 1.36: 1 + 0.09 × 0.3 = 1.027; z = 0.547723 × √3 / √1.027 = 0.936130
    // Φ(0.936130) = 0.825397
    expect(probabilisticSharpe(RETURNS, 0, 0)).toBeCloseTo(0.8253967984, 9);
    // For a threshold equal to the observed ratio, the probability is 0.5. For a higher threshold, it is
    // lower.
    const ratio = 0.01 / Math.sqrt(0.001 / 3);
    expect(probabilisticSharpe(RETURNS, ratio, 0)).toBeCloseTo(0.5, 12);
    expect(probabilisticSharpe(RETURNS, 2 * ratio, 0)).toBeCloseTo(1 - 0.8253967984, 9);
    // With a risk-free rate equal to the mean, the ratio is 0.
    expect(probabilisticSharpe(RETURNS, 0, 0.01)).toBeCloseTo(0.5, 12);
  });

  it('agrees with the example of the paper', () => {
    // Numerical example of Bailey and López de Prado (2014): five years of 250 days, annualised Sharpe ratio
    // 2.5, skewness −3, kurtosis 10. The 100 trials have an annualised variance of 1/2. The expected maximum
    // is 0.1132 per day, and DSR = 0.9004.
    const threshold = expectedMaximumSharpe(100, 1 / 2 / 250);
    expect(threshold).toBeCloseTo(0.1132, 4);
    const shape = { skewness: -3, kurtosis: 10 };
    expect(probabilityAbove(2.5 / Math.sqrt(250), threshold, 1250, shape)).toBeCloseTo(0.9004, 4);
  });

  it('is undefined if the Sharpe ratio is', () => {
    expect(probabilisticSharpe(undefinedBecause('because'), 0, 0)).toEqual({ reason: 'because' });
    expect(probabilisticSharpe(Float64Array.of(0.1), 0, 0)).toEqual({
      reason: 'fewer than two session returns',
    });
    expect(probabilisticSharpe(Float64Array.of(0.1, 0.1, 0.1), 0, 0)).toEqual({
      reason: 'session returns do not vary',
    });
  });

  it('is a probability for any returns that vary', () => {
    const returns = fc.array(fc.double({ min: -0.9, max: 2, noNaN: true }), { minLength: 2, maxLength: 60 });
    fc.assert(
      fc.property(returns, fc.double({ min: -3, max: 3, noNaN: true }), (values, threshold) => {
        const found = probabilisticSharpe(Float64Array.from(values), threshold, 0);
        if (typeof found === 'number') expect(found >= 0 && found <= 1).toBe(true);
        else expect(found.reason).toMatch(/do not vary|two values/);
      }),
    );
  });

  it('reports that two values leave no variance', () => {
    // For skewness s, kurtosis 1 + s² and a ratio of 2 / s, the variance of the ratio is (1 − s · ratio / 2)²
    // = 0.
    const values = Float64Array.of(0, 0, 0, 1);
    const skewness = 2 / Math.sqrt(3);
    const riskFree = 0.25 - (2 / skewness) * 0.5;
    expect(probabilisticSharpe(values, 0, riskFree)).toEqual({ reason: 'the returns take two values only' });
  });
});

describe('the expected maximum Sharpe ratio by luck', () => {
  it('increases with trials and with their variance, and is 0 without variance', () => {
    // For two trials: (1 − γ) · Φ⁻¹(1/2) + γ · Φ⁻¹(1 − 1/(2e)) = 0 + 0.577216 × 0.900453
    expect(expectedMaximumSharpe(2, 1)).toBeCloseTo(0.5772156649015329 * 0.90045259663779, 12);
    expect(expectedMaximumSharpe(1000, 1)).toBeGreaterThan(expectedMaximumSharpe(100, 1));
    expect(expectedMaximumSharpe(100, 4)).toBeCloseTo(2 * expectedMaximumSharpe(100, 1), 12);
    expect(expectedMaximumSharpe(100, 0)).toBe(0);
  });
});
