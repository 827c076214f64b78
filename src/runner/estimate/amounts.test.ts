import { describe, expect, it } from 'vitest';
import { estimateDecisions, recordedUsages, sumOf } from './amounts.ts';

const usage = (tokens: number, usd: number | null = tokens / 1_000_000) => ({ requests: 2, tokens, usd });

describe('an estimate of costs', () => {
  it('is half to three times the amount if one decision is known', () => {
    const { requests, tokens } = estimateDecisions(10, [usage(500)], 'one decision');
    expect(requests).toEqual({ expected: 20, low: 10, high: 60 });
    expect(tokens).toEqual({ expected: 5_000, low: 2_500, high: 15_000 });
  });

  it('is a prediction interval of recorded decisions', () => {
    const { tokens, requests } = estimateDecisions(100, [usage(400), usage(600)], 'recorded runs');
    // The observed decisions have a mean of 500 tokens and a variance of 20,000. The prediction interval of
    // the sum of 100 decisions is ± 1.96 × sqrt(20,000 × (100 + 100² / 2)).
    expect(tokens?.expected).toBe(50_000);
    expect(tokens?.high).toBeCloseTo(50_000 + 1.96 * Math.sqrt(20_000 * 5_100), 6);
    expect(requests).toEqual({ expected: 200, low: 200, high: 200 });
  });

  it('is unknown if one decision is unknown', () => {
    expect(estimateDecisions(5, [usage(10), usage(10, null)], 'recorded runs').usd).toBe(null);
    const known = estimateDecisions(5, [usage(10)], 'one decision');
    const unknown = estimateDecisions(5, [usage(10, null)], 'one decision');
    expect(sumOf([known, unknown])).toMatchObject({ decisions: 10, usd: null, tokens: { expected: 100 } });
  });

  it('requires runs with decisions', () => {
    expect(() => recordedUsages(['reports/example-sma-cross'])).toThrow('No decision of a model or an agent');
  });
});
