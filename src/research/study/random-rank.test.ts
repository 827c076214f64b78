import fc from 'fast-check';
import { expect, it } from 'vitest';
import { rankAmongRandom } from './study-random.ts';

it('ranks an arm among its random agents', () => {
  const returns = [0.01, 0.02, 0.03, 0.04];
  expect(rankAmongRandom(0.035, { returns, repeated: 0.036 })).toEqual({ percentile: 0.75, p: 0.4 });
  expect(rankAmongRandom(0.05, { returns, repeated: 0.05 })).toEqual({ percentile: 1, p: 0.2 });
  expect(rankAmongRandom(0.02, { returns, repeated: 0.02 })).toEqual({ percentile: 0.375, p: 0.8 });
});

it('counts returns that differ by 1e-12 or less as equal', () => {
  const rank = (value: number) => rankAmongRandom(0, { returns: [value], repeated: 0 });
  expect([1e-12, 0, -1e-12].map(rank)).toEqual(Array(3).fill({ percentile: 0.5, p: 1 }));
  expect([2e-12, -2e-12].map(rank)).toEqual([
    { percentile: 0, p: 1 },
    { percentile: 1, p: 0.5 },
  ]);
});

it('has a p-value of 1 if no time was drawn and only prices and sizes of orders differ', () => {
  const returns = Array.from({ length: 50 }, () => 0.008);
  expect(rankAmongRandom(0.0084, { returns, repeated: 0.008 })).toEqual({ percentile: 0.5, p: 1 });
});

it('has uniform p-values if the arm is one of its random agents', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.integer({ min: -1000, max: 1000 }), { minLength: 3, maxLength: 40 }),
      (all) => {
        const ps = all.map(
          (score, at) => rankAmongRandom(score, { returns: all.toSpliced(at, 1), repeated: score }).p,
        );
        const expected = all.map((score) => all.filter((other) => other >= score).length / all.length);
        for (const [at, p] of ps.entries()) expect(p).toBeCloseTo(expected[at]!, 12);
      },
    ),
  );
});

it('never falls if the return of the arm, or of its repeated trades, is lower', () => {
  const returns = fc.array(fc.integer({ min: -50, max: 50 }), { minLength: 1, maxLength: 30 });
  const score = fc.integer({ min: -60, max: 60 });
  fc.assert(
    fc.property(returns, score, score, fc.nat(40), (draws, own, repeated, lower) => {
      const { p } = rankAmongRandom(own, { returns: draws, repeated });
      expect(p).toBeGreaterThan(0);
      expect(p).toBeLessThanOrEqual(1);
      expect(rankAmongRandom(own - lower, { returns: draws, repeated }).p).toBeGreaterThanOrEqual(p);
      expect(rankAmongRandom(own, { returns: draws, repeated: repeated - lower }).p).toBeGreaterThanOrEqual(
        p,
      );
    }),
  );
});
