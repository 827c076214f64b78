import { describe, expect, it } from 'vitest';
import { runRecord } from '../../../../test/support/records.ts';
import type { DecisionOutcome, RunEvent } from '../../../engine/index.ts';
import { decisionLines, decisionStatistics } from './decisions.ts';

const usage = { input: 100, cached: 40, output: 20, reasoning: 5 };
const decision = (bar: number, outcome: DecisionOutcome, rounds: number): RunEvent => ({
  type: 'decision_made',
  bar,
  sample: 1,
  outcome,
  rounds,
  toolCalls: 0,
  text: '',
  usage,
  cost: bar === 0 ? null : '0.5',
});
const call = (bar: number, name: string, result: Record<string, string>): RunEvent => ({
  type: 'tool_called',
  bar,
  sequence: 1,
  name,
  arguments: {},
  result,
});
const record = runRecord({ equity: [1, 1, 1, 1, 1] });
const order = { action: 'buy', symbol: 'AAA', type: 'market' };
const busy = {
  ...record,
  ...runRecord({
    equity: [1, 1, 1, 1, 1],
    events: [
      decision(0, 'answered', 1),
      decision(1, 'answered', 4),
      decision(2, 'answered', 1),
      decision(3, 'rounds_exhausted', 3),
      call(1, 'compute', { result: '1' }),
      call(1, 'compute', { error: 'no' }),
      call(2, 'account_status', {}),
    ],
  }),
  orders: [
    { ...order, bar: 1 },
    { ...order, bar: 1, role: 'stop' },
  ] as unknown as typeof record.orders,
  rejections: [
    { bar: 2, code: 'cash' },
    { bar: 2, code: 'lot' },
    { bar: 4, code: 'lot' },
  ] as unknown as typeof record.rejections,
};

describe('decision statistics', () => {
  it('are counted by tool, rejection, round and reason for holding', () => {
    expect(decisionStatistics(busy)).toEqual({
      orders: 1,
      barsWithOrders: 1,
      barsWithCalls: 2,
      toolErrors: 1,
      tools: { account_status: { calls: 1, errors: 0 }, compute: { calls: 2, errors: 1 } },
      refusals: { lot: 2, cash: 1 },
      decisions: 4,
      meanRounds: 2.25,
      maxRounds: 4,
      holds: { by_choice: 1, orders_refused: 1, rounds_exhausted: 1 },
      // Sandtable itself called no model. The usage and costs are values that the agent reported.
      agentSaid: {
        inputTokens: 400,
        cachedTokens: 160,
        outputTokens: 80,
        cost: '1.5',
        decisionsWithCost: 3,
      },
    });
    expect(Object.keys(decisionStatistics(busy).refusals)).toEqual(['lot', 'cash']);
  });

  it('are lines of the printed summary', () => {
    expect(decisionLines(decisionStatistics(busy))).toEqual([
      [
        'Decisions',
        '1 with orders, 3 held (1 by its own choice, 1 all its orders were refused, 1 no rounds left); 2.25 rounds on average, 4 at most',
      ],
      ['Agent said', '400 tokens in, 80 out, $1.50 for 3 of 4 decisions'],
    ]);
  });

  it('count vetoed decisions as hold, because their orders were cancelled', () => {
    const events = [decision(1, 'vetoed', 2), decision(3, 'answered', 1)];
    const vetoed = { ...busy, ...runRecord({ equity: [1, 1, 1, 1, 1], events }), orders: busy.orders };
    expect(decisionStatistics(vetoed).holds).toEqual({ vetoed: 1, by_choice: 1 });
  });

  it('have no rounds, and no line, without a model', () => {
    const found = decisionStatistics(record);
    expect(found).toMatchObject({ decisions: 0, meanRounds: null, maxRounds: null, holds: {} });
    expect(decisionLines(found)).toEqual([]);
  });
});
