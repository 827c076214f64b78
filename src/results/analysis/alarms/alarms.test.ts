import { describe, expect, it } from 'vitest';
import type { OrderRequest } from '../../../broker/index.ts';
import { type BacktestOptions, type BarContext, type RunEvent, runBacktest } from '../../../engine/index.ts';
import { type RunRecord, recordOf } from '../../../journal/index.ts';
import { simulateMarket } from '../../../market/index.ts';
import {
  type Alarm,
  alarmGroupLines,
  alarmGroupSchema,
  alarmsForQuiet,
  alarmsOf,
  alarmText,
  groupAlarms,
  storedAlarms,
} from '../index.ts';

const market = simulateMarket({ seed: 7, bars: 30 });

async function recordOfRun(
  decide: (turn: BarContext) => void,
  options: Partial<BacktestOptions> = {},
  kind = 'rules',
): Promise<RunRecord> {
  const events: RunEvent[] = [];
  const onEvent = (event: RunEvent): void => void events.push(event);
  await runBacktest({ market, decider: { decide, strategy: { name: 'x', kind } }, onEvent, ...options });
  return recordOf(events);
}

async function alarmsIn(...run: Parameters<typeof recordOfRun>): Promise<Alarm[]> {
  return alarmsOf(await recordOfRun(...run));
}

const buys =
  (quantity: unknown, at = 0) =>
  ({ bar, orders }: BarContext): void =>
    void (bar === at && orders.buy(quantity as number));
const costs = { settings: { commissionRate: 0.001 } };
const calling =
  (failsAt: (bar: number) => boolean) =>
  (turn: BarContext): void => {
    const { bar, orders } = turn;
    const result = failsAt(bar)
      ? { error: `ModuleNotFoundError: No module named 'scipy'`, remediation: 'use numpy instead' }
      : { result: 1 };
    turn.record({ type: 'tool_called', bar, sequence: bar + 1, name: 'compute', arguments: {}, result });
    if (bar === 0) orders.buy(1);
  };

describe('failed calls', () => {
  it('are counted with their error, their first date and their remedy', async () => {
    const [alarm, ...others] = await alarmsIn(
      calling(() => true),
      costs,
    );
    expect(alarm).toEqual({
      kind: 'failed_calls',
      count: 30,
      problem: `All 30 calls of compute failed: ModuleNotFoundError: No module named 'scipy'. First on 2000-01-03.`,
      meaning: 'The decisions on these bars were made without the result of the call.',
      nextStep: 'Use numpy instead. Check `answer.error` after each call.',
    });
    expect(others).toEqual([]);
  });

  it.each([
    ['rules', 1, 1],
    ['rules', 0, 0],
    ['llm', 14, 0],
    ['llm', 15, 1],
    ['agent', 1, 0],
    ['mcp', 1, 0],
  ])('of %s raise an alarm above a share: %i of 30', async (kind, failed, expected) => {
    const alarms = await alarmsIn(
      calling((bar) => bar < failed),
      costs,
      kind,
    );
    expect(alarms.map(({ kind: found }) => found)).toEqual(
      Array.from({ length: expected }, () => 'failed_calls'),
    );
  });
});

describe('orders', () => {
  it('that were never placed raise an alarm', async () => {
    const [alarm, ...others] = await alarmsIn(() => undefined);
    expect([alarm?.kind, alarm?.problem, others]).toEqual([
      'no_orders',
      'No orders were placed in 30 bars.',
      [],
    ]);
  });

  it('that were never placed raise no alarm in a failed run', async () => {
    const failing = (): never => {
      throw new Error('broken');
    };
    expect(await alarmsIn(failing)).toEqual([]);
  });

  it.each([
    [Number.NaN, 'The quantity is NaN, which is not a positive number.'],
    ['ten', 'The quantity is "ten", which is not a positive number.'],
  ])('with the quantity %s are reported with the value', async (quantity, message) => {
    const alarms = await alarmsIn(buys(quantity));
    expect(alarms.map(({ kind, problem }) => [kind, problem])).toEqual([
      ['invalid_orders', `1 of 1 order had invalid values. First on 2000-01-03: ${message}`],
    ]);
  });

  it('with an unknown field are reported with the closest field', async () => {
    const [alarm] = await alarmsIn(({ orders }: BarContext): void => {
      orders.submit({ action: 'buy', units: 1 } as never);
    });
    expect(alarm?.problem).toContain(
      'had invalid values. First on 2000-01-03: Unknown field units of an order.',
    );
    expect(alarm?.nextStep).toMatch(/^Did you mean quantity\? Fields: action, /);
  });

  it.each([
    ['llm', ['refusals']],
    ['rules', ['invalid_orders']],
  ])('with invalid values of %s: %j', async (kind, expected) => {
    const alarms = await alarmsIn(buys(Number.NaN), {}, kind);
    expect(alarms.map((alarm) => alarm.kind)).toEqual(expected);
  });

  it('that are rejected raise an alarm with the flag that helps', async () => {
    const tooSmall = ({ bar, orders }: BarContext): void =>
      void (bar < 3 && orders.submit({ action: 'buy', notional: 1 }));
    const [alarm] = await alarmsIn(tooSmall);
    expect(alarm).toMatchObject({ kind: 'refusals', count: 3 });
    expect(alarm?.problem).toBe('All 3 orders were refused, most often with below_lot (3 times).');
    expect(alarm?.nextStep).toContain('`--lot 0.01`');
  });

  it('that are rejected for another reason have the remedy of the broker', async () => {
    const [alarm] = await alarmsIn(({ bar, orders }) => void (bar === 0 && orders.close()));
    expect([alarm?.kind, alarm?.nextStep]).toEqual(['refusals', 'Check account_status first.']);
  });
});

