import fc from 'fast-check';
import { expect, it } from 'vitest';
import { shapeOf } from '../overfit/sharpe-tests.ts';
import { lowerMean, quantileOf, TAIL } from '../series/ratios.ts';
import { distributionFigures, tailsOf } from './distribution-figures.ts';

it('finds the tails of the sorted values to the last bit, with ties', () => {
  const value = fc.oneof(
    fc.constantFrom(-0.01, 0, 0.01),
    fc.double({ min: -1, max: 1, noNaN: true }).map((one) => one + 0),
    fc.constant(Number.NaN),
  );
  fc.assert(
    fc.property(fc.array(value, { minLength: 1, maxLength: 200 }), (values) => {
      const given = Float64Array.from(values);
      const sorted = given.slice().sort();
      expect(tailsOf(given)).toEqual({
        low: quantileOf(sorted, TAIL),
        lowerMean: lowerMean(sorted),
        high: quantileOf(sorted, 1 - TAIL),
      });
      expect([...given]).toEqual(values);
    }),
  );
});

const figuresOf = (returns: readonly number[], acceptable = 0) =>
  distributionFigures(
    Float64Array.from(returns),
    returns.map((_, at) => `day ${at}`),
    acceptable,
    'MAR',
    returns.length < 2 ? undefined : shapeOf(Float64Array.from(returns)),
  );

it('computes the figures of five returns as by hand', () => {
  const returns = [0.02, -0.01, 0.03, -0.04, 0.01];
  const figures = figuresOf(returns, 0.01);
  // Sorted, the returns are −4, −1, 1, 2 and 3 %. The 5 % quantile is at index 0.2 of this list, the 95 %
  // quantile at index 3.8.
  expect(figures.valueAtRisk.value).toBeCloseTo(-0.034, 12);
  expect(figures.conditionalValueAtRisk.value).toBeCloseTo(-0.04, 12);
  expect(figures.tailRatio.value).toBeCloseTo(0.028 / 0.034, 12);
  expect(figures.omega.value).toBeCloseTo(3 / 7, 12);
  const apart = returns.map((value) => value - 0.002);
  const moment = (power: number) => apart.reduce((sum, value) => sum + value ** power, 0) / 5;
  expect(figures.skewness.value).toBeCloseTo(((moment(3) / moment(2) ** 1.5) * Math.sqrt(20)) / 3, 10);
  expect(figures.kurtosis.value).toBeCloseTo(moment(4) / moment(2) ** 2, 10);
  expect(figures).toMatchObject({
    ...{ bestDay: { value: 0.03 }, worstDay: { value: -0.04 } },
    ...{ bestDayDate: 'day 2', worstDayDate: 'day 3' },
  });
  const ties = figuresOf([0, 0.01, -0.01, 0.01, -0.01]);
  expect([ties.bestDayDate, ties.worstDayDate]).toEqual(['day 1', 'day 2']);
});

it.each<[string, readonly number[], Partial<Record<keyof ReturnType<typeof figuresOf>, string | number>>]>([
  ['no return', [], { valueAtRisk: 'fewer than two session returns', bestDay: 'there is no session return' }],
  [
    'one return',
    [0.01],
    { omega: 'fewer than two session returns', kurtosis: 'fewer than two session returns', bestDay: 0.01 },
  ],
  [
    'two returns',
    [0.01, -0.01],
    { skewness: 'fewer than three session returns', kurtosis: 1, omega: 1, tailRatio: 1 },
  ],
  [
    'equal returns',
    [-0.1, -0.1, -0.1],
    {
      skewness: 'session returns do not vary',
      kurtosis: 'session returns do not vary',
      omega: 0,
      tailRatio: 1,
    },
  ],
  [
    'returns that only rounding changes',
    [0.1, 0.1 + 1e-16, 0.1],
    { kurtosis: 'session returns do not vary' },
  ],
  ['no loss', [0, 0.01, 0.02], { omega: 'no session return is below the minimum acceptable' }],
  [
    'idle sessions',
    Array.from({ length: 41 }, (_, at) => (at === 3 ? 1 : 0)),
    { tailRatio: 'the 5% quantile of session returns is 0' },
  ],
])('reports why figures are undefined: %s', (_, returns, expected) => {
  const figures = figuresOf(returns);
  for (const [name, result] of Object.entries(expected)) {
    const { value, reason } = figures[name as 'omega'];
    if (typeof result === 'string') expect([value, reason], name).toEqual([null, result]);
    else expect(value, name).toBeCloseTo(result, 12);
  }
  if (returns.length === 0) expect([figures.bestDayDate, figures.worstDayDate]).toEqual([null, null]);
});

it('passes on the reason why there are no returns', () => {
  const figures = distributionFigures({ reason: 'equity was 0' }, [], 0, 'MAR', undefined);
  for (const { reason } of [figures.valueAtRisk, figures.omega, figures.skewness, figures.worstDay])
    expect(reason).toBe('equity was 0');
});
