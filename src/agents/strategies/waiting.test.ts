import { expect, it } from 'vitest';
import { z } from 'zod';
import { fakeSandbox } from '../../../test/support/toolkit-world.ts';
import { runBacktest } from '../../engine/index.ts';
import { simulateMarket } from '../../market/index.ts';
import type { Sandbox } from '../../sandbox/index.ts';
import { createToolkit } from '../../toolkit/index.ts';
import { ruleDecider } from './rules.ts';
import { defineStrategy } from './strategy.ts';

const strategy = defineStrategy({
  name: 'slow-start',
  summary: 'Asks Python once a bar.',
  parameters: z.object({}),
  tools: ['compute'],
  onBar: async (_, { compute }) => {
    await compute('1');
    await new Promise((resolve) => setTimeout(resolve, 60));
  },
});

it.each([
  ['counts against the decision', () => 0, 'failed'],
  ['does not count while Python is waited for', () => performance.now(), 'completed'],
])('the time of a tool call %s', async (_, waitedMs, outcome) => {
  const sandbox = Object.defineProperty({ ...fakeSandbox().sandbox }, 'waitedMs', { get: waitedMs });
  const toolkit = createToolkit({ sandbox: sandbox as Sandbox, tools: ['compute'] });
  const decider = ruleDecider(strategy, {}, toolkit);
  const market = simulateMarket({ seed: 1, bars: 3 });
  const result = await runBacktest({ market, decider, settings: { decisionTimeout: 0.02 } });
  expect(result.outcome).toBe(outcome);
});
