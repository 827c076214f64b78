import { expect, it } from 'vitest';
import { modelUsageSchema } from './model-usage.ts';

const share = {
  ...{ requests: 3, inputTokens: 300, cachedTokens: 30, outputTokens: 60, reasoningTokens: 15, cost: '0.4' },
};
const usage = {
  ...{ model: 'm', provider: 'p', api: 'chat', prices: null, decisions: 3, outcomes: { held: 1 } },
  ...{ failedRequests: 0, ...share, incurred: share, replayed: share },
};
const accepts = (changes: object) => modelUsageSchema.safeParse({ ...usage, ...changes }).success;

it('a stored usage has counts from 0 on, without an upper limit', () => {
  for (const count of [0, 1, 2, 1_000_000]) {
    expect(accepts({ decisions: count, failedRequests: count, outcomes: { answered: count } })).toBe(true);
    expect(accepts({ incurred: { ...share, requests: count } })).toBe(true);
  }
  for (const count of [-1, 0.5, '1', null]) {
    expect(accepts({ decisions: count })).toBe(false);
    expect(accepts({ replayed: { ...share, outputTokens: count } })).toBe(false);
  }
  expect(modelUsageSchema.safeParse(null).success).toBe(true);
});

it('a stored usage has costs as exact amounts, or null', () => {
  expect(accepts({ cost: null })).toBe(true);
  for (const cost of ['-1', '1e3', 1, undefined]) expect(accepts({ cost })).toBe(false);
  expect(accepts({ unknown: 1 })).toBe(false);
});