describe('exits', () => {
  const entering =
    (order: Omit<OrderRequest, 'quantity'>) =>
    ({ bar, orders }: BarContext): void =>
      void (bar < 2 && orders.submit({ ...order, quantity: 1 } as OrderRequest));

  it('far below the price are named with the fraction that was meant', async () => {
    const [alarm, ...others] = await alarmsIn(entering({ action: 'buy', stopLoss: 0.05 }), costs);
    expect(others).toEqual([]);
    expect(alarm).toMatchObject({
      kind: 'unreachable_exits',
      count: 2,
      problem: expect.stringMatching(
        /^2 of 2 stop losses and take profits had a price below 1 % .* The first: a stop loss at 0\.05 for an entry at 100\.83, on 2000-01-04\.$/,
      ),
      nextStep: expect.stringContaining('`stop_loss={"fraction": 0.05}` in Python'),
    });
  });

  it('of a short position that are far below the price are named, too', async () => {
    const [alarm] = await alarmsIn(entering({ action: 'sell', takeProfit: 0.1 }), costs);
    expect([alarm?.kind, alarm?.problem]).toEqual([
      'unreachable_exits',
      expect.stringContaining('a take profit at 0.1 for an entry at'),
    ]);
  });

  it.each<[string, Omit<OrderRequest, 'quantity'>]>([
    ['at a fraction', { action: 'buy', stopLoss: { fraction: 0.05 }, takeProfit: { fraction: 0.1 } }],
    ['at 2 % of the price', { action: 'buy', stopLoss: 2 }],
    ['in a multiple of the price', { action: 'buy', takeProfit: 100_000 }],
  ])('%s give no alarm', async (_, order) => {
    expect(await alarmsIn(entering(order), costs)).toEqual([]);
  });
});

describe('an unrealistic run', () => {
  it('without commission and slippage raises an alarm', async () => {
    const [alarm] = await alarmsIn(buys(1));
    expect([alarm?.kind, alarm?.problem]).toEqual([
      'no_costs',
      'No commission and no slippage: 1 fill cost nothing.',
    ]);
  });

  it.each<[string, Partial<BacktestOptions>]>([
    ['a commission', costs],
    ['slippage', { settings: { slippageBps: 1 } }],
    ['a commission model', { settings: { commission: { model: 'fixed', amount: 1 } } }],
    ['a custom cost model', { costs: { commission: () => 1 } }],
    [
      'an instrument with a commission',
      { settings: { instruments: { SIM: { commission: { model: 'fixed', amount: 1 } } } } },
    ],
  ])('with %s raises no alarm', async (_, options) => {
    expect(await alarmsIn(buys(1), options)).toEqual([]);
  });

  it('with fills above a tenth of the volume raises an alarm', async () => {
    const [bar] = (await recordOfRun(() => undefined)).bars.slice(1);
    const volume = bar!.prices![0]![4];
    const rich = { settings: { ...costs.settings, cash: '1000000000000' } };
    expect(await alarmsIn(buys(Math.floor(volume * 0.1)), rich)).toEqual([]);
    const [alarm] = await alarmsIn(buys(volume * 50), rich);
    expect([alarm?.kind, alarm?.problem]).toEqual([
      'large_fills',
      '1 of 1 fill was in a bar in which fills took more than 10 % of the volume. The largest share was 5,000 %.',
    ]);
    const limited = { settings: { ...rich.settings, participation: 0.5 } };
    expect(await alarmsIn(buys(volume * 50), limited)).toEqual([]);
  });
});

it('alarms are listed in one order, each as one text', async () => {
  const alarms = alarmsOf(await recordOfRun(calling(() => true)), { from: '2000-01-10', earlierLooks: 2 });
  expect(alarms.map(({ kind }) => kind)).toEqual(['held_out', 'failed_calls', 'no_costs']);
  expect(alarmText(alarms[0]!)).toBe(
    'The bars from 2000-01-10 on were held out. They had been looked at 2 times with this strategy before this run. The figures are not out of sample. Judge the strategy on bars that have not been looked at, for example newer ones.',
  );
});

describe('alarms of several runs', () => {
  const alarm = (kind: Alarm['kind'], nextStep: string): Alarm => ({
    kind,
    count: 1,
    problem: '',
    meaning: '',
    nextStep,
  });
  const runs = [
    storedAlarms([alarm('no_costs', 'Set costs.'), alarm('failed_calls', 'a'), alarm('failed_calls', 'b')]),
    undefined,
    storedAlarms([alarm('failed_calls', 'c')]),
  ];

  it('are grouped by kind, with the number of runs and the first next step', () => {
    expect(groupAlarms(runs)).toEqual([
      { kind: 'failed_calls', runs: 2, nextStep: 'a' },
      { kind: 'no_costs', runs: 1, nextStep: 'Set costs.' },
    ]);
    expect(alarmGroupLines(groupAlarms(runs), 3, 'trial')).toEqual([
      'Failed tool calls in 2 of 3 trials. a',
      'No commission and no slippage in 1 of 3 trials. Set costs.',
    ]);
  });

  it('omit assumptions of the simulation with --quiet', () => {
    expect(alarmsForQuiet(groupAlarms(runs)).map(({ kind }) => kind)).toEqual(['failed_calls']);
  });
});

it('alarms are grouped from one run on', () => {
  const group = (runs: number) =>
    alarmGroupSchema.safeParse({ kind: 'no_costs', runs, nextStep: 'x' }).success;
  expect([0, 1, 2, 1.5].map(group)).toEqual([false, true, true, false]);
});
