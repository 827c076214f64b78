import { describe, expect, it } from 'vitest';
import type { Json } from '../../../engine/index.ts';
import type { RunRecord } from '../../../journal/index.ts';
import { failedCalls, failedDecisions, orderAlarms, unreachableExits } from './order-alarms.ts';

const bars = [0, 1, 2].map((bar) => ({ bar, date: `2024-01-0${bar + 1}` }));

function record(changes: object, kind = 'rules'): RunRecord {
  const empty = { orders: [], rejections: [], fills: [], trades: [], toolCalls: [], decisions: [] };
  const started = { strategy: { kind } };
  return { started, outcome: 'completed', bars, ...empty, ...changes } as unknown as RunRecord;
}

const call = (bar: number, result: Json, name = 'compute') => ({ bar, name, result });
const failed = (bar: number, error: Json = 'boom', remediation?: string) =>
  call(bar, { error, ...(remediation !== undefined && { remediation }) });
const fine = call(0, { result: 1 });

describe('failed calls', () => {
  const problems = (toolCalls: readonly object[], kind?: string) =>
    failedCalls(record({ toolCalls }, kind)).map(({ count, problem }) => `${count}: ${problem}`);

  it('of fixed code raise an alarm from the first, and of a model from half of the calls', () => {
    const some = '1: 1 of 3 calls of compute failed: boom. First on 2024-01-02.';
    expect(problems([fine, fine, failed(1)])).toEqual([some]);
    for (const kind of ['llm', 'agent', 'mcp']) {
      expect(problems([fine, fine, failed(1)], kind)).toEqual([]);
      expect(problems([fine, failed(1)], kind)).toEqual([some.replace('3', '2')]);
    }
    expect(problems([fine, fine])).toEqual([]);
  });

  it('are counted by tool and by error', () => {
    expect(problems([failed(2), failed(1, 'x'), failed(0, 'x!')])).toEqual([
      '3: All 3 calls of compute failed, 1 times: boom. First on 2024-01-03.',
    ]);
    expect(
      problems([failed(9), failed(1, 'x!\nmore'), failed(0, 'x!'), call(0, { error: 1 }, 'other')]),
    ).toEqual([
      '3: All 3 calls of compute failed, 2 times: x! First on bar 9.',
      '1: All 1 call of other failed: 1. First on 2024-01-01.',
    ]);
  });

  it('show at most 200 characters of an error', () => {
    expect(problems([failed(0, 'e'.repeat(200))])[0]).toContain(` ${'e'.repeat(200)}. First`);
    expect(problems([failed(0, 'e'.repeat(201))])[0]).toContain(` ${'e'.repeat(200)}… First`);
  });

  it('have the remedy of the most frequent error', () => {
    const nextStep = (...calls: readonly object[]) => failedCalls(record({ toolCalls: calls }))[0]!.nextStep;
    const check = 'Check `answer.error` after each call.';
    expect(nextStep(failed(0))).toBe(`Fix the call. ${check}`);
    expect(nextStep(failed(0, 'a', 'one'), failed(0, 'b', 'use numpy'), failed(0, 'b', 'two'))).toBe(
      `Use numpy. ${check}`,
    );
  });
});

it('failed decisions of an agent are counted with their first date', () => {
  const decision = (bar: number, outcome: string) => ({ bar, outcome });
  const alarms = (decisions: readonly object[]) =>
    failedDecisions(record({ decisions })).map(
      ({ count, problem }) => `${count}: ${problem.split('failed')[0]}`,
    );
  expect(alarms([decision(0, 'answered')])).toEqual([]);
  const some = [decision(0, 'answered'), decision(1, 'agent_failed'), decision(2, 'agent_failed')];
  expect(alarms(some)).toEqual(['2: 2 of 3 decisions ']);
  expect(failedDecisions(record({ decisions: some }))[0]!.problem).toContain('First on 2024-01-02.');
  expect(failedDecisions(record({ decisions: [decision(7, 'agent_failed')] }))[0]!.problem).toMatch(
    /^1 of 1 decision failed.*First on bar 7\.$/,
  );
});

