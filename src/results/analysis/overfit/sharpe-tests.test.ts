import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { undefinedBecause } from '../figures/figures.ts';
import {
  countTrials,
  deflatedSharpe,
  distinctTrials,
  expectedMaximumSharpe,
  probabilisticSharpe,
  probabilityAbove,
  shapeOf,
} from './sharpe-tests.ts';

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
  it('equals a calculation by hand', () => {
    // Sharpe ratio 0.01 / √(0.001 / 3) = 0.547723, kurtosis 1.36. The variance factor is 1 + 0.09 × 0.3 =
    // 1.027, so z = 0.547723 × √3 / √1.027 = 0.936130, and Φ(0.936130) = 0.825397.
    expect(probabilisticSharpe(RETURNS, 0, 0)).toBeCloseTo(0.8253967984, 9);
    // For a threshold equal to the observed ratio, the probability is 0.5. For a higher threshold, it is
    // lower.
    const ratio = 0.01 / Math.sqrt(0.001 / 3);
    expect(probabilisticSharpe(RETURNS, ratio, 0)).toBeCloseTo(0.5, 12);
    expect(probabilisticSharpe(RETURNS, 2 * ratio, 0)).toBeCloseTo(1 - 0.8253967984, 9);
    // With a risk-free rate equal to the mean, the ratio is 0.
    expect(probabilisticSharpe(RETURNS, 0, 0.01)).toBeCloseTo(0.5, 12);
  });

  it('agrees with the numerical example of its paper', () => {
    // Bailey and López de Prado (2014): five years of 250 days, annualised Sharpe ratio
    // 2.5, skewness −3, kurtosis 10. The 100 trials have an annualised variance of 1/2. The expected maximum
    // is 0.1132 per day, and DSR = 0.9004.
    const threshold = expectedMaximumSharpe(100, 1 / 2 / 250);
    expect(threshold).toBeCloseTo(0.1132, 4);
    const shape = { skewness: -3, kurtosis: 10 };
    expect(probabilityAbove(2.5 / Math.sqrt(250), threshold, 1250, shape)).toBeCloseTo(0.9004, 4);
  });

  it('is undefined if the Sharpe ratio is undefined', () => {
    expect(probabilisticSharpe(undefinedBecause('because'), 0, 0)).toEqual({ reason: 'because' });
    expect(probabilisticSharpe(Float64Array.of(0.1), 0, 0)).toEqual({
      reason: 'fewer than two session returns',
    });
    expect(probabilisticSharpe(Float64Array.of(0.1, 0.1, 0.1), 0, 0)).toEqual({
      reason: 'session returns do not vary',
    });
  });

  it('is between 0 and 1 for any returns that vary', () => {
    const returns = fc.array(fc.double({ min: -0.9, max: 2, noNaN: true }), { minLength: 2, maxLength: 60 });
    fc.assert(
      fc.property(returns, fc.double({ min: -3, max: 3, noNaN: true }), (values, threshold) => {
        const found = probabilisticSharpe(Float64Array.from(values), threshold, 0);
        if (typeof found === 'number') expect(found >= 0 && found <= 1).toBe(true);
        else expect(found.reason).toMatch(/do not vary|two values/);
      }),
    );
  });

  it('is undefined if two values leave no variance of the ratio', () => {
    // For skewness s, kurtosis 1 + s² and a ratio of 2 / s, the variance of the ratio is (1 − s · ratio / 2)²
    // = 0.
    const values = Float64Array.of(0, 0, 0, 1);
    const skewness = 2 / Math.sqrt(3);
    const riskFree = 0.25 - (2 / skewness) * 0.5;
    expect(probabilisticSharpe(values, 0, riskFree)).toEqual({ reason: 'the returns take two values only' });
  });

  it('uses the skewness and kurtosis that are given, instead of those of the returns', () => {
    const shape = { skewness: 1, kurtosis: 4 };
    const ratio = 0.01 / Math.sqrt(0.001 / 3);
    expect(probabilisticSharpe(RETURNS, 0.1, 0, shape)).toBe(probabilityAbove(ratio, 0.1, 4, shape));
    expect(probabilityAbove(ratio, 0.1, 4, shape)).not.toBe(probabilisticSharpe(RETURNS, 0.1, 0));
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

describe('the trials of a search', () => {
  const trial = (folder: string, sharpe: number | null, result = folder) => ({
    runId: `run ${folder}`,
    folder,
    sharpe,
    result,
  });
  const FORMULA =
    'Sharpe ratio a year expected of the best of N trials without skill: √V · ((1 − γ)·Φ⁻¹(1 − 1/N) + γ·Φ⁻¹(1 − 1/(N·e)))';

  it('count once per result, represented by the first run in the order of folders', () => {
    const trials = [trial('c', 1), trial('b', 2, 'same'), trial('a', 2, 'same'), trial('B', 3)];
    expect(distinctTrials(trials)).toEqual([trials[3], trials[2], trials[0]]);
    expect(trials.map(({ folder }) => folder)).toEqual(['c', 'b', 'a', 'B']);
  });

  it('determine the Sharpe ratio that the best is expected to reach by luck', () => {
    const found = countTrials([trial('a', 0.1), trial('b', 0.3), trial('c', 0.3, 'b'), trial('d', null)], 4);
    // Three different trials, two of them with a ratio: variance 0.02.
    expect(found).toEqual({
      runs: 4,
      trials: 3,
      sharpeDeviation: expect.closeTo(Math.sqrt(0.02) * 2, 12),
      luckySharpe: { value: expect.closeTo(expectedMaximumSharpe(3, 0.02) * 2, 12), convention: FORMULA },
    });
  });

  it('determine no such ratio if there is only one trial or one ratio', () => {
    const none = (reason: string) => ({ value: null, reason, convention: FORMULA });
    expect(countTrials([trial('a', 0.1), trial('b', 0.1, 'a')], 4)).toEqual({
      runs: 2,
      trials: 1,
      sharpeDeviation: null,
      luckySharpe: none('one trial: nothing was chosen among others'),
    });
    expect(countTrials([trial('a', 0.1), trial('b', null)], 4)).toEqual({
      runs: 2,
      trials: 2,
      sharpeDeviation: null,
      luckySharpe: none('fewer than two of 2 trials have a Sharpe ratio'),
    });
  });

  it('determine the deflated Sharpe ratio', () => {
    const count = countTrials([trial('a', 0.1), trial('b', 0.3)], 4);
    const threshold = count.luckySharpe.value! / 2;
    const convention =
      'probability that the true Sharpe ratio is above the one that luck would show, as of 2 trials';
    expect(deflatedSharpe(RETURNS, count, 4, 0.02)).toEqual({
      value: probabilisticSharpe(RETURNS, threshold, 0.005),
      convention,
    });
    expect(deflatedSharpe(RETURNS, count, 4).value).toBe(probabilisticSharpe(RETURNS, threshold, 0));
    const single = countTrials([trial('a', 0.1)], 4);
    expect(deflatedSharpe(RETURNS, single, 4)).toEqual({
      value: null,
      reason: 'one trial: nothing was chosen among others',
      convention: convention.replace('2', '1'),
    });
  });
});
