import { describe, expect, it } from 'vitest';
import { DAY, decimalString } from '../kernel/index.ts';
import { barSeries, createMarket } from '../market/index.ts';
import type { BarContext } from './decider.ts';
import type { RunEvent } from './events/events.ts';
import { type BacktestResult, runBacktest } from './run.ts';
import type { RunSettingsInput } from './settings/settings.ts';

type Row = readonly [open: number, high: number, low: number, close: number];
type Filled = Extract<RunEvent, { type: 'order_filled' }>;

const flat = (price: number): Row => [price, price, price, price];

/** Symbols that trade in euros. One euro is two dollars of the account. */
const IN_EUROS: RunSettingsInput = {
  instruments: { A: { currency: 'EUR' }, B: { currency: 'EUR' }, C: { currency: 'EUR' } },
  currencies: { EUR: { rate: 2 } },
};

async function run(
  prices: Readonly<Record<string, readonly Row[]>>,
  decide: (turn: BarContext) => void,
  settings: RunSettingsInput,
): Promise<{ result: BacktestResult; events: RunEvent[]; fills: Filled[] }> {
  const events: RunEvent[] = [];
  const series = Object.entries(prices).map(([symbol, rows]) =>
    barSeries(
      symbol,
      rows.map(([open, high, low, close], day) => ({ time: day * DAY, open, high, low, close, volume: 100 })),
    ),
  );
  const instruments = Object.fromEntries(
    Object.entries(settings.instruments ?? {}).filter(([symbol]) => symbol in prices),
  );
  const result = await runBacktest({
    market: createMarket(series),
    decider: { decide },
    settings: { ...settings, instruments },
    onEvent: (event) => events.push(event),
  });
  return { result, events, fills: events.filter((event) => event.type === 'order_filled') };
}

const shown = (fills: readonly Filled[]): string[] =>
  fills.map(({ bar, side, quantity, symbol, price, reason }) =>
    `${bar} ${side} ${quantity} ${symbol} @ ${price} ${reason ?? ''}`.trim(),
  );

describe('amounts in the account currency', () => {
  it('determine the volume of commission tiers', async () => {
    // 10 units at 100 euros are 2,000 dollars, where the second tier begins. The second order is therefore
    // charged by the second tier. An amount of 1,000, counted in euros, would not reach this tier.
    const { fills } = await run(
      { A: [flat(100), flat(100), flat(100)] },
      ({ orders }) => void orders.buy(10),
      {
        ...IN_EUROS,
        commission: {
          model: 'tiered',
          tiers: [
            { from: 0, rate: 0.01 },
            { from: 2_000, rate: 0.001 },
          ],
        },
      },
    );
    // Commission in dollars: 1 % of 2,000 for the first order, 0.1 % of 2,000 for the second.
    expect(fills.map(({ commission }) => commission)).toEqual(['20', '2']);
  });

  it('determine the gross exposure for margin requirements', async () => {
    // 30 units are worth 6,000 dollars at 100 euros and 5,100 dollars at 85 euros. At 85 the equity is 2,100
    // dollars, above the maintenance margin of 40 %.
    const falling = { A: [flat(100), flat(100), flat(85), flat(84), flat(80)] };
    const buy = ({ bar, orders }: BarContext): void => {
      if (bar === 0) orders.buy(30);
    };
    const { fills } = await run(falling, buy, {
      ...IN_EUROS,
      cash: 3_000,
      leverage: 2,
      maintenanceMargin: 0.4,
    });
    // At 84 the equity of 2,040 is above the maintenance margin of 2,016. At 80 the equity of 1,800 is below
    // the margin of 1,920, so the position is sold at the open of the next bar.
    expect(shown(fills)).toEqual(['1 buy 30 A @ 100']);
    const longer = { A: [...falling.A, flat(79)] };
    const liquidated = await run(longer, buy, {
      ...IN_EUROS,
      cash: 3_000,
      leverage: 2,
      maintenanceMargin: 0.4,
    });
    expect(shown(liquidated.fills)).toEqual(['1 buy 30 A @ 100', '5 sell 30 A @ 79 liquidation']);
  });

  it('determine the gross exposure for risk limits, with positions and pending orders', async () => {
    const { events } = await run(
      { A: [flat(100), flat(100), flat(100)], B: [flat(10), flat(10), flat(10)] },
      ({ bar, orders }) => {
        // 10 units of A at 100 euros are 2,000 of the 3,000 dollars that the limit allows. 51 units of B at
        // 10 euros would be a further 1,020 dollars.
        if (bar === 0) {
          orders.buy(10, { symbol: 'A' });
          orders.buy(51, { symbol: 'B' });
        }
        if (bar === 1) orders.buy(51, { symbol: 'B' });
      },
      { ...IN_EUROS, cash: 10_000, risk: { maxGrossExposure: 0.3 } },
    );
    expect(events.filter(({ type }) => type === 'order_rejected')).toMatchObject([
      { bar: 0, code: 'risk_gross_exposure', remedy: 'At most 50 would be accepted.' },
      { bar: 1, code: 'risk_gross_exposure', remedy: 'At most 50 would be accepted.' },
    ]);
  });

  it('are the reported gain of the better outcome of an ambiguous bar', async () => {
    const gains = async (settings: RunSettingsInput): Promise<string[]> => {
      const { fills } = await run(
        { A: [flat(100), flat(100), [100, 112, 88, 100]] },
        ({ bar, orders }) => void (bar === 0 && orders.buy(10, { stopLoss: 90, takeProfit: 110 })),
        settings,
      );
      return fills.flatMap(({ gainIfOther }) => (gainIfOther === undefined ? [] : [gainIfOther]));
    };
    // The booked outcome sells ten units at 90, the better outcome sells them at 110.
    expect(await gains({})).toEqual(['200']);
    expect(await gains(IN_EUROS)).toEqual(['400']);
  });
});

describe('a liquidation', () => {
  it('continues from the largest loser to the next until the margin is sufficient', async () => {
    const prices = {
      A: [flat(100), flat(100), flat(95), flat(95)],
      B: [flat(100), flat(100), flat(70), flat(71)],
      C: [flat(100), flat(100), flat(80), flat(81)],
    };
    const { fills, result } = await run(
      prices,
      ({ bar, orders }) => {
        if (bar === 0) for (const symbol of ['A', 'B', 'C']) orders.buy(20, { symbol });
      },
      { cash: 2_000, leverage: 4, maintenanceMargin: 0.3 },
    );
    // Losses of 100, 600 and 400 leave equity of 900. The maintenance margin is 30 %: of positions worth
    // 4,900 at first (1,470), of 3,500 without B (1,050), and of 1,900 without B and C (570).
    expect(shown(fills)).toEqual([
      '1 buy 20 A @ 100',
      '1 buy 20 B @ 100',
      '1 buy 20 C @ 100',
      '3 sell 20 B @ 71 liquidation',
      '3 sell 20 C @ 81 liquidation',
    ]);
    expect(decimalString(result.finalEquity)).toBe('940');
  });
});
