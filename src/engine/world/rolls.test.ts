import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRandom, DAY, parseInstant } from '../../kernel/index.ts';
import { type BarSeries, barSeries, continuousSeries, createMarket, type Roll } from '../../market/index.ts';
import type { RunEvent } from '../events/events.ts';
import { runBacktest } from '../run.ts';
import type { RunSettingsInput } from '../settings/settings.ts';

const start = parseInstant('2024-01-01')!;
const cents = (value: number): number => Math.round(value * 100) / 100;

/** Creates a chain of contracts, each above or below the previous one, with a roll about every ten days. */
function chain(seed: number): { raw: BarSeries; adjusted: BarSeries; rolls: readonly Roll[] } {
  const random = createRandom(seed);
  const spot: { open: number; high: number; low: number; close: number }[] = [];
  for (let day = 0, last = 100; day < 60; day++) {
    const open = cents(last + random.next() - 0.5);
    const close = cents(open + 2 * random.next() - 1);
    spot.push({
      open,
      close,
      high: cents(Math.max(open, close) + random.next()),
      low: cents(Math.min(open, close) - random.next()),
    });
    last = close;
  }
  const contracts = Array.from({ length: 5 }, (_, index) => {
    const basis = cents(20 * random.next() - 10);
    const days = spot
      .map((bar, day) => ({ ...bar, day }))
      .slice(Math.max(0, index * 11 - 5), index * 11 + 16);
    const volumeOf = (day: number): number =>
      Math.max(1, 20 - Math.abs(day - index * 11 - 5) + Math.round(4 * random.next()));
    return barSeries(
      `C${index}`,
      days.map(({ day, open, high, low, close }) => {
        const own = cents(basis + random.next() / 10);
        const price = (value: number): number => cents(value + own);
        return {
          time: start + day * DAY,
          open: price(open),
          high: price(high),
          low: price(low),
          close: price(close),
          volume: volumeOf(day),
        };
      }),
    );
  });
  const expiries = contracts.map(({ symbol, time }) => ({ contract: symbol, expiry: time.at(-1)! }));
  const options = { symbol: 'F', expiries, roll: { kind: 'volume' } } as const;
  const { series: raw, rolls } = continuousSeries(contracts, { ...options, adjust: 'none' });
  return { raw, rolls, adjusted: continuousSeries(contracts, { ...options, adjust: 'back' }).series };
}

/** Runs a strategy whose orders depend only on visible price differences. */
async function run(series: BarSeries, actions: readonly Roll[], settings: RunSettingsInput, seed: number) {
  const random = createRandom(seed);
  const events: RunEvent[] = [];
  const seen: number[][] = [];
  const result = await runBacktest({
    market: createMarket([series]),
    actions,
    settings: { cash: 1_000_000, ...settings },
    onEvent: (event) => events.push(event),
    decider: {
      decide({ window, account, orders }) {
        const last = window.close.last;
        seen.push([...window.close.tail(50)].map((price) => cents(price - last)));
        const draw = random.next();
        const offset = cents(3 * random.next());
        const quantity = 1 + Math.floor(5 * random.next());
        if (draw < 0.2) orders.buy(quantity, { stopLoss: { distance: 2 }, takeProfit: { distance: 3 } });
        else if (draw < 0.4) orders.sell(quantity, { stopLoss: { distance: 2, trail: true } });
        else if (draw < 0.55)
          orders.buy(quantity, {
            type: 'limit',
            limitPrice: cents(last - offset),
            stopLoss: cents(last - offset - 2),
          });
        else if (draw < 0.7) orders.sell(quantity, { type: 'stop', stopPrice: cents(last - offset) });
        else if (draw < 0.75 && account.units() !== 0) orders.close();
      },
    },
  });
  if (result.error !== undefined) throw result.error;
  return { result, events, seen };
}

