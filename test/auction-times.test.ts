import { expect, it } from 'vitest';
import type { OrderRequest } from '../src/broker/index.ts';
import type { RunEvent } from '../src/engine/events/events.ts';
import { runBacktest } from '../src/engine/run.ts';
import { type RunSettingsInput, readRunSettings } from '../src/engine/settings/settings.ts';
import { barSeries, createMarket } from '../src/market/index.ts';
import { createMask, maskWorld, unmasker } from '../src/masking/index.ts';

const HOUR = 3_600_000;
const BEGIN = Date.parse('2020-01-06T00:00Z');

/** Three days of hourly bars. The open of a bar is its number plus 100, and the close is 0.5 higher. */
const market = createMarket(
  ['A', 'B'].map((symbol) => ({
    ...barSeries(
      symbol,
      Array.from({ length: 72 }, (_, bar) => ({
        time: BEGIN + bar * HOUR,
        open: 100 + bar,
        high: 101 + bar,
        low: 99 + bar,
        close: 100.5 + bar,
        volume: 1_000,
      })),
    ),
    interval: '1h',
  })),
);

type Orders = readonly { readonly bar: number; readonly request: OrderRequest }[];

async function eventsOf(
  world: Pick<Parameters<typeof runBacktest>[0], 'market' | 'settings'>,
  orders: Orders,
): Promise<RunEvent[]> {
  const events: RunEvent[] = [];
  const { error } = await runBacktest({
    ...world,
    decider: {
      decide({ bar, orders: desk }) {
        for (const one of orders) if (one.bar === bar) desk.submit(one.request);
      },
    },
    onEvent: (event) => events.push(event),
  });
  expect(error).toBeUndefined();
  return events;
}

const fillsOf = (events: readonly RunEvent[]): string[] =>
  events.flatMap((event) =>
    event.type === 'order_filled' ? [`${event.bar} ${event.symbol} ${event.price}`] : [],
  );

const SETTINGS: RunSettingsInput = {
  session: { hours: '08:00-16:00' },
  instruments: { B: { hours: '10:00-20:00' } },
};

const ORDERS: Orders = ['A', 'B'].flatMap((symbol) => [
  { bar: 11, request: { action: 'buy', symbol, quantity: 1, type: 'market_on_open' } },
  { bar: 11, request: { action: 'buy', symbol, quantity: 2, type: 'market_on_close' } },
  { bar: 11, request: { action: 'buy', symbol, quantity: 3, type: 'limit_on_open', limitPrice: 500 } },
  { bar: 11, request: { action: 'buy', symbol, quantity: 4, type: 'limit_on_close', limitPrice: 500 } },
]);

it('orders fill at the auctions of the session, or at those of the hours of an instrument', async () => {
  const events = await eventsOf({ market, settings: SETTINGS }, ORDERS);
  expect(fillsOf(events)).toEqual([
    '15 A 115.5',
    '15 A 115.5',
    '19 B 119.5',
    '19 B 119.5',
    '32 A 132',
    '32 A 132',
    '34 B 134',
    '34 B 134',
  ]);
});

it('orders fill at the next bar in a 24-hour session', async () => {
  const events = await eventsOf({ market, settings: { session: {} } }, ORDERS.slice(0, 4));
  expect(fillsOf(events)).toEqual(['12 A 112', '12 A 112', '12 A 112.5', '12 A 112.5']);
});

it('orders of a symbol without hours fill at the next bar, next to a symbol with hours', async () => {
  const events = await eventsOf({ market, settings: { instruments: SETTINGS.instruments } }, ORDERS);
  expect(fillsOf(events)).toEqual([
    '12 A 112',
    '12 A 112',
    '12 A 112.5',
    '12 A 112.5',
    '19 B 119.5',
    '19 B 119.5',
    '34 B 134',
    '34 B 134',
  ]);
});

it.each<[string, RunSettingsInput]>([
  ['sessions and own hours', SETTINGS],
  ['a session of a whole day', { session: {} }],
])('orders fill in the same bars with masked dates, with %s', async (_, given) => {
  const settings = readRunSettings(given);
  const mask = createMask(['dates'], market, 3, settings);
  const masked = maskWorld({ market, settings, rates: [], actions: [] }, mask);
  expect(JSON.stringify(masked.settings)).not.toContain('10:00-20:00');
  const real = unmasker({ mask, symbols: masked.market.symbols });
  const [, ...is] = (await eventsOf(masked, ORDERS)).map((event) => real(event));
  const [, ...was] = await eventsOf({ market, settings }, ORDERS);
  expect(is).toEqual(was);
});

it('no fill changes if later bars are removed', async () => {
  const cut = createMarket(
    market.series.map((series) => ({
      ...barSeries(
        series.symbol,
        Array.from({ length: 20 }, (_, bar) => ({
          time: series.time[bar]!,
          open: series.open[bar]!,
          high: series.high[bar]!,
          low: series.low[bar]!,
          close: series.close[bar]!,
          volume: series.volume[bar]!,
        })),
      ),
      interval: '1h',
    })),
  );
  const events = await eventsOf({ market: cut, settings: SETTINGS }, ORDERS);
  expect(fillsOf(events)).toEqual(['15 A 115.5', '15 A 115.5', '19 B 119.5', '19 B 119.5']);
});
