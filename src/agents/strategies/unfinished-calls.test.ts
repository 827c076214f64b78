import { expect, it } from 'vitest';
import { z } from 'zod';
import { fakeSandbox } from '../../../test/support/toolkit-world.ts';
import { type BacktestResult, type RunEvent, runBacktest } from '../../engine/index.ts';
import { simulateMarket } from '../../market/index.ts';
import { createToolkit } from '../../toolkit/index.ts';
import { ruleDecider } from './rules.ts';
import { defineStrategy, type Strategy } from './strategy.ts';

async function resultOf(
  onBar: Strategy['onBar'],
): Promise<{ readonly result: BacktestResult; readonly events: readonly RunEvent[] }> {
  const strategy = defineStrategy({ name: 'calls', summary: 'Calls tools.', tools: ['compute'], onBar });
  const toolkit = createToolkit({
    sandbox: fakeSandbox().sandbox,
    tools: ['compute', 'account_status', 'trade_execute'],
  });
  const events: RunEvent[] = [];
  const result = await runBacktest({
    market: simulateMarket({ seed: 1, bars: 3 }),
    decider: ruleDecider(strategy, {}, toolkit),
    onEvent: (event) => events.push(event),
  });
  return { result, events };
}

it.each<[string, Strategy['onBar']]>([
  ['in a plain onBar', (_, { compute }) => void compute('1')],
  ['in an async onBar', async (_, { compute }) => void compute('1')],
  [
    'after one with await',
    async (_, { compute }) => {
      await compute('1');
      compute('2');
    },
  ],
])('a compute call without await %s fails the run, and the error suggests await', async (_, onBar) => {
  const { result, events } = await resultOf(onBar);
  expect(result.outcome).toBe('failed');
  expect(result.error).toMatchObject({
    code: 'call_not_awaited',
    message: 'The decision at bar 0 ended before its call of compute: its result was not used.',
    hint: expect.stringContaining('Write await before the call'),
  });
  // The call ends before the run does. The journal is therefore the same on fast and slow machines.
  expect(events.slice(-2).map(({ type }) => type)).toEqual(['tool_called', 'run_finished']);
});

it.each<[string, Strategy['onBar']]>([
  [
    'before one with await',
    async (_, { compute }) => {
      compute('1');
      await compute('2');
    },
  ],
  [
    'of computeOrThrow',
    async (_, { compute, computeOrThrow }) => {
      computeOrThrow('1', z.unknown());
      await compute('2');
    },
  ],
  [
    'of any call that reads',
    async (_, { call, compute }) => {
      call('compute', { code: '1' });
      await compute('2');
    },
  ],
])('a finished compute call without await %s fails the run and names await', async (_, onBar) => {
  const { result, events } = await resultOf(onBar);
  expect(result.outcome).toBe('failed');
  expect(result.error).toMatchObject({
    code: 'call_not_awaited',
    message: 'The decision at bar 0 did not await its call of compute: its result was not used.',
    hint: expect.stringContaining('Write await before the call'),
  });
  expect(events.slice(-3).map(({ type }) => type)).toEqual(['tool_called', 'tool_called', 'run_finished']);
});

it('a call without await of a tool that answers immediately fails the run', async () => {
  const { result } = await resultOf((_, { call }) => void call('account_status'));
  expect(result.error).toMatchObject({
    code: 'call_not_awaited',
    message: 'The decision at bar 0 did not await its call of account_status: its result was not used.',
    hint: expect.stringContaining("await context.call('account_status', …)"),
  });
});

it('counts several calls without await', async () => {
  const { result } = await resultOf((_, { compute }) => void [compute('1'), compute('2'), compute('3')]);
  expect(String(result.error)).toContain('its call of compute and 2 more');
});

it.each<[string, Strategy['onBar']]>([
  ['waited for', async (_, { compute }) => void (await compute('1'))],
  ['waited for together', async (_, { compute }) => void (await Promise.all([compute('1'), compute('2')]))],
  ['of a tool that answers at once and writes', (_, { call }) => void call('trade_execute')],
  ['passed on with then', (_, { compute }) => compute('1').then(() => undefined)],
  [
    'waited for after another one',
    async (_, { compute }) => {
      const first = compute('1');
      await compute('2');
      await first;
    },
  ],
])('calls %s are not reported', async (_, onBar) => {
  const { result } = await resultOf(onBar);
  expect([result.outcome, result.error]).toEqual(['completed', undefined]);
});
