import { expect, it } from 'vitest';
import { rankAmongRandom } from './random-rank.ts';

it('ranks an arm among its random agents', () => {
  const returns = [0.01, 0.02, 0.03, 0.04];
  expect(rankAmongRandom(0.035, { returns, repeated: 0.036 })).toEqual({ percentile: 0.75, p: 0.4 });
  expect(rankAmongRandom(0.05, { returns, repeated: 0.05 })).toEqual({ percentile: 1, p: 0.2 });
  expect(rankAmongRandom(0.02, { returns, repeated: 0.02 })).toEqual({ percentile: 0.375, p: 0.8 });
});

it('has a p of 1 if no time was drawn and only prices and sizes of orders differ', () => {
  const returns = Array.from({ length: 50 }, () => 0.008);
  expect(rankAmongRandom(0.0084, { returns, repeated: 0.008 })).toEqual({ percentile: 0.5, p: 1 });
});
