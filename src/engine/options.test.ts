import { describe, expect, it } from 'vitest';
import { DAY, decimalString } from '../kernel/index.ts';
import {
  type Bar,
  type BarSeries,
  barSeries,
  createMarket,
  resample,
  simulateMarket,
} from '../market/index.ts';
import type { BarContext } from './decider.ts';
import type { RunEvent } from './events/events.ts';
import { type BacktestOptions, type BacktestResult, runBacktest } from './run.ts';

type Row = readonly [open: number, high: number, low: number, close: number];

function seriesOf(rows: readonly Row[], extra?: BarSeries['extra']): BarSeries {
  const bars = rows.map(
    ([open, high, low, close], day): Bar => ({ time: day * DAY, open, high, low, close, volume: 100 }),
  );
  return { ...barSeries('A', bars), ...(extra === undefined ? {} : { extra }) };
}

async function run(
  series: BarSeries,
  decide: (turn: BarContext) => void,
  options: Partial<BacktestOptions> = {},
): Promise<{ result: BacktestResult; events: RunEvent[]; fills: string[] }> {
  const events: RunEvent[] = [];
  const result = await runBacktest({
    market: createMarket([series]),
    decider: { decide },
    onEvent: (event) => events.push(event),
    ...options,
  });
  const fills = events.flatMap((event) =>
    event.type === 'order_filled'
      ? [`${event.bar} ${event.side} ${event.quantity} @ ${event.price} + ${event.commission}`]
      : [],
  );
  return { result, events, fills };
}

const rows: Row[] = [
  [100, 102, 98, 101],
  [103, 106, 99, 104],
  [105, 108, 95, 97],
  [96, 99, 94, 98],
];

describe('fills at the close', () => {
  const settings = { fillOn: 'close' as const };

  it('use the close of the decision, and are recorded before the bar', async () => {
    const { events, fills, result } = await run(
      seriesOf(rows),
      ({ bar, orders }) => {
        if (bar === 0) orders.buy(10);
        if (bar === 2) orders.close();
      },
      { settings },
    );
    expect(fills).toEqual(['0 buy 10 @ 101 + 0', '2 sell 10 @ 97 + 0']);
    expect(result.stamps).toEqual(['same-bar fills']);
    const kinds = events.map((event) => ('bar' in event ? `${event.bar} ${event.type}` : event.type));
    expect(kinds.slice(0, 4)).toEqual(['run_started', '0 order_accepted', '0 order_filled', '0 bar']);
    expect(events.find((event) => event.type === 'bar')).toMatchObject({ cash: '98990', equity: '100000' });
  });

  it('leave other order types and exits created there to the next bar', async () => {
    const { fills } = await run(
      seriesOf(rows),
      ({ bar, orders }) => {
        if (bar !== 0) return;
        orders.buy(10, { stopLoss: 98.5, takeProfit: 120 });
        orders.buy(5, { type: 'limit', limitPrice: 200 });
      },
      { settings },
    );
    // The low of bar 0 is 98, but it occurs before the fill at the close of bar 0, so it does not trigger the
    // stop loss at 98.5.
    expect(fills).toEqual(['0 buy 10 @ 101 + 0', '1 buy 5 @ 103 + 0', '2 sell 10 @ 98.5 + 0']);
  });

  it('use the available volume; the remainder waits for the next open or is cancelled', async () => {
    const { fills, events } = await run(
      seriesOf(rows),
      ({ bar, orders }) => {
        if (bar === 0) orders.buy(15);
        if (bar === 1) orders.buy(15, { timeInForce: 'IOC' });
      },
      { settings: { ...settings, participation: 0.1 } },
    );
    expect(fills).toEqual(['0 buy 10 @ 101 + 0', '1 buy 5 @ 103 + 0', '1 buy 5 @ 104 + 0']);
    expect(events.find((event) => event.type === 'order_cancelled')).toMatchObject({ code: 'ioc', bar: 1 });
  });

  it('do not apply to a liquidation, which fills at the next open', async () => {
    const falling: Row[] = [
      [100, 100, 100, 100],
      [100, 100, 100, 100],
      [90, 90, 90, 90],
      [85, 85, 85, 85],
    ];
    const { fills } = await run(seriesOf(falling), ({ bar, orders }) => void (bar === 0 && orders.buy(45)), {
      settings: { ...settings, cash: 1_000, leverage: 5, maintenanceMargin: 0.15 },
    });
    expect(fills).toEqual(['0 buy 45 @ 100 + 0', '3 sell 45 @ 85 + 0']);
  });

  it('are not the default', async () => {
    const { fills, result } = await run(
      seriesOf(rows),
      ({ bar, orders }) => void (bar === 0 && orders.buy(10)),
    );
    expect(fills).toEqual(['1 buy 10 @ 103 + 0']);
    expect(result.stamps).toEqual([]);
  });
});

