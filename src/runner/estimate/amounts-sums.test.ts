import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { estimateDecisions, recordedUsages, sumOf, usageOf } from './amounts.ts';

const root = mkdtempSync(join(tmpdir(), 'sandtable-amounts-'));
afterAll(() => rmSync(root, { recursive: true }));

it('an estimate has a range for requests, tokens and dollars', () => {
  const observed = [
    { requests: 1, tokens: 100, usd: 0.5 },
    { requests: 3, tokens: 300, usd: 1.5 },
    { requests: 2, tokens: 200, usd: 1 },
  ];
  // The variance of requests is 1. For ten decisions, the range is ± 1.96 × sqrt(10 + 100 / 3).
  const reach = 1.96 * Math.sqrt(10 + 100 / 3);
  const found = estimateDecisions(10, observed, 'recorded runs');
  expect(found).toMatchObject({ decisions: 10, basis: 'recorded runs', observed: 3 });
  for (const [amount, unit] of [
    [found.requests, 1],
    [found.tokens!, 100],
    [found.usd!, 0.5],
  ] as const) {
    expect(amount.expected).toBeCloseTo(20 * unit, 9);
    expect(amount.low).toBeCloseTo((20 - reach) * unit, 9);
    expect(amount.high).toBeCloseTo((20 + reach) * unit, 9);
  }
});

it('the lower bound of an estimate is at least 0, and an estimate of nothing is 0', () => {
  const wide = [1, 1_000].map((tokens) => ({ requests: 1, tokens, usd: null }));
  expect(estimateDecisions(1, wide, 'recorded runs').tokens!.low).toBe(0);
  expect(estimateDecisions(0, [], 'one decision')).toEqual({
    ...{ decisions: 0, requests: { expected: 0, low: 0, high: 0 }, tokens: null, usd: null },
    ...{ basis: 'one decision', observed: 0 },
  });
});

it('a sum of estimates adds all amounts', () => {
  const amount = (expected: number) => ({ expected, low: expected / 2, high: expected * 3 });
  const one = {
    ...{ decisions: 2, requests: amount(4), tokens: amount(10), usd: amount(1) },
    ...{ basis: 'recorded runs' as const, observed: 5 },
  };
  const other = { ...one, decisions: 3, requests: amount(6), tokens: null, usd: amount(2), observed: 7 };
  expect(sumOf([one, one])).toEqual({
    ...{
      decisions: 4,
      requests: amount(8),
      tokens: amount(20),
      usd: amount(2),
      basis: 'recorded runs',
      observed: 10,
    },
  });
  expect(sumOf([one, other])).toEqual({
    ...{
      decisions: 5,
      requests: amount(10),
      tokens: null,
      usd: amount(3),
      basis: 'recorded runs',
      observed: 12,
    },
  });
  expect(sumOf([other, one]).tokens).toBeNull();
  const none = { expected: 0, low: 0, high: 0 };
  expect(sumOf([])).toEqual({
    ...{ decisions: 0, requests: none, tokens: none, usd: none, basis: 'one decision', observed: 0 },
  });
});

it('the usage of a decision adds input and output, and is unknown without tokens', () => {
  const usage = { input: 3, output: 4 };
  expect(usageOf({ usage, cost: '0.25' }, 2)).toEqual({ requests: 2, tokens: 7, usd: 0.25 });
  expect(usageOf({ usage: { input: 0, output: 0 }, cost: null }, 1)).toEqual({
    requests: 1,
    tokens: null,
    usd: null,
  });
});

it('paths without runs cannot be used for an estimate', () => {
  mkdirSync(join(root, 'empty'));
  writeFileSync(join(root, 'file.txt'), '');
  for (const path of ['empty', 'file.txt', 'missing'])
    expect(() => recordedUsages([join(root, path)])).toThrow(
      expect.objectContaining({ code: 'bad_estimate' }),
    );
});