describe('a run over futures rolls', () => {
  it.each([
    { lots: 'fifo', own: {} },
    { lots: 'average', own: {} },
    { lots: 'fifo', own: { margin: 400 } },
    { lots: 'average', own: { margin: 400 } },
  ] as const)(
    'has the same equity at every close as the run on back-adjusted bars ($lots, $own)',
    async ({ lots, own: terms }) => {
      let rolled = 0;
      for (const seed of [1, 2, 3, 4, 5, 6, 7, 8]) {
        const { raw, adjusted, rolls } = chain(seed);
        expect(rolls.length).toBeGreaterThan(2);
        const settings = { lots, instruments: { F: { multiplier: 50, tick: 0.01, ...terms } } };
        const own = await run(raw, rolls, settings, seed);
        const other = await run(adjusted, [], settings, seed);
        // The run with rolls must match the run on back-adjusted bars: the price gap of a roll is not a
        // profit, and visible prices and orders are converted to the new contract.
        for (const [bar, equity] of own.result.equity.entries())
          expect(equity).toBeCloseTo(other.result.equity[bar]!, 6);
        expect(own.seen).toEqual(other.seen);
        rolled += own.events.filter((event) => event.type === 'rolled' && event.quantity !== '0').length;
        const fills = (events: readonly RunEvent[]) =>
          events.flatMap((event) =>
            event.type === 'order_filled' && event.reason !== 'roll'
              ? [[event.bar, event.side, event.quantity]]
              : [],
          );
        expect(fills(own.events)).toEqual(fills(other.events));
      }
      expect(rolled).toBeGreaterThan(5);
    },
  );

  it('does not depend on later rolls', async () => {
    const { raw, rolls } = chain(11);
    const whole = await run(raw, rolls, {}, 11);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: raw.time.length - 1 }), fc.boolean(), async (bar, drops) => {
        const cut = raw.time[bar]!;
        const later = ({ time }: Roll): boolean => time > cut;
        const others = drops
          ? rolls.filter((roll) => !later(roll))
          : rolls.map((roll) => (later(roll) ? { ...roll, oldPrice: '55', oldContract: 'OTHER' } : roll));
        const other = await run(raw, others, {}, 11);
        const known = (events: readonly RunEvent[]): RunEvent[] =>
          events.filter((event) => 'bar' in event && event.bar <= bar);
        expect(known(other.events)).toEqual(known(whole.events));
        expect(other.seen.slice(0, bar + 1)).toEqual(whole.seen.slice(0, bar + 1));
      }),
      { numRuns: 25 },
    );
  });

  it('refuses invalid rolls, and rolls that do not match the bars', async () => {
    const { raw, rolls } = chain(3);
    const [first] = rolls;
    await expect(run(raw, [{ ...first!, oldPrice: '-1' }], {}, 1)).rejects.toThrow(
      'oldPrice is "-1": give a price above 0',
    );
    await expect(run(raw, [{ ...first!, newPrice: '1' }], {}, 1)).rejects.toThrow(
      /C1 is at 1, but the bar of .* opens at /,
    );
    await expect(run(raw, [first!, first!], {}, 1)).rejects.toThrow('repeats the roll of F');
  });

  it('cancels an order whose price would fall to zero or below', async () => {
    const bar = (number: number, price: number) => {
      return {
        time: start + number * DAY,
        open: price,
        high: price + 1,
        low: price - 1,
        close: price,
        volume: 5,
      };
    };
    const events: RunEvent[] = [];
    await runBacktest({
      market: createMarket([barSeries('F', [bar(0, 100), bar(1, 100), bar(2, 40), bar(3, 40)])]),
      actions: [
        {
          symbol: 'F',
          time: start + 2 * DAY,
          kind: 'roll',
          oldContract: 'A',
          newContract: 'B',
          oldPrice: '100',
          newPrice: '40',
        },
      ],
      onEvent: (event) => events.push(event),
      decider: {
        decide: ({ bar: now, orders }) =>
          void (now === 0 && orders.buy(1, { type: 'limit', limitPrice: 50 })),
      },
    });
    expect(events).toContainEqual({
      type: 'order_cancelled',
      bar: 2,
      orderId: 1,
      symbol: 'F',
      code: 'rolled',
      message: 'After the roll the price of the order is not above zero.',
    });
  });
});
