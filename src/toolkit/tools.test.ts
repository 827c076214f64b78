import { describe, expect, it } from 'vitest';
import { fakeSandbox, worldAt } from '../../test/support/toolkit-world.ts';
import type { Json } from '../engine/index.ts';
import { DAY } from '../kernel/index.ts';
import { barSeries, createMarket } from '../market/index.ts';
import type { SandboxReply } from '../sandbox/index.ts';
import { createToolkit } from './toolkit.ts';

const bar = (day: number, price: number, volume = 10) => ({
  time: (18_262 + day) * DAY,
  open: price,
  high: price + 1,
  low: price - 1,
  close: price + 0.5,
  volume,
});
const market = createMarket([
  barSeries('AAA', [bar(0, 10), bar(1, 20), bar(2, 30), bar(3, 40)]),
  barSeries('LATE', [bar(1, 5), bar(3, 7)]),
]);

function at(day: number, settings = {}) {
  const { world, next, events } = worldAt(day, { market, settings });
  const fake = fakeSandbox();
  const toolkit = createToolkit({ sandbox: fake.sandbox });
  const call = async (name: string, given: Json = {}): Promise<Record<string, Json>> =>
    (await toolkit.call(name, given, world.turn)) as Record<string, Json>;
  return { call, next, world, events, calls: fake.calls };
}

describe('market_observe', () => {
  it('shows the current bar of the first or the named symbol', async () => {
    const { call } = at(1);
    expect(await call('market_observe')).toEqual({
      symbol: 'AAA',
      bar: 1,
      date: '2020-01-02',
      open: 20,
      high: 21,
      low: 19,
      close: 20.5,
      volume: 10,
      stale: false,
    });
    expect(await call('market_observe', { symbol: 'LATE' })).toMatchObject({ open: 5, stale: false });
  });

  it('reports that a bar is stale, or that none exists yet', async () => {
    expect(await at(2).call('market_observe', { symbol: 'LATE' })).toMatchObject({
      bar: 2,
      date: '2020-01-02',
      open: 5,
      stale: true,
    });
    expect(await at(0).call('market_observe', { symbol: 'LATE' })).toEqual({
      error: 'LATE has no bar yet.',
      remediation: 'Wait for its first bar, or use another symbol.',
    });
  });
});

describe('market_history', () => {
  it('returns the last available bars, oldest first, including the current one', async () => {
    const { call } = at(2);
    expect(await call('market_history', { bars: 2 })).toEqual({
      symbol: 'AAA',
      columns: ['date', 'open', 'high', 'low', 'close', 'volume'],
      bars: [
        ['2020-01-02', 20, 21, 19, 20.5, 10],
        ['2020-01-03', 30, 31, 29, 30.5, 10],
      ],
    });
    expect((await call('market_history')).bars).toHaveLength(3);
    expect((await call('market_history', { symbol: 'LATE' })).bars).toHaveLength(1);
    expect((await at(0).call('market_history', { symbol: 'LATE' })).bars).toEqual([]);
  });
});

describe('trade_execute and account_status', () => {
  it('place an order for the next open, and show its outcome', async () => {
    const { call, next } = at(0, { cash: '1000', commissionRate: 0.01 });
    expect(await call('trade_execute', { action: 'buy', quantity: 10, reason: 'cheap' })).toEqual({
      status: 'accepted',
      order_id: 1,
      symbol: 'AAA',
      action: 'buy',
      order_type: 'market',
      quantity: '10',
      fills: "at the next bar's open",
    });
    expect(await call('account_status')).toEqual({
      currency: 'USD',
      cash_by_kind: {},
      cash: 1000,
      equity: 1000,
      realised_pnl: 0,
      commission_paid: 0,
      positions: {},
      pending_orders: [
        {
          order_id: 1,
          symbol: 'AAA',
          action: 'buy',
          order_type: 'market',
          quantity: '10',
          price: null,
          stop_price: null,
        },
      ],
    });
    next();
    expect(await call('account_status')).toEqual({
      currency: 'USD',
      cash_by_kind: { commission: -2 },
      cash: 798,
      equity: 1003,
      realised_pnl: 0,
      commission_paid: 2,
      positions: { AAA: { size: 10, avg_price: 20, market_value: 205, unrealised_pnl: 5 } },
      pending_orders: [],
    });
    expect(await call('trade_execute', { action: 'close' })).toMatchObject({ order_id: 2, quantity: null });
    next();
    expect(await call('account_status')).toMatchObject({
      cash: 1095,
      equity: 1095,
      realised_pnl: 95,
      positions: {},
    });
  });

  it('report why an order is rejected and what would be accepted', async () => {
    const { call } = at(0, { cash: '100' });
    expect(await call('trade_execute', { action: 'buy', quantity: 10 })).toMatchObject({
      status: 'rejected',
      code: 'buying_power',
      largest_accepted: '9',
      remediation: 'At most 9 would be accepted.',
    });
    expect(await call('trade_execute', { action: 'buy' })).toMatchObject({ code: 'bad_quantity' });
    expect(await call('trade_execute', { action: 'close' })).toMatchObject({ code: 'nothing_to_close' });
    expect((await call('account_status')).pending_orders).toEqual([]);
  });
});

describe('compute', () => {
  it('passes the code, the account and all bars of every symbol up to now', async () => {
    const { call, calls, next } = at(0, { cash: '1000' });
    await call('trade_execute', { action: 'sell', quantity: 3 });
    next();
    await call('compute', { code: 'len(df)', symbol: 'LATE' });
    expect(calls).toHaveLength(1);
    const [{ operation, bar: number, time, windows, request }] = calls as [(typeof calls)[number]];
    expect({ operation, number, time }).toEqual({ operation: 'compute', number: 1, time: 18_263 * DAY });
    expect(windows.map(({ symbol }) => symbol)).toEqual(['AAA', 'LATE']);
    expect(request).toEqual({
      code: 'len(df)',
      symbol: 'LATE',
      account: { cash: 1060, equity: 998.5, positions: { AAA: { size: -3, avg_price: 20 } } },
      limits: { timeoutMs: 500, resultBytes: 32_768, stdoutCharacters: 4_000, codeCharacters: 20_000 },
    });
  });

  it.each<[SandboxReply, Json]>([
    [{ ok: true, result: 5 }, { result: 5 }],
    [
      { ok: true, result: null, stdout: 'a', note: 'b' },
      { result: null, stdout: 'a', note: 'b' },
    ],
    [
      { ok: false, kind: 'NameError', error: 'e', remediation: 'r' },
      { error: 'e', remediation: 'r' },
    ],
    [
      { ok: false, kind: 'ValueError', error: 'e', remediation: 'r', line: 2, stdout: 's' },
      { error: 'e', remediation: 'r', line: 2, stdout: 's' },
    ],
  ])('formats %j for the model', async (reply, expected) => {
    const { world } = worldAt(1, { market });
    const toolkit = createToolkit({ sandbox: fakeSandbox(() => reply).sandbox });
    expect(await toolkit.call('compute', { code: '1' }, world.turn)).toEqual(expected);
  });
});
