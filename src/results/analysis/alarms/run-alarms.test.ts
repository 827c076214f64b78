import { describe, expect, it } from 'vitest';
import { type RecordSketch, runRecord } from '../../../../test/support/records.ts';
import type { RunRecord } from '../../../journal/index.ts';
import { type Alarm, alarmSchema, alarmsForQuiet, counted, groupAlarms } from './alarm.ts';
import { alarmsOf, capacityOf, heldOutAlarms, liquidationsOf, volumeShares } from './alarms.ts';

const bar = (volume: number) => [[10, 10, 10, 10, volume]] as const;
const fill = (quantity: string, more: object = {}) => ({ quantity, price: '10', commission: '1', ...more });
const alarmsIn = (sketch: RecordSketch, changes: object = {}) =>
  alarmsOf({ ...runRecord(sketch), ...changes } as RunRecord);
const only = (kind: Alarm['kind'], alarms: readonly Alarm[]) => alarms.filter((one) => one.kind === kind);

describe('the alarm about large fills', () => {
  const large = (
    quantities: readonly string[],
    settings: object = {},
    volume = 1000,
    barOf: (index: number) => number = (index) => index,
  ) =>
    only(
      'large_fills',
      alarmsIn({
        equity: quantities.map(() => 100),
        settings: settings as Record<string, number>,
        prices: quantities.map(() => bar(volume)),
        fills: quantities.map((quantity, index) => fill(quantity, { bar: barOf(index) })),
      }),
    );

  it('counts fills above a tenth of the volume, and states the largest', () => {
    expect(large(['100', '1'])).toEqual([]);
    expect(large(['101', '400', '250', '100'])).toEqual([
      {
        kind: 'large_fills',
        count: 3,
        problem:
          '3 of 4 fills were in bars in which fills took more than 10 % of the volume. The largest share was 40 %.',
        meaning: 'A real market could not fill these orders at these prices.',
        nextStep: 'Limit fills to a share of the volume with `--participation 0.1`, or trade less.',
      },
    ]);
  });

  it('adds the fills of a symbol in one bar', () => {
    const parts = Array.from({ length: 20 }, () => '90');
    expect(large(parts)).toEqual([]);
    expect(large(parts, {}, 1000, () => 0)).toMatchObject([
      { count: 20, problem: expect.stringMatching(/^20 of 20 fills .* The largest share was 180 %\.$/) },
    ]);
    expect(large(['30', '70'], {}, 1000, () => 0)).toEqual([]);
    expect(large(['101'])).toMatchObject([
      { problem: expect.stringMatching(/^1 of 1 fill was in a bar in which fills took more than 10 %/) },
    ]);
  });

  it('is absent without a volume, and with a limit on the volume', () => {
    expect(large(['500'], {}, 0)).toEqual([]);
    // Data without a volume column have the volume 1 in every bar.
    expect(large(['500'], {}, 1)).toEqual([]);
    expect(large(['500'], { participation: 0.5 })).toEqual([]);
    expect(large(['500'], { participation: 'none' })).toHaveLength(1);
  });
});

describe('the alarm about missing costs', () => {
  const free = (settings: object, fills: readonly object[] = [fill('1', { commission: '0' })]) =>
    only(
      'no_costs',
      alarmsIn({
        equity: [100, 100],
        settings: settings as never,
        fills: fills as RecordSketch['fills'] & {},
      }),
    ).map(({ count }) => count);

  it('is raised if neither the settings nor any fill has costs', () => {
    for (const none of [{}, { commissionRate: 0 }, { slippageBps: 0 }, { commissionRate: 'x' }])
      expect(free(none)).toEqual([1]);
    for (const some of [{ commissionRate: 0.1 }, { slippageBps: 1 }, { commission: {} }, { slippage: {} }])
      expect(free(some)).toEqual([]);
    const zero = fill('1', { commission: '0' });
    expect(free({}, [zero, zero])).toEqual([2]);
    expect(free({}, [zero, fill('1', { commission: '0.01' })])).toEqual([]);
    expect(free({}, [fill('1', { commission: '0', priceBeforeSlippage: '9.99' }), zero])).toEqual([]);
    expect(free({}, [])).toEqual([]);
  });
});

describe('the alarm about equity', () => {
  const below = (...equity: number[]) =>
    only('negative_equity', alarmsIn({ cash: '5', equity })).map(({ count, problem }) => [count, problem]);

  it('is raised from the second bar at zero or below', () => {
    expect(below(5, 0, 5)).toEqual([]);
    expect(below(5, 1e-9, 1e-9)).toEqual([]);
    expect(below(5, 0, 3, -1, 4)).toEqual([[2, 'Equity was zero or below on 2 bars, first on 2024-01-02.']]);
    expect(below(5, 5, -1, -2, -3)).toEqual([
      [3, 'Equity was zero or below on 3 bars, first on 2024-01-03.'],
    ]);
  });
});

describe('liquidated positions', () => {
  const order = (orderId: number, role?: string) => ({ orderId, bar: 1, ...(role && { role }) });
  const record = {
    ...runRecord({ equity: [100, 100], fills: [1, 2, 2, 3, 4].map((orderId) => fill('1', { orderId })) }),
    orders: [
      order(1),
      order(2, 'liquidation'),
      order(3, 'liquidation'),
      order(4, 'stop-loss'),
      order(5, 'liquidation'),
    ],
  } as unknown as RunRecord;

  it('are counted once per order with a fill', () => {
    expect(liquidationsOf(record)).toBe(2);
    expect(only('liquidations', alarmsOf(record))).toEqual([
      {
        kind: 'liquidations',
        count: 2,
        problem: 'The broker liquidated 2 positions.',
        meaning: 'Equity was below the maintenance margin.',
        nextStep: 'Trade smaller positions, or with less `--leverage`.',
      },
    ]);
    expect(only('liquidations', alarmsOf({ ...record, orders: [] }))).toEqual([]);
  });
});