describe('alarms about orders', () => {
  const order = (orderId: number, role?: string) => ({ orderId, ...(role && { role }) });
  const refusal = (orderId: number | null, code = 'buying_power', message = 'm', bar = 1) => ({
    ...{ orderId, code, message, bar, remedy: `remedy of ${code}` },
  });
  const alarms = (changes: object, kind?: string) =>
    orderAlarms(record(changes, kind)).map((alarm) => `${alarm.kind} ${alarm.count}: ${alarm.problem}`);
  const idle = ['no_orders 3: No orders were placed in 3 bars.'];

  it('are raised if no order was placed, by a run that could trade', () => {
    expect(alarms({})).toEqual(idle);
    // A stop loss is not an order that the strategy requested. The run therefore counts as a run without
    // orders.
    expect(alarms({ orders: [order(1, 'stop-loss')], rejections: [refusal(1)] })).toEqual(idle);
    for (const busy of [{ bars: [] }, { fills: [{}] }, { trades: [{}] }, { outcome: 'failed' }])
      expect(alarms(busy)).toEqual([]);
  });

  it('are raised if orders were accepted and none was filled, with the likely reason', () => {
    const orders = [order(1), order(2, 'stop-loss'), order(3)];
    expect(alarms({ orders })).toEqual(['no_fills 2: 2 orders were accepted, and no order was filled.']);
    expect(alarms({ orders: [order(1)] }, 'llm')).toEqual([
      'no_fills 1: 1 order was accepted, and no order was filled.',
    ]);
    for (const busy of [{ fills: [{}] }, { trades: [{}] }, { outcome: 'failed' }])
      expect(alarms({ orders, ...busy })).toEqual([]);
    expect(alarms({ orders, rejections: [refusal(1), refusal(3)] })).toEqual([
      'refusals 2: All 2 orders were refused, most often with buying_power (2 times).',
    ]);
    const nextStep = (volumes: readonly number[], settings: object = {}): string =>
      orderAlarms({
        ...record({ orders, bars: volumes.map((volume) => ({ prices: [null, [9, 9, 9, 9, volume]] })) }),
        started: { strategy: { kind: 'rules' }, settings },
      } as unknown as RunRecord)[0]!.nextStep;
    expect(nextStep([0, 0])).toContain('`--columns volume=none`');
    expect(nextStep([0, 1], { participation: 0.1 })).toContain('`--participation`');
    expect(nextStep([0, 1])).toContain('`npx sandtable trace`');
  });

  it('are raised if more than half of the orders were refused', () => {
    const fills = [{}];
    expect(alarms({ orders: [order(1), order(2)], rejections: [refusal(1)], fills })).toEqual([]);
    expect(alarms({ orders: [order(1)], rejections: [refusal(null)], fills })).toEqual([]);
    expect(
      alarms({ orders: [order(1)], rejections: [refusal(1), refusal(null, 'a'), refusal(null, 'b')] }),
    ).toEqual(['refusals 3: All 3 orders were refused, most often with a (1 time).']);
    expect(alarms({ rejections: [refusal(null)] })).toEqual([
      'refusals 1: 1 of 1 order was refused, most often with buying_power (1 time).',
    ]);
    const most = { orders: [order(9)], rejections: ['b', 'a', 'b'].map((code) => refusal(null, code)) };
    expect(alarms(most)).toEqual(['refusals 3: 3 of 4 orders were refused, most often with b (2 times).']);
    expect(orderAlarms(record(most))[0]!.nextStep).toBe('remedy of b');
    expect(orderAlarms(record({ rejections: [refusal(null)] }))[0]!.nextStep).toContain('`--leverage`');
  });

  it('name invalid values of fixed code', () => {
    const invalid = refusal(null, 'bad_quantity', 'The quantity is NaN.');
    const filled = { orders: [order(1), order(2), order(3)], fills: [{}] };
    const shown = 'had invalid values. First on 2024-01-02: The quantity is NaN.';
    expect(alarms({ ...filled, rejections: [invalid] })).toEqual([
      `invalid_orders 1: 1 of 4 orders ${shown}`,
    ]);
    expect(alarms({ ...filled, rejections: [invalid] }, 'llm')).toEqual([]);
    // One of two rejected orders is invalid. The alarm about rejected orders is raised too, because not more
    // than half of them are invalid.
    expect(alarms({ rejections: [invalid, refusal(null)] })).toEqual([
      `invalid_orders 1: 1 of 2 orders ${shown}`,
      'refusals 2: All 2 orders were refused, most often with bad_quantity (1 time).',
    ]);
    expect(alarms({ rejections: [invalid, invalid, refusal(null)] })).toEqual([
      `invalid_orders 2: 2 of 3 orders ${shown}`,
    ]);
    const nextStep = (message: string) =>
      orderAlarms(record({ ...filled, rejections: [refusal(null, 'bad_price', message, 8)] }))[0]!.nextStep;
    expect(nextStep('The price is a text.')).toContain('Check the calculation');
    expect(nextStep('The price is -1.')).toBe('remedy of bad_price');
  });
});

describe('exits that the market cannot reach', () => {
  const exit = (role: string, price: string, parentId: number | undefined = 1) => ({
    ...{ role, bar: 1, ...(parentId !== undefined && { parentId }) },
    ...(role === 'stop-loss' ? { stopPrice: price } : { limitPrice: price }),
  });
  const fills = [
    { orderId: 1, price: '200' },
    { orderId: 1, price: '1' },
  ];
  const alarms = (...orders: readonly object[]) => unreachableExits(record({ fills, orders }));

  it('are below one percent of the price of the first fill', () => {
    expect(alarms(exit('stop-loss', '2'), exit('take-profit', '2'))).toEqual([]);
    const [alarm] = alarms(exit('take-profit', '300'), exit('stop-loss', '0.05'), exit('take-profit', '1.9'));
    expect(alarm).toMatchObject({
      count: 2,
      problem: expect.stringMatching(
        /^2 of 3 stop losses and take profits .* a stop loss at 0.05 for an entry at 200, on 2024-01-02\.$/,
      ),
      nextStep: expect.stringContaining(
        '`stop_loss={"fraction": 0.05}` in Python, `stopLoss: { fraction: 0.05 }`',
      ),
    });
    // The alarm suggests the price as a fraction only if the price is below 1. For a price of 1, it suggests
    // 5 %.
    const [single] = alarms(exit('take-profit', '1'));
    expect(single!.problem).toMatch(/^1 of 1 stop loss or take profit .* a take profit at 1 /);
    expect(single!.nextStep).toContain('`take_profit={"fraction": 0.05}`');
    expect(alarms({ ...exit('take-profit', '0.5'), bar: 9 })[0]!.nextStep).toContain('{"fraction": 0.5}');
    expect(alarms({ ...exit('take-profit', '0.5'), bar: 9 })[0]!.problem).toContain('on bar 9.');
  });

  it('do not include other orders, and exits without an entry', () => {
    expect(
      alarms(exit('stop-loss', '0.1', 2), exit('trailing', '0.1'), { role: 'stop-loss', parentId: 1 }),
    ).toEqual([]);
    expect(alarms({ role: 'stop-loss', stopPrice: '0.1', bar: 1 })).toEqual([]);
  });
});
