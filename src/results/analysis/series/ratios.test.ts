import { describe, expect, it } from 'vitest';
import {
  largest,
  lowerMean,
  medianOf,
  pathFigures,
  quantileOf,
  roundingOf,
  shapeOf,
  sharpeInterval,
  sharpeRatio,
  sharpeVariance,
  sortinoRatio,
  standardDeviation,
  TOO_FEW,
  volatility,
} from './ratios.ts';

const RETURNS = Float64Array.of(0.02, -0.01, 0.03, -0.04, 0.01, 0.05);
const STILL = { reason: 'session returns do not vary' };

it('computes quantiles, medians, the largest size and the mean of the lowest 5 %', () => {
  expect([0, 0.25, 0.5, 0.75, 1].map((share) => quantileOf([1, 2, 4], share))).toEqual([1, 1.5, 2, 3, 4]);
  expect(medianOf([4, 1, 3, 2])).toBe(2.5);
  expect(medianOf([7])).toBe(7);
  expect([largest([]), largest([-0.5, 0.2])]).toEqual([0, 0.5]);
  // 21 values: the 5 % quantile is the second one.
  expect(lowerMean(Float64Array.from({ length: 21 }, (_, at) => at))).toBe(0.5);
});

describe('ratios of session returns', () => {
  it('are as calculated by hand', () => {
    const two = Float64Array.of(0.01, 0.03);
    expect(volatility(two, 4)).toBeCloseTo(0.01 * Math.SQRT2 * 2, 12);
    expect(sharpeRatio(two, 4, 0.005)).toBeCloseTo((0.015 / (0.01 * Math.SQRT2)) * 2, 12);
    // Only the first return is below 1.5 %, by 0.5 %.
    expect(sortinoRatio(two, 4, 0.015)).toBeCloseTo((0.005 / Math.sqrt(0.005 ** 2 / 2)) * 2, 12);
  });

  it('have reasons if they are undefined', () => {
    const none = { reason: 'equity was 0' };
    for (const ratio of [volatility(none, 4), sharpeRatio(none, 4, 0), sortinoRatio(none, 4, 0)])
      expect(ratio).toBe(none);
    const one = Float64Array.of(0.1);
    for (const ratio of [volatility(one, 4), sharpeRatio(one, 4, 0), sortinoRatio(one, 4, 0)])
      expect(ratio).toBe(TOO_FEW);
    const still = Float64Array.of(0.1, 0.1 + 2e-17, 0.1);
    expect(volatility(still, 4)).toBe(0);
    expect(sharpeRatio(still, 4, 0)).toEqual(STILL);
    expect(sortinoRatio(still, 4, 0.1)).toEqual({
      reason: 'no session return is below the minimum acceptable',
    });
    expect(sortinoRatio(Float64Array.of(0, 0), 4, 0)).toHaveProperty('reason');
    // Rounding can cause a deviation of up to four units in the last place of 1, which is 2 ** -50.
    expect(sortinoRatio(Float64Array.of(0, 0), 4, 2 ** -50)).toHaveProperty('reason');
    expect(sortinoRatio(Float64Array.of(0, 0), 4, 2 ** -49)).toBe(-2);
  });

  it('have skewness and kurtosis from population moments', () => {
    // Deviations of −2, −1 and 3 from the mean.
    const { skewness, kurtosis } = shapeOf([1, 2, 6]);
    expect(skewness).toBeCloseTo(6 / (14 / 3) ** 1.5, 12);
    expect(kurtosis).toBeCloseTo(98 / 3 / (14 / 3) ** 2, 12);
  });
});

describe('the interval of a Sharpe ratio', () => {
  it('has the standard error of Bailey and López de Prado', () => {
    const apart = RETURNS.map((value) => value - 0.01);
    const moment = (power: number) => apart.reduce((sum, value) => sum + value ** power, 0) / 6;
    const ratio = 0.009 / Math.sqrt((moment(2) * 6) / 5);
    const [skewness, kurtosis] = [moment(3) / moment(2) ** 1.5, moment(4) / moment(2) ** 2];
    const error = Math.sqrt((1 - skewness * ratio + ((kurtosis - 1) / 4) * ratio ** 2) / 5);
    const { low, high } = sharpeInterval(RETURNS, 252, 0.001)!;
    expect(low).toBeCloseTo((ratio - 1.959964 * error) * Math.sqrt(252), 4);
    expect(high).toBeCloseTo((ratio + 1.959964 * error) * Math.sqrt(252), 4);
  });

  it('is undefined for a single return and for returns that do not vary', () => {
    expect(sharpeInterval(Float64Array.of(0.1), 252, 0)).toBeUndefined();
    expect(sharpeInterval(new Float64Array(9), 252, 0)).toBeUndefined();
  });
});

