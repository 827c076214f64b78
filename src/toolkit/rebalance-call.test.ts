import { describe, expect, it } from 'vitest';
import { worldAt } from '../../test/support/toolkit-world.ts';
import type { Json } from '../engine/index.ts';
import { offeredTools } from './registry.ts';
import { createToolkit } from './toolkit.ts';

const { world } = worldAt(30);
const [symbol = '', other = ''] = world.turn.symbols;
const toolkit = createToolkit({ tools: ['portfolio_rebalance'] });
const call = (given: Json) =>
  toolkit.call('portfolio_rebalance', given, world.turn) as Promise<Record<string, Json>>;

describe('a call of portfolio_rebalance', () => {
  it('is answered with an example of existing symbols if it is malformed', async () => {
    for (const given of [{ weights: 'all' }, '{"weights": ']) {
      const { error, example } = await call(given);
      expect(error).toContain('arguments');
      expect(example).toEqual({ weights: { [symbol]: 45, [other]: 45 }, cash: 5 });
    }
  });

  it('warns that it closes everything if no weight is given', async () => {
    expect((await call({ weights: {} })).warning).toContain('every position is closed');
    expect(await call({ weights: {}, others: 'keep' })).not.toHaveProperty('warning');
    expect(await call({ weights: { [symbol]: 0 } })).not.toHaveProperty('warning');
  });

  it('warns that weights are percentages if their sum is at most one percent', async () => {
    expect((await call({ weights: { [symbol]: 0.6, [other]: -0.4 } })).warning).toContain('45 is 45 %');
    expect(await call({ weights: { [symbol]: 0.6, [other]: 0.5 } })).not.toHaveProperty('warning');
  });

  it('is offered to clients if several symbols are traded', () => {
    const given = { documents: false, fundamentals: false, universe: false };
    expect(offeredTools(given, 2)).toContain('portfolio_rebalance');
    expect(offeredTools(given, 1)).not.toContain('portfolio_rebalance');
  });
});
