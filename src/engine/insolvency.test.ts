import { describe, expect, it } from 'vitest';
import { DAY, decimalString } from '../kernel/index.ts';
import { type Bar, barSeries, createMarket } from '../market/index.ts';
import type { BarContext } from './decider.ts';
import type { RunEvent } from './events/events.ts';
import { type BacktestOptions, type BacktestResult, runBacktest } from './run.ts';
import { readRunSettings } from './settings/settings.ts';

type Row = readonly [open: number, high: number, low: number, close: number];

const flat = (price: number): Row => [price, price, price, price];

async function run(
  prices: Readonly<Record<string, readonly (Row | null)[]>>,
  decide: (turn: BarContext) => void,
  options: Partial<BacktestOptions> = {},
): Promise<{ result: BacktestResult; events: RunEvent[]; fills: string[] }> {
  const events: RunEvent[] = [];
  const series = Object.entries(prices).map(([symbol, rows]) =>
    barSeries(
      symbol,
      rows.flatMap((row, day): Bar[] => {
        if (row === null) return [];
        const [open, high, low, close] = row;
        return [{ time: day * DAY, open, high, low, close, volume: 100 }];
      }),
    ),
  );
  const result = await runBacktest({
    market: createMarket(series),
    decider: { decide },
    onEvent: (event) => events.push(event),
    ...options,
  });
  const fills = events.flatMap((event) =>
    event.type === 'order_filled'
      ? [
          `${event.bar} ${event.symbol} ${event.side} ${event.quantity} @ ${event.price} + ${event.commission} ${event.reason ?? ''}`.trim(),
        ]
      : [],
  );
  return { result, events, fills };
}

const last = (events: readonly RunEvent[]): Record<string, unknown> => ({ ...events.at(-1) });