describe('ambiguous fills', () => {
  it('are reported at the end with the final equity of both outcomes', async () => {
    const { events, result } = await run(seriesOf(rows), ({ bar, orders }) => {
      if (bar === 0) orders.buy(10, { stopLoss: 96, takeProfit: 107 });
    });
    // Bought at 103. The booked outcome of bar 2 sells 10 units at 96; the take profit at 107 would have
    // gained 110 more.
    const { fills, finalEquity } = result.ambiguity;
    expect([fills, decimalString(finalEquity.worse), decimalString(finalEquity.better)]).toEqual([
      1,
      '99930',
      '100040',
    ]);
    expect(events.at(-1)).toMatchObject({
      ambiguity: { fills: 1, finalEquity: { worse: '99930', better: '100040' } },
    });
  });
});

describe('a spread from the data', () => {
  const buyAndSell = ({ bar, orders }: BarContext): void => {
    if (bar === 0) orders.buy(10);
    if (bar === 1) orders.close();
  };

  it('costs half of the spread of the bar of the fill', async () => {
    const series = seriesOf(rows, { spread: Float64Array.of(9, 0.5, 0.2, 9) });
    const slippage = { model: 'spread', column: 'spread' } as const;
    const { fills } = await run(series, buyAndSell, { settings: { slippage } });
    expect(fills).toEqual(['1 buy 10 @ 103.25 + 0', '2 sell 10 @ 104.9 + 0']);
  });

  it('may be a bid and an ask, which are exact', async () => {
    const series = seriesOf(rows, {
      bid: Float64Array.of(1, 103.01, 104.9, 1),
      ask: Float64Array.of(1, 103.03, 105.1, 1),
    });
    const slippage = { model: 'spread', bid: 'bid', ask: 'ask' } as const;
    const { fills } = await run(series, buyAndSell, { settings: { slippage } });
    expect(fills).toEqual(['1 buy 10 @ 103.01 + 0', '2 sell 10 @ 104.9 + 0']);
  });

  it('is required in every row', async () => {
    const slippage = { model: 'spread', bid: 'bid', ask: 'ask' } as const;
    await expect(run(seriesOf(rows), buyAndSell, { settings: { slippage } })).rejects.toMatchObject({
      code: 'missing_column',
    });
    const series = seriesOf(rows, {
      bid: Float64Array.of(1, 2, 1, 1),
      ask: Float64Array.of(1, 1, 105.1, 1),
    });
    await expect(run(series, buyAndSell, { settings: { slippage } })).rejects.toMatchObject({
      code: 'bad_data',
      message: 'The spreads cannot be used: 1 fault\n  A 1970-01-02: the spread is -1',
    });
    const holed = seriesOf(rows, {
      bid: Float64Array.of(1, 1, Number.NaN, 1),
      ask: Float64Array.of(1, 1, 105.1, 1),
    });
    await expect(run(holed, buyAndSell, { settings: { slippage } })).rejects.toMatchObject({
      code: 'bad_data',
      message:
        'The bars cannot be used: 1 fault\n  A bar 2 (1970-01-03): bid is NaN, not a number of at least 0',
    });
  });
});

