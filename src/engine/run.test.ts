import { inspect } from 'node:util';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { bars, run, steady } from '../../test/support/engine-run.ts';
import { DAY, decimalString } from '../kernel/index.ts';
import { barSeries, createMarket } from '../market/index.ts';
import type { BarValues } from './events/events.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

describe('the order of events within a bar', () => {
  it('is: fills, then the actions of the decider in order, then the bar', async () => {
    const { story } = await run(steady(3), (turn) => {
      if (turn.bar === 0) turn.orders.buy(1);
      if (turn.bar !== 1) return;
      turn.record({ type: 'note', bar: turn.bar, text: 'first' });
      turn.orders.close();
      turn.record({ type: 'note', bar: turn.bar, text: 'second' });
      turn.orders.buy(-1);
    });
    expect(story).toEqual([
      'run_started',
      '0 order_accepted',
      '0 bar',
      '1 order_filled',
      '1 note',
      '1 order_accepted',
      '1 note',
      '1 order_rejected',
      '1 bar',
      '2 order_filled',
      '2 trade_closed',
      '2 bar',
      'run_finished',
    ]);
  });

  it('has fills at the open before the decider sees the close', async () => {
    const market = createMarket([
      barSeries('A', [
        { time: 0, open: 10, high: 12, low: 9, close: 11, volume: 1 },
        { time: DAY, open: 20, high: 25, low: 18, close: 24, volume: 1 },
      ]),
    ]);
    const seen: string[] = [];
    const { events } = await run(market, ({ account, window, orders, bar }) => {
      seen.push(`${window.close.last} ${account.units()} ${decimalString(account.equity)}`);
      if (bar === 0) orders.buy(2);
    });
    expect(seen).toEqual(['11 0 100000', '24 2 100008']);
    expect(events).toContainEqual(expect.objectContaining({ type: 'order_filled', bar: 1, price: '20' }));
  });

  it('sizes orders by the equity at the open, not by the last or the current close', async () => {
    const market = createMarket([
      barSeries('A', [
        { time: 0, open: 10, high: 10, low: 10, close: 10, volume: 1 },
        { time: DAY, open: 10, high: 10, low: 10, close: 10, volume: 1 },
        { time: 2 * DAY, open: 20, high: 40, low: 20, close: 40, volume: 1 },
      ]),
    ]);
    const { events } = await run(
      market,
      ({ bar, orders }) => {
        if (bar === 0) orders.buy(50);
        if (bar === 1) orders.submit({ action: 'buy', equityFraction: 0.2 });
      },
      { settings: { cash: '1000' } },
    );
    // Equity at the open is 500 in cash plus 50 units at 20: 1,500. A fifth of it buys 15 units at 20. With
    // the equity at the previous close (price 10) it would be 10 units, at the current close (price 40) 25
    // units.
    expect(events.findLast((event) => event.type === 'order_filled')).toMatchObject({ quantity: '15' });
  });

  it('places the returned orders in order, sync or async', async () => {
    const decision = { orders: [{ action: 'buy', quantity: 2 } as const, { action: 'close' } as const] };
    const sync = await run(steady(2), ({ bar }) => (bar === 0 ? decision : undefined));
    const async = await run(steady(2), async ({ bar }) => (bar === 0 ? decision : undefined));
    expect(sync.story.slice(0, 4)).toEqual(['run_started', '0 order_accepted', '0 order_accepted', '0 bar']);
    expect(async.events).toEqual(sync.events);
  });

  it('never fills orders of the last bar', async () => {
    const { result, story } = await run(steady(2), ({ orders }) => void orders.buy(1));
    expect(story.at(-2)).toBe('1 bar');
    expect(result.openTrades).toHaveLength(1);
  });

  it('records the current account at the end of each bar', async () => {
    const market = createMarket([
      barSeries(
        'A',
        bars([0, 1, 2], (day) => [10, 20, 5][day]!),
      ),
    ]);
    const { events, result } = await run(market, ({ bar, orders }) => void (bar === 0 && orders.sell(4)), {
      settings: { cash: '100' },
    });
    const at = (price: number): BarValues => [price, price, price, price, 1];
    expect(events.filter((event) => event.type === 'bar')).toEqual([
      { type: 'bar', bar: 0, date: '1970-01-01', cash: '100', equity: '100', exposure: 0, prices: [at(10)] },
      {
        type: 'bar',
        bar: 1,
        date: '1970-01-02',
        cash: '180',
        equity: '100',
        exposure: 0.8,
        prices: [at(20)],
      },
      {
        type: 'bar',
        bar: 2,
        date: '1970-01-03',
        cash: '180',
        equity: '160',
        exposure: 0.125,
        prices: [at(5)],
      },
    ]);
    expect([...result.equity]).toEqual([100, 100, 160]);
    expect(decimalString(result.finalEquity)).toBe('160');
  });

  it('records every revealed bar, and no bar for a symbol without one', async () => {
    const market = createMarket([
      barSeries('A', [{ time: 0, open: 10, high: 12, low: 9, close: 11, volume: 5 }]),
      barSeries('B', bars([0, 1])),
    ]);
    const { events } = await run(market, () => undefined);
    expect(events.flatMap((event) => (event.type === 'bar' ? [event.prices] : []))).toEqual([
      [
        [10, 12, 9, 11, 5],
        [100, 100, 100, 100, 1],
      ],
      [null, [100, 100, 100, 100, 1]],
    ]);
  });

  it('records zero exposure if the equity is zero or negative', async () => {
    const market = createMarket([
      barSeries(
        'A',
        bars([0, 1, 2], (day) => [10, 10, 30][day]!),
      ),
    ]);
    const { events } = await run(market, ({ bar, orders }) => void (bar === 0 && orders.sell(10)), {
      settings: { cash: '100' },
    });
    expect(events.findLast((event) => event.type === 'bar')).toMatchObject({
      equity: '-100',
      exposure: null,
    });
  });
});