describe('alarms about held-out bars', () => {
  const looks = (earlierLooks: number, project?: string) =>
    heldOutAlarms({ from: '2024-01-02', earlierLooks, ...(project !== undefined && { project }) }).map(
      ({ count, problem }) => [count, problem],
    );

  it('are raised from the second look on', () => {
    expect(heldOutAlarms(undefined)).toEqual([]);
    expect(looks(0)).toEqual([]);
    const text = (times: string, where: string) =>
      `The bars from 2024-01-02 on were held out. They had been looked at ${times} ${where} before this run.`;
    expect(looks(1)).toEqual([[1, text('once', 'with this strategy')]]);
    expect(looks(1200, 'mine')).toEqual([[1200, text('1,200 times', 'in the project "mine"')]]);
  });
});

describe('alarms about risk limits', () => {
  const halt = (code: string, at: number) => ({ type: 'halted', code, bar: at });
  const problems = (...halts: readonly object[]) =>
    alarmsIn({ equity: [100, 90], trades: [{ netPnl: '1' }] }, { halts }).map(({ kind, count, problem }) => [
      ...[kind, count, problem],
    ]);

  it('state the date of the drawdown limit and the days of the daily loss limit', () => {
    expect(problems()).toEqual([]);
    expect(
      problems(halt('risk_daily_loss', 0), halt('risk_drawdown', 1), halt('risk_daily_loss', 1)),
    ).toEqual([
      ['drawdown_halt', 1, 'The drawdown limit was reached on 2024-01-02.'],
      ['daily_loss_stops', 2, 'The daily loss limit was reached on 2 days.'],
    ]);
    expect(problems(halt('risk_drawdown', 7))).toEqual([
      ['drawdown_halt', 1, 'The drawdown limit was reached on bar 7.'],
    ]);
    expect(problems(halt('risk_daily_loss', 0))).toEqual([
      ['daily_loss_stops', 1, 'The daily loss limit was reached on 1 day.'],
    ]);
  });
});

describe('the share of the volume', () => {
  it('is known for fills on bars with a volume', () => {
    const record = runRecord({
      equity: [100, 100, 100],
      symbols: ['A', 'B'],
      prices: [
        [[1, 1, 1, 1, 50], null],
        [
          [1, 1, 1, 1, 0.5],
          [1, 1, 1, 1, 200],
        ],
        [[1, 1, 1, 1, 0], null],
      ],
      fills: [
        ...[
          fill('5', { bar: 0, symbol: 'A' }),
          fill('3', { bar: 1, symbol: 'A' }),
          fill('4', { bar: 1, symbol: 'B' }),
        ],
        ...[
          fill('1', { bar: 2, symbol: 'A' }),
          fill('1', { bar: 2, symbol: 'B' }),
          fill('1', { bar: 1, symbol: 'C' }),
        ],
        fill('1', { bar: 9, symbol: 'A' }),
      ],
    });
    const shares = [
      { bar: 0, share: 0.1 },
      { bar: 1, share: 6 },
      { bar: 1, share: 0.02 },
    ];
    expect(volumeShares(record)).toEqual(shares);
    // A record whose bars begin at bar 1.
    expect(volumeShares({ ...record, bars: record.bars.slice(1) })).toEqual(shares.slice(1));
    expect(volumeShares({ ...record, bars: [] })).toEqual([]);
    expect(capacityOf(record)).toMatchObject({ fills: 3, median: 0.1, largest: 6 });
    expect(capacityOf({ ...record, bars: [] })).toEqual({ reason: 'the data have no volume' });
    expect(capacityOf({ ...record, fills: [] })).toEqual({ reason: 'nothing was traded' });
  });
});

describe('stored alarms', () => {
  const alarm = { kind: 'no_costs', count: 1, problem: 'p', meaning: 'm', nextStep: 'n' };

  it('count at least one occurrence', () => {
    const accepts = (count: number) => alarmSchema.safeParse({ ...alarm, count }).success;
    expect([0, 0.5, 1, 2, 9_999].map(accepts)).toEqual([false, false, true, true, true]);
  });

  it('are shown with --quiet, except assumptions of the simulation', () => {
    const kinds = ['held_out', 'no_costs', 'large_fills', 'refusals'] as const;
    const shown = alarmsForQuiet(kinds.map((kind) => ({ kind })));
    expect(shown.map(({ kind }) => kind)).toEqual(['held_out', 'refusals']);
    const groups = groupAlarms([
      [{ kind: 'no_costs', nextStep: 'a' }],
      [{ kind: 'held_out', nextStep: 'b' }],
      [],
    ]);
    expect(groups.map(({ kind, runs }) => [kind, runs])).toEqual([
      ['held_out', 1],
      ['no_costs', 1],
    ]);
  });

  it('use the singular for one occurrence and the plural for others', () => {
    expect([0, 1, 2, 1000].map((count) => counted(count, 'order'))).toEqual([
      ...['0 orders', '1 order', '2 orders', '1,000 orders'],
    ]);
    expect([1, 2].map((count) => counted(count, 'loss', 'losses'))).toEqual(['1 loss', '2 losses']);
  });
});