describe('custom cost models', () => {
  const once = ({ bar, orders }: BarContext): void => void (bar === 0 && orders.buy(10));

  it('replace the models of the settings', async () => {
    const asked: unknown[] = [];
    const { fills, result } = await run(seriesOf(rows), once, {
      settings: { commissionRate: 0.5, slippageBps: 900 },
      costs: {
        commission: ({ quantity, maker }) => (maker ? 0 : 1 + 0.02 * quantity),
        slippage: (fill) => {
          asked.push(fill);
          return 0.001 * fill.quantity;
        },
      },
    });
    expect(fills).toEqual(['1 buy 10 @ 103.01 + 1.2']);
    expect(asked.at(-1)).toEqual({ symbol: 'A', side: 'buy', quantity: 10, price: 103, volume: 100 });
    expect(result.stamps).toEqual(['custom commission model', 'custom slippage model']);
  });

  it('are included in the affordable quantity', async () => {
    const { fills } = await run(
      seriesOf(rows),
      ({ bar, orders }) => void (bar === 0 && orders.submit({ action: 'buy', equityFraction: 1 })),
      {
        settings: { cash: 1_000 },
        costs: { commission: () => 100 },
      },
    );
    expect(fills).toEqual(['1 buy 8 @ 103 + 100']);
  });

  it.each([Number.NaN, -1, Number.POSITIVE_INFINITY, 1e308, 'much', ''])(
    'end the run if they return %s',
    async (answer) => {
      const { result, events } = await run(seriesOf(rows), once, { costs: { commission: () => answer } });
      expect(result).toMatchObject({ outcome: 'failed', error: { code: 'bad_cost_model' } });
      expect(events.at(-1)).toMatchObject({ type: 'run_finished', error: { code: 'bad_cost_model' } });
    },
  );
});

describe('finer bars', () => {
  const minutes = simulateMarket({ seed: 5, bars: 3_000, interval: '30min', regime: 'volatile' }).series[0]!;
  const days = resample(minutes, '1d');
  const trader = ({ orders, account, window, bar }: BarContext): void => {
    if (account.units() === 0 && bar % 2 === 0) {
      const price = window.close.last;
      orders.buy(100, {
        stopLoss: { fraction: 0.01 },
        takeProfit: { fraction: 0.01 },
        type: 'limit',
        limitPrice: price * 0.998,
      });
    }
  };
  const settings = { barTimes: 'end' as const };

  it('leave fewer ambiguous fills than the bars alone, and no fill outside them', async () => {
    const alone = await run(days, trader, { settings });
    const decided = await run(days, trader, { settings, detail: [minutes] });
    expect(alone.result.trades.length).toBeGreaterThan(5);
    expect(decided.fills).not.toEqual(alone.fills);
    expect(decided.result.ambiguity.fills).toBeLessThanOrEqual(alone.result.ambiguity.fills);
    for (const event of decided.events) {
      if (event.type !== 'order_filled') continue;
      expect(Number(event.price)).toBeGreaterThanOrEqual(days.low[event.bar]!);
      expect(Number(event.price)).toBeLessThanOrEqual(days.high[event.bar]!);
    }
  });

  it('produce the same fills of resting orders as a run on the finer bars', async () => {
    const levels = [0.97, 0.98, 0.99, 1.01, 1.02, 1.03];
    const place = ({ orders, window }: BarContext): void => {
      for (const level of levels) {
        const price = Math.round(window.close.last * level * 100) / 100;
        if (level < 1) orders.buy(1, { type: 'limit', limitPrice: price });
        else orders.buy(1, { type: 'stop', stopPrice: price });
      }
    };
    const coarse = await run(days, (turn) => void (turn.bar === 2 && place(turn)), {
      settings,
      detail: [minutes],
    });
    const first = minutes.time.indexOf(days.time[2]!);
    const fine = await run(minutes, (turn) => void (turn.bar === first && place(turn)));
    const prices = (fills: string[]): string[] => fills.map((fill) => fill.replace(/^\d+ /, ''));
    expect(coarse.fills.length).toBeGreaterThan(3);
    expect(prices(coarse.fills)).toEqual(prices(fine.fills));
  });

  it('after a bar change nothing up to that bar', async () => {
    const whole = await run(days, trader, { settings, detail: [minutes] });
    const cut = 30;
    const until = minutes.time.indexOf(days.time[cut]!) + 1;
    const early = (series: BarSeries, count: number): BarSeries =>
      barSeries(
        series.symbol,
        Array.from({ length: count }, (_, index) => ({
          time: series.time[index]!,
          open: series.open[index]!,
          high: series.high[index]!,
          low: series.low[index]!,
          close: series.close[index]!,
          volume: series.volume[index]!,
        })),
      );
    const part = await run(early(days, cut + 1), trader, { settings, detail: [early(minutes, until)] });
    const upTo = (events: RunEvent[]): RunEvent[] =>
      events.filter((event) => 'bar' in event && event.bar <= cut);
    expect(upTo(part.events)).toEqual(upTo(whole.events));
    // Finer bars of later days also have no effect.
    const more = await run(early(days, cut + 1), trader, { settings, detail: [minutes] });
    expect(upTo(more.events)).toEqual(upTo(whole.events));
  });
});