describe('several symbols on one clock', () => {
  const market = createMarket([
    barSeries(
      'B',
      bars([1, 2, 5], (day) => 10 + day),
    ),
    barSeries(
      'A',
      bars([0, 2, 3], (day) => 100 + day),
    ),
  ]);

  it('are in alphabetical order, and each shows its own bars so far', async () => {
    const seen: string[] = [];
    await run(market, ({ bar, time, symbols, window, windowOf }) => {
      const of = (symbol: string): string => `${windowOf(symbol).length}:${windowOf(symbol).close.last}`;
      seen.push(`${bar} day ${time / DAY} ${symbols.join()} ${window.symbol} A ${of('A')} B ${of('B')}`);
    });
    expect(seen).toEqual([
      '0 day 0 A,B A A 1:100 B 0:NaN',
      '1 day 1 A,B A A 1:100 B 1:11',
      '2 day 2 A,B A A 2:102 B 2:12',
      '3 day 3 A,B A A 3:103 B 2:12',
      '4 day 5 A,B A A 3:103 B 3:15',
    ]);
  });

  it('trade only at their own bars, and are valued at their last close otherwise', async () => {
    const { events } = await run(
      market,
      ({ bar, orders }) => void (bar === 1 && orders.buy(2, { symbol: 'A' })),
    );
    expect(
      events.filter((event) => event.type === 'order_filled').map(({ bar, price }) => [bar, price]),
    ).toEqual([[2, '102']]);
    expect(events.filter((event) => event.type === 'bar').map(({ equity }) => equity)).toEqual([
      '100000',
      '100000',
      '100000',
      '100002',
      '100002',
    ]);
  });

  it('refuse a window of an unknown name', async () => {
    const { result } = await run(market, ({ windowOf }) => void windowOf('C'));
    expect(result.error).toMatchObject({ code: 'unknown_symbol', hint: 'Use one of: A, B.' });
  });
});

