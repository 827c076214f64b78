import { expect, it } from 'vitest';
import { runRecord } from '../../../../test/support/records.ts';
import type { RunEvent } from '../../../engine/index.ts';
import { type RunTableName, runTable } from './run-tables.ts';

const order = (bar: number, orderId: number, role?: 'stop_loss'): RunEvent =>
  ({
    type: 'order_accepted',
    bar,
    orderId,
    symbol: 'AAA',
    action: 'buy',
    orderType: 'market',
    ...(role === undefined ? {} : { role, parentId: 1 }),
  }) as RunEvent;

const decision = (bar: number, cost: string | null, rounds: number): RunEvent => ({
  type: 'decision_made',
  bar,
  sample: 1,
  outcome: 'answered',
  rounds,
  toolCalls: 0,
  text: `text ${rounds}`,
  usage: { input: 100, cached: 40, output: 20, reasoning: 5 },
  cost,
});

const call = (bar: number): RunEvent => ({
  type: 'tool_called',
  bar,
  sequence: 1,
  name: 'get',
  arguments: {},
  result: {},
});

const record = runRecord({
  equity: [100, 90, 95],
  fills: [
    { bar: 1, orderId: 1, quantity: '1', price: '10' },
    { bar: 1, orderId: 2, quantity: '1', price: '10' },
  ],
  events: [
    order(0, 1),
    order(0, 2),
    order(0, 3, 'stop_loss'),
    call(2),
    decision(0, '0.5', 1),
    decision(0, '0.25', 2),
    decision(2, null, 4),
    {
      type: 'features_known',
      bar: 1,
      rows: [
        {
          symbol: null,
          date: '2024-01-01',
          availableAt: '2024-01-02',
          values: { size: 2, word: 'x', on: false },
        },
      ],
    } as unknown as RunEvent,
  ],
});

function rowsOf(name: RunTableName): Record<string, unknown>[] {
  const { columns, rows } = runTable(record, name);
  return rows.map((row) => Object.fromEntries(row.map((cell, at) => [columns[at]![0], cell])));
}

it('counts orders, fills and tool calls of each bar, without the exits of an order', () => {
  expect(
    rowsOf('decisions').map(({ orders, refusals, fills, toolCalls }) => [orders, refusals, fills, toolCalls]),
  ).toEqual([
    [2, 0, 0, 0],
    [0, 0, 2, 0],
    [0, 0, 0, 1],
  ]);
});

it('sums the model usage of a bar, and has no cost if one is unknown', () => {
  const [first, second, third] = rowsOf('decisions');
  expect(first).toMatchObject({
    outcome: 'answered',
    rounds: 3,
    inputTokens: 200,
    cachedTokens: 80,
    outputTokens: 40,
    reasoningTokens: 10,
    cost: '0.75',
    text: 'text 2',
  });
  expect(second).toMatchObject({ outcome: null, rounds: null, cost: null });
  expect(third).toMatchObject({ rounds: 4, inputTokens: 100, cost: null });
});

it('stores each feature in the column of its type', () => {
  expect(rowsOf('features')).toMatchObject([
    { bar: 1, feature: 'size', number: 2, text: null, boolean: null },
    { bar: 1, feature: 'word', number: null, text: 'x', boolean: null },
    { bar: 1, feature: 'on', number: null, text: null, boolean: false },
  ]);
});

it('has the drawdown of each bar, and the figures of the run', () => {
  expect(rowsOf('equity').map(({ drawdown }) => Number(drawdown).toFixed(4))).toEqual([
    '0.0000',
    '-0.1000',
    '-0.0500',
  ]);
  const figures = new Map(rowsOf('metrics').map((row) => [row.figure, row]));
  expect(figures.get('maxDrawdown')).toMatchObject({ value: expect.closeTo(-0.1, 12), amount: null });
  expect(figures.get('commission')).toMatchObject({ value: expect.any(Number), amount: expect.any(String) });
  expect(figures.get('winRate')).toMatchObject({ value: null, amount: null, reason: 'no trade was closed' });
});
