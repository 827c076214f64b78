import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY } from '../../kernel/index.ts';
import { barSeries, createMarket, type Market, simulateMarket } from '../../market/index.ts';
import type { BarContext, Decider, Decision } from '../decider.ts';
import { runBacktest } from '../run.ts';
import type { RunEvent } from './events.ts';
import { EventsSince } from './events-since.ts';

const FIRST = Date.UTC(2024, 0, 1);

function marketOf(opens: readonly number[]): Market {
  const row = (open: number, bar: number) => ({
    time: FIRST + bar * DAY,
    open,
    high: open + 1,
    low: open - 1,
    close: open,
    volume: 1_000,
  });
  return createMarket([barSeries('A', opens.map(row))]);
}

/** Returns the events that each decision receives. */
async function walk(
  market: Market,
  decide: (turn: BarContext) => Decision | void,
  options: Partial<Parameters<typeof runBacktest>[0]> = {},
): Promise<{ found: EventsSince[]; events: RunEvent[]; equity: Float64Array }> {
  const found: EventsSince[] = [];
  const events: RunEvent[] = [];
  const decider: Decider = {
    decide(turn) {
      found.push(turn.eventsSince);
      return decide(turn);
    },
  };
  const result = await runBacktest({
    market,
    decider,
    settings: { cash: '1000' },
    onEvent: (event) => events.push(event),
    ...options,
  });
  if (result.error !== undefined) throw result.error;
  return { found, events, equity: result.equity };
}

describe('eventsSince', () => {
  it('contains order and account events of the market, and the profit', async () => {
    const { found } = await walk(
      marketOf([100, 100, 110, 120]),
      ({ bar, orders }) => {
        if (bar === 0) orders.submit({ action: 'buy', quantity: 5, stopLoss: 90 });
      },
      { actions: [{ symbol: 'A', time: FIRST + 2 * DAY, kind: 'dividend', amount: '2' }] },
    );
    const shown = found.map(({ bar, profit, events }) => ({
      bar,
      profit,
      events: events.map(({ type }) => type),
    }));
    expect(shown).toEqual([
      { bar: null, profit: 0, events: [] },
      { bar: 0, profit: 0, events: ['order_filled', 'order_accepted'] },
      { bar: 1, profit: 60, events: ['cash_entry'] },
      { bar: 2, profit: 50, events: [] },
    ]);
    expect(found[1]!.of('order_filled').map(({ quantity, price }) => [quantity, price])).toEqual([
      ['5', '100'],
    ]);
  });

  it('contains rejections of returned orders and at fills, but not those returned immediately', async () => {
    const { found } = await walk(marketOf([100, 200, 200]), ({ bar, orders }) => {
      if (bar !== 0) return undefined;
      orders.submit({ action: 'buy', quantity: 11 });
      return {
        orders: [
          { action: 'buy', quantity: 9 },
          { action: 'buy', quantity: 12 },
        ],
      };
    });
    const refused = found[1]!.of('order_rejected').map(({ orderId, code }) => [orderId, code]);
    expect(refused).toEqual([
      [null, 'buying_power'],
      [1, 'buying_power'],
    ]);
  });

  it('contains fills at the close with --fill-on close, and their cost in the profit', async () => {
    const { found } = await walk(
      marketOf([100, 100]),
      ({ bar, orders }) => {
        if (bar === 0) orders.submit({ action: 'buy', quantity: 5 });
      },
      { settings: { cash: '1000', fillOn: 'close', commissionRate: 0.01 } },
    );
    expect(found[1]!.of('order_filled')).toHaveLength(1);
    expect(found[1]!.profit).toBe(-5);
  });

  it('equals the journal without events of decisions, and profits sum up to the profit of the run', () =>
    fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 1_000 }),
        fc.array(fc.integer({ min: -9, max: 9 }), { minLength: 30, maxLength: 30 }),
        async (seed, sizes) => {
          const { found, events, equity } = await walk(
            simulateMarket({ seed, bars: 30 }),
            ({ bar, orders }) => {
              const size = sizes[bar]!;
              if (size === 0) for (const { id } of orders.pending()) orders.cancel(id);
              else
                orders.submit({
                  action: size > 0 ? 'buy' : 'sell',
                  quantity: Math.abs(size),
                  ...(size % 2 === 0 ? { stopLoss: { fraction: 0.01 } } : {}),
                });
            },
          );
          const last = found.at(-1)!;
          const whole = found.slice(1).reduce((all, one) => all.and(one), found[0]!);
          const fills = events.filter(
            (event) => event.type === 'order_filled' || event.type === 'trade_closed',
          );
          const seen = whole.events.filter(
            (event) => event.type === 'order_filled' || event.type === 'trade_closed',
          );
          expect(seen).toEqual(fills);
          expect(events.filter((event) => (whole.events as readonly RunEvent[]).includes(event))).toEqual(
            whole.events,
          );
          expect(whole.profit).toBeCloseTo(equity.at(-1)! - 1_000, 6);
          expect(last.equity).toBe(equity.at(-1));
        },
      ),
      { numRuns: 30 },
    ));

  it('is available to a decider that declares it, also without a listener, and refused otherwise', async () => {
    const read: number[] = [];
    const decider = (readsEvents: boolean): Decider => ({
      ...(readsEvents ? { readsEvents } : {}),
      decide({ bar, orders, eventsSince }) {
        read.push(eventsSince.events.length);
        if (bar === 0) orders.submit({ action: 'buy', quantity: 1 });
      },
    });
    const market = marketOf([100, 100]);
    await runBacktest({ market, decider: decider(true), settings: { cash: '1000' } });
    expect(read).toEqual([0, 1]);
    const { error } = await runBacktest({ market, decider: decider(false), settings: { cash: '1000' } });
    expect(error).toMatchObject({ code: 'events_not_kept' });
  });

  it('of two bars combines into one from the first bar to the last equity', () => {
    const one = new EventsSince({ bar: 1, time: 1, equityBefore: 100, equity: 110, events: [] });
    const two = new EventsSince({ bar: 2, time: 2, equityBefore: 110, equity: 90, events: [] });
    expect(one.and(two)).toMatchObject({ bar: 1, equityBefore: 100, equity: 90, profit: -10 });
  });
});