describe('a look-back', () => {
  it('limits the visible bars, and nothing else', async () => {
    const market = createMarket([
      barSeries(
        'A',
        bars(
          Array.from({ length: 100 }, (_, day) => day),
          (day) => day + 1,
        ),
      ),
    ]);
    const lengths: number[] = [];
    const { result } = await run(
      market,
      ({ bar, window, orders }) => {
        lengths.push(window.length);
        expect(window.revealed).toBe(bar + 1);
        expect([...window.close.tail(1000)]).toEqual(
          Array.from({ length: Math.min(bar + 1, 7) }, (_, index) => Math.max(bar - 5, 1) + index),
        );
        expect(window.close.at(0)).toBe(Math.max(bar - 5, 1));
        expect(window.barAt(-8)).toBeUndefined();
        expect(window.close.mean(8)).toBeNaN();
        if (bar === 0) orders.buy(1);
      },
      { settings: { lookback: 7 } },
    );
    expect(result.outcome).toBe('completed');
    expect(lengths.slice(0, 9)).toEqual([1, 2, 3, 4, 5, 6, 7, 7, 7]);
    expect(decimalString(result.finalEquity)).toBe('100098');
  });
});

describe('settings', () => {
  it.each([
    { cash: '0' },
    { cash: '-5' },
    { cash: '1e5' },
    { cash: 'much' },
    { commissionRate: -0.1 },
    { commissionRate: 1 },
    { slippageBps: Number.NaN },
    { leverage: 0.5 },
    { lot: 0 },
    { lookback: 0 },
    { lookback: 1.5 },
    { seed: -1 },
    { comission: 0.1 } as object,
  ])('refuse %j before the run starts', async (settings) => {
    const decide = vi.fn();
    await expect(run(steady(2), decide, { settings })).rejects.toThrow();
    expect(decide).not.toHaveBeenCalled();
  });
});

it('orders do not change if a decider modifies the objects that it was given', async () => {
  const scribble = (target: unknown, changes: object): void => {
    try {
      Object.assign(target as object, changes);
    } catch {
      // A frozen object throws on assignment, which is also a valid result.
    }
  };
  const { events } = await run(steady(4), ({ bar, orders }) => {
    if (bar !== 0) return;
    const receipt = orders.buy(10);
    if (!receipt.accepted) throw new Error('refused');
    for (const order of [receipt.order, orders.pending()[0]!]) {
      scribble(order, { side: -1, done: true, barsLeft: 0 });
      scribble(order.size, { units: 1 });
      if (order.size.kind === 'units') scribble(order.size.units, { mantissa: -3 });
      scribble(order.filled, { mantissa: 10 });
    }
    expect(receipt.order).toMatchObject({ id: 1, action: 'buy', type: 'market', placedBar: 0 });
  });
  expect(events.filter(({ type }) => type === 'order_filled')).toMatchObject([
    { bar: 1, side: 'buy', quantity: '10' },
  ]);
});

it('records the receipt of an order, with the reduction of a fraction above the buying power', async () => {
  const written: string[] = [];
  let printed = '';
  await run(steady(2), ({ bar, orders }) => {
    if (bar !== 0) return;
    for (const size of [{ quantity: 2 }, { equityFraction: 1 }])
      written.push(JSON.stringify(orders.submit({ action: 'buy', ...size })));
    printed = inspect(orders.submit({ action: 'buy', quantity: 1 }));
  });
  expect(printed).toMatch(/^\{ *\n? *accepted: true,\s+order: \{\s+id: 3,/);
  const [plain, share] = written.map((text) => JSON.parse(text));
  expect(plain).toMatchObject({ accepted: true, order: { id: 1, action: 'buy' } });
  expect(plain).not.toHaveProperty('cut');
  expect(share).toMatchObject({ order: { id: 2 }, cut: { asked: '1000', carried: expect.any(String) } });
});