describe('the float64 rounding of returns', () => {
  it('is four units in the last place of 1 plus the largest return', () => {
    expect(roundingOf(Float64Array.of(0.5, -3))).toBe(2 ** -48);
    expect(roundingOf(new Float64Array(0))).toBe(2 ** -50);
  });

  it('is the largest deviation that counts as no variation', () => {
    // −d, 0 and d have the standard deviation d. For this d, the rounding is also exactly d.
    const d = 2 ** -50 * (1 + 2 ** -50);
    const [equal, larger] = [d, d * (1 + 2 ** -40)].map((one) => Float64Array.of(-one, 0, one));
    expect(standardDeviation(equal!)).toBe(roundingOf(equal!));
    expect([volatility(equal!, 1), sharpeRatio(equal!, 1, 0)]).toEqual([0, STILL]);
    expect(volatility(larger!, 1)).toBeGreaterThan(0);
    expect(sharpeRatio(larger!, 1, 0)).toBe(0);
  });
});

describe('the figures of a path of session returns', () => {
  const terms = { periodsPerYear: 4, years: 0.5, riskFree: 0.01, acceptable: 0.02 };

  it('are as calculated by hand', () => {
    // Equity 1, 1.1, 0.55, 0.66. The mean return is −0.2 / 3.
    const [mean, third] = [-0.2 / 3, 1 / 3];
    const deviation = Math.sqrt(((0.1 - mean) ** 2 + (-0.5 - mean) ** 2 + (0.2 - mean) ** 2) / 2);
    const found = pathFigures(Float64Array.of(0.1, -0.5, 0.2), terms);
    expect(found).toEqual({
      totalReturn: expect.closeTo(-0.34, 12),
      cagr: expect.closeTo(0.66 ** 2 - 1, 12),
      volatility: expect.closeTo(deviation * 2, 12),
      sharpe: expect.closeTo(((mean - 0.01) / deviation) * 2, 12),
      sortino: expect.closeTo(((mean - 0.02) / (0.52 * Math.sqrt(third))) * 2, 12),
      maxDrawdown: expect.closeTo(-0.5, 12),
      conditionalValueAtRisk: -0.5,
    });
  });

  it('include a drawdown from the initial equity', () => {
    expect(pathFigures(Float64Array.of(-0.25, 0.1), terms).maxDrawdown).toBe(-0.25);
    expect(pathFigures(Float64Array.of(0.25, 0.1), terms).maxDrawdown).toBe(0);
  });

  it('need two returns, except for returns and drawdown', () => {
    expect(pathFigures(Float64Array.of(-0.5), terms)).toEqual({
      totalReturn: -0.5,
      cagr: -0.75,
      volatility: Number.NaN,
      sharpe: Number.NaN,
      sortino: Number.NaN,
      maxDrawdown: -0.5,
      conditionalValueAtRisk: Number.NaN,
    });
    expect(pathFigures(Float64Array.of(-0.5, 0.5), terms).conditionalValueAtRisk).toBe(-0.5);
  });

  it.each([-1, -1.5])('have no return and no drawdown after a return of %f', (loss) => {
    const found = pathFigures(Float64Array.of(loss, 0.5, 3), terms);
    expect([found.totalReturn, found.cagr, found.maxDrawdown]).toEqual(Array(3).fill(Number.NaN));
    expect(found.conditionalValueAtRisk).toBe(loss);
  });
});

it('the variance of a Sharpe ratio depends on skewness and kurtosis', () => {
  expect(sharpeVariance(2, { skewness: 0.25, kurtosis: 5 })).toBe(1 - 0.5 + 4);
  expect(sharpeVariance(2, { skewness: -0.25, kurtosis: 1 })).toBe(1.5);
});

it('the interval of a Sharpe ratio is undefined if the variance of the ratio is 0', () => {
  const riskFree = 0.25 - Math.sqrt(3) * 0.5;
  expect(sharpeInterval(Float64Array.of(0, 0, 0, 1), 252, riskFree)).toBeUndefined();
  expect(sharpeInterval(Float64Array.of(0, 0, 0, 1), 252, riskFree + 0.01)).toBeDefined();
});