describe('an account at or below zero', () => {
  // 100 units short at 100 with 10,000 of cash. At 200 the equity is zero, at 250 the account owes 5,000.
  const doubled = [flat(100), flat(100), [100, 250, 100, 250] as const, flat(50), flat(50)];
  const short = ({ bar, orders }: BarContext): void => {
    if (bar === 0) orders.sell(100);
  };

  it('ends the run at that price, with all positions closed at their costs and no later income', async () => {
    const paid = await run({ A: doubled }, short, {
      settings: { cash: 10_010, commission: { model: 'fixed', amount: 10 } },
    });
    expect(paid.fills).toEqual(['1 A sell 100 @ 100 + 10', '2 A buy 100 @ 250 + 10 insolvent']);
    expect(paid.result).toMatchObject({ outcome: 'insolvent', bars: 3 });
    // Cash after selling short and buying back at 250: 10,010 − 10 (commission) − 15,000 (loss) − 10
    // (commission). A negative balance is reported unchanged.
    expect(decimalString(paid.result.finalEquity)).toBe('-5010');
    expect([...paid.result.equity]).toEqual([10_010, 10_000, -5_010]);
    expect(last(paid.events)).toMatchObject({
      type: 'run_finished',
      outcome: 'insolvent',
      bars: 3,
      openTrades: [],
      insolvency: { bar: 2, equity: '-5000' },
    });
    expect(paid.events.at(-2)).toMatchObject({ type: 'bar', bar: 2, equity: '-5010', cash: '-5010' });
  });

  describe('marked at opens', () => {
    // The tests below open a short position of 100 units at 100, which has no equity left at 200.
    const settings = { cash: 10_000, mark: 'open' } as const;

    it('ends at an open without equity, before a take profit inside the bar could fill', async () => {
      const prices = { A: [flat(100), flat(100), [210, 210, 40, 50] as const, flat(50)] };
      const decide = ({ bar, orders }: BarContext): void => {
        if (bar === 0) orders.sell(100, { takeProfit: 60 });
      };
      const atOpen = await run(prices, decide, { settings });
      expect(atOpen.result).toMatchObject({ outcome: 'insolvent', bars: 3 });
      expect(atOpen.fills.at(-1)).toBe('2 A buy 100 @ 210 + 0 insolvent');
      expect(last(atOpen.events)).toMatchObject({ insolvency: { bar: 2, equity: '-1000' } });
      expect(atOpen.events.at(-2)).toMatchObject({ type: 'bar', bar: 2, equity: '-1000' });
      expect((await run(prices, decide, { settings: { cash: 10_000 } })).result.outcome).toBe('completed');
    });

    it('ends at a close without equity, even if the neighbouring opens are profitable', async () => {
      const prices = { A: [flat(100), flat(100), [100, 250, 100, 250] as const, flat(100)] };
      const atClose = await run(prices, short, { settings });
      expect(atClose.result).toMatchObject({ outcome: 'insolvent', bars: 3 });
      expect(atClose.fills.at(-1)).toBe('2 A buy 100 @ 250 + 0 insolvent');
    });

    it('uses opens as marks if no close leaves zero equity, and continues below zero if allowed', async () => {
      const prices = { A: [flat(100), flat(100), [110, 130, 100, 130] as const, flat(300), flat(100)] };
      const { result } = await run(prices, short, { settings: { ...settings, allowNegativeEquity: true } });
      expect(result.outcome).toBe('completed');
      expect([...result.equity]).toEqual([10_000, 10_000, 9_000, -10_000, 10_000]);
      const cut = await run({ A: prices.A.slice(0, 3) }, short, { settings });
      expect([...cut.result.equity]).toEqual([10_000, 10_000, 9_000]);
    });
  });

  it('makes no decision on the last bar', async () => {
    const bars: number[] = [];
    await run(
      { A: doubled },
      (turn) => {
        bars.push(turn.bar);
        short(turn);
      },
      { settings: { cash: 10_000 } },
    );
    expect(bars).toEqual([0, 1]);
  });

  it('ends at exactly zero, and not at one cent above', async () => {
    const zero = await run({ A: [flat(100), flat(100), flat(200), flat(100)] }, short, {
      settings: { cash: 10_000 },
    });
    expect(zero.result.outcome).toBe('insolvent');
    expect(decimalString(zero.result.finalEquity)).toBe('0');
    const above = await run({ A: [flat(100), flat(100), flat(199.9999), flat(100)] }, short, {
      settings: { cash: 10_000 },
    });
    expect(above.result.outcome).toBe('completed');
    expect(decimalString(above.result.finalEquity)).toBe('10000');
  });

  it('has its orders cancelled, and closes symbols without a bar at their last price', async () => {
    const { fills, events } = await run(
      { A: doubled, B: [flat(10), flat(10), null, flat(10), flat(10)] },
      ({ bar, orders }) => {
        if (bar !== 0) return;
        orders.sell(100, { symbol: 'A' });
        orders.buy(100, { symbol: 'B' });
        orders.buy(1, { symbol: 'B', type: 'limit', limitPrice: 5 });
      },
      { settings: { cash: 11_010, slippageBps: 10 } },
    );
    expect(fills.slice(-2)).toEqual(['2 A buy 100 @ 250 + 0 insolvent', '2 B sell 100 @ 10 + 0 insolvent']);
    expect(events.filter(({ type }) => type === 'order_cancelled')).toMatchObject([
      { orderId: 3, code: 'insolvent' },
    ]);
  });

  it('ends the run at the close too with fills at the close', async () => {
    const ruined = await run(
      { A: [flat(1), flat(1)] },
      ({ orders }) => {
        for (let time = 0; time < 5; time++) {
          orders.buy(1);
          orders.close();
        }
      },
      { settings: { cash: 600, fillOn: 'close', commission: { model: 'fixed', amount: 60 } } },
    );
    expect(ruined.result).toMatchObject({ outcome: 'insolvent', bars: 1 });
    expect(decimalString(ruined.result.finalEquity)).toBe('0');
  });

  it('continues if negative equity is allowed, and reports it', async () => {
    const { result, fills } = await run({ A: doubled }, short, {
      settings: { cash: 10_000, allowNegativeEquity: true },
    });
    expect(result).toMatchObject({ outcome: 'completed', bars: 5, stamps: ['negative equity allowed'] });
    expect(fills).toHaveLength(1);
    expect([...result.equity]).toEqual([10_000, 10_000, -5_000, 15_000, 15_000]);
  });
});

describe('the maintenance margin', () => {
  it('is half of the initial requirement with leverage, and none without', () => {
    expect(readRunSettings({}).maintenanceMargin).toBe(0);
    expect(readRunSettings({ leverage: 4 }).maintenanceMargin).toBe(0.125);
    expect(readRunSettings({ leverage: 4, maintenanceMargin: 0 }).maintenanceMargin).toBe(0);
    expect(readRunSettings({ leverage: 4, maintenanceMargin: 0.2 }).maintenanceMargin).toBe(0.2);
  });

  it('liquidates a position of nine times the equity before the equity is negative', async () => {
    // 90 units are bought at 100 with equity of 1,000. At 94 the equity is 460. The maintenance margin is
    // 1/18 of 90 × 94, which is 470.
    const { fills, result } = await run(
      { A: [flat(100), flat(100), flat(94), flat(93), flat(200)] },
      ({ bar, orders }) => void (bar === 0 && orders.buy(90)),
      { settings: { cash: 1_000, leverage: 9 } },
    );
    expect(fills).toEqual(['1 A buy 90 @ 100 + 0', '3 A sell 90 @ 93 + 0 liquidation']);
    expect(decimalString(result.finalEquity)).toBe('370');
  });
});
