import { describe, expect, it } from 'vitest';
import { runRecord } from '../../../../test/support/records.ts';
import type { DecisionOutcome, RunEvent } from '../../../engine/index.ts';
import { decisionLines, decisionStatistics, holdName } from './decisions.ts';

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

describe('the usage that an agent reports', () => {
  const reported = (cost: string | null, tokens: Partial<typeof usage>, count = 1) => {
    const events = Array.from(
      { length: count },
      (_, bar): RunEvent => ({
        ...(decision(bar, 'answered', 1) as Extract<RunEvent, { type: 'decision_made' }>),
        usage: { input: 0, cached: 0, output: 0, reasoning: 0, ...tokens },
        cost,
      }),
    );
    return { ...runRecord({ equity: [1, 1, 1, 1, 1], events }) };
  };
  const agentLine = (run: typeof record) => decisionLines(decisionStatistics(run))[1];

  it('may contain only a cost or only tokens', () => {
    expect(decisionStatistics(reported('0.25', {}, 2)).agentSaid).toEqual({
      inputTokens: 0,
      cachedTokens: 0,
      outputTokens: 0,
      cost: '0.5',
      decisionsWithCost: 2,
    });
    expect(agentLine(reported('0.25', {}, 2))).toEqual(['Agent said', '0 tokens in, 0 out, $0.500000']);
    expect(decisionStatistics(reported(null, { input: 1200 })).agentSaid).toMatchObject({ cost: '0' });
    expect(agentLine(reported(null, { input: 1200 }))).toEqual([
      'Agent said',
      '1,200 tokens in, 0 out, nothing of its cost',
    ]);
    expect(agentLine(reported(null, { output: 5 }))?.[1]).toContain('0 tokens in, 5 out');
  });

  it('is absent without cost and tokens, and if Sandtable called the model', () => {
    const silent = reported(null, { cached: 4 });
    expect(decisionStatistics(silent)).not.toHaveProperty('agentSaid');
    expect(decisionLines(decisionStatistics(silent))).toHaveLength(1);
    const models = [{}] as unknown as typeof record.models;
    expect(decisionStatistics({ ...reported('1', { input: 3 }), models })).not.toHaveProperty('agentSaid');
  });
});

describe('counts of decisions', () => {
  it('list tools by name, and reasons by frequency and name', () => {
    const events = ['run', 'account', 'bars', 'account'].map((name) => call(1, name, {}));
    const rejections = ['lot', 'cash', 'margin', 'lot'].map((code) => ({ bar: 1, code }));
    const run = { ...runRecord({ equity: [1, 1], events }), rejections: rejections as never };
    const { tools, refusals } = decisionStatistics(run);
    expect(Object.keys(tools)).toEqual(['account', 'bars', 'run']);
    expect(Object.keys(refusals)).toEqual(['lot', 'cash', 'margin']);
  });

  it('count only results with an error as failed', () => {
    const results = [null, 'error', 1, { error: null }, { value: 1 }] as const;
    const events = results.map(
      (result): RunEvent => ({ type: 'tool_called', bar: 0, sequence: 1, name: 'a', arguments: {}, result }),
    );
    expect(decisionStatistics(runRecord({ equity: [1, 1], events }))).toMatchObject({
      toolErrors: 1,
      barsWithCalls: 1,
      tools: { a: { calls: 5, errors: 1 } },
    });
  });

  it('have a line without reasons if every decision has an order', () => {
    const events = [decision(1, 'answered', 2), decision(2, 'answered', 5)];
    const orders = [1, 2, 2].map((bar) => ({ ...order, bar })) as unknown as typeof record.orders;
    const run = { ...runRecord({ equity: [1, 1, 1], events }), orders };
    expect(decisionStatistics(run)).toMatchObject({ orders: 3, barsWithOrders: 2, holds: {} });
    expect(decisionLines(decisionStatistics(run))[0]).toEqual([
      'Decisions',
      '2 with orders, 0 held; 3.50 rounds on average, 5 at most',
    ]);
  });

  it('have a display name for each reason to hold', () => {
    expect(holdName('vetoed')).toBe('vetoed by another role');
    expect(holdName('agent_failed_twice')).toBe('agent failed twice');
  });
});
