import { describe, expect, it } from 'vitest';
import type { RunRecord } from '../../../journal/index.ts';
import { modelUsage } from './model-usage.ts';

const model = (changes: object = {}) => ({
  model: 'm',
  provider: 'p',
  api: 'chat',
  price: { table: 'T' },
  ...changes,
});
const exchange = (changes: object = {}) => ({
  ...{ bar: 3, cost: '0.1', usage: { input: 100, cached: 10, output: 20, reasoning: 5 } },
  ...changes,
});
const usage = (changes: object, replayed = 0) =>
  modelUsage(
    { models: [model()], exchanges: [], decisions: [], speeches: [], ...changes } as unknown as RunRecord,
    replayed,
  );
const share = (requests: number, cost: string | null) => ({
  ...{ requests, inputTokens: 100 * requests, cachedTokens: 10 * requests },
  ...{ outputTokens: 20 * requests, reasoningTokens: 5 * requests, cost },
});

describe('the usage of a model', () => {
  it('is absent without a model', () => {
    expect(usage({ models: [] })).toBeNull();
  });

  it('adds up requests, tokens and costs, and separates replayed requests', () => {
    const decisions = ['answered', 'held', 'answered'].map((outcome) => ({ outcome }));
    expect(usage({ exchanges: [exchange(), exchange(), exchange({ cost: '0.2' })], decisions }, 1)).toEqual({
      ...{
        model: 'm',
        provider: 'p',
        api: 'chat',
        prices: 'T',
        decisions: 3,
        outcomes: { answered: 2, held: 1 },
      },
      failedRequests: 0,
      ...share(3, '0.4'),
      incurred: share(2, '0.3'),
      replayed: share(1, '0.1'),
    });
  });

  it('has a known cost if a failed request has a known price', () => {
    const failed = exchange({ cost: null, failure: 'timeout', usage: undefined });
    expect(usage({ exchanges: [exchange(), failed] })).toMatchObject({
      cost: '0.1',
      failedRequests: 1,
      inputTokens: 100,
    });
    expect(usage({ exchanges: [exchange(), exchange({ cost: null })] })).toMatchObject({ cost: null });
    const unpriced = { models: [model({ price: null })] };
    expect(usage({ ...unpriced, exchanges: [failed] })).toMatchObject({ cost: null, prices: null });
    for (const price of [undefined, 'T', { input: 1 }])
      expect(usage({ models: [model({ price })] })?.prices).toBeNull();
  });

  it('counts estimated requests', () => {
    const estimated = exchange({ usage: { input: 1, cached: 0, output: 1, reasoning: 0, estimated: true } });
    expect(usage({ exchanges: [estimated, exchange(), estimated] })?.estimatedRequests).toBe(2);
  });
});

describe('the usage of several roles', () => {
  const models = [
    model({ role: 'analyst' }),
    model({ role: 'trader', model: 'n', provider: 'q', price: { table: 'U' } }),
    model({ role: 'critic' }),
  ];

  it('is listed by role', () => {
    const exchanges = [
      exchange({ role: 'analyst' }),
      exchange({ role: 'trader' }),
      exchange({ role: 'analyst' }),
    ];
    const speeches = [
      { role: 'analyst', outcome: 'answered' },
      { role: 'trader', outcome: 'held' },
    ];
    const found = usage({ models, exchanges, speeches })!;
    expect(found).toMatchObject({ model: 'm, n', provider: 'p, q', prices: 'T, U', requests: 3 });
    expect(found.roles).toEqual([
      { role: 'analyst', model: 'm', turns: 1, outcomes: { answered: 1 }, ...share(2, '0.2') },
      { role: 'trader', model: 'n', turns: 1, outcomes: { held: 1 }, ...share(1, '0.1') },
      { role: 'critic', model: 'm', turns: 0, outcomes: {}, ...share(0, '0') },
    ]);
    expect(usage({ models: [...models, model({ role: 'x', price: null })] })?.prices).toBeNull();
  });

  it('lists models of the server that changed, not models of different roles', () => {
    const served = (role: string, bar: number, ...[name, fingerprint]: (string | undefined)[]) =>
      exchange({ role, bar, served: { model: name, ...(fingerprint && { fingerprint }) } });
    const steady = [
      served('analyst', 1, 'a'),
      served('trader', 2, 'b'),
      served('critic', 3, 'a'),
      exchange(),
    ];
    expect(usage({ models, exchanges: steady })).not.toHaveProperty('servedBy');
    const changed = [...steady, served('critic', 5, 'a', 'f'), served('analyst', 6, 'a', 'f')];
    expect(usage({ models, exchanges: changed })?.servedBy).toEqual([
      { model: 'a', fingerprint: '', firstBar: 1, requests: 2 },
      { model: 'a', fingerprint: 'f', firstBar: 5, requests: 2 },
    ]);
  });
});
