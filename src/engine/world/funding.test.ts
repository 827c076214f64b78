import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRandom, DAY, parseInstant } from '../../kernel/index.ts';
import { barSeries, createMarket, type FundingRate, simulateMarket } from '../../market/index.ts';
import type { RunEvent } from '../events/events.ts';
import { type BacktestOptions, runBacktest } from '../run.ts';

const HOUR = 3_600_000;

/** Returns all events of a run that is alternately long, short and flat. */
async function eventsOf(
  options: Pick<BacktestOptions, 'market' | 'actions' | 'settings'>,
): Promise<RunEvent[]> {
  const events: RunEvent[] = [];
  const { error } = await runBacktest({
    ...options,
    onEvent: (event) => events.push(event),
    decider: {
      decide({ bar, orders, symbols }) {
        for (const symbol of symbols) {
          if (bar % 7 === 2) orders.submit({ action: 'buy', symbol, quantity: 3 });
          if (bar % 7 === 5)
            orders.submit({ action: 'sell', symbol, quantity: 5, stopLoss: { fraction: 0.01 } });
        }
      },
    },
  });
  if (error !== undefined) throw error;
  return events;
}

const entriesOf = (events: readonly RunEvent[]) =>
  events.flatMap((event) => (event.type === 'cash_entry' ? [event] : []));

const market = simulateMarket({ seed: 3, bars: 60, interval: '4h', symbols: ['AAA', 'BBB'] });
const clock = market.clock;

function ratesOf(seed: number): FundingRate[] {
  const random = createRandom(seed);
  const at = new Set(Array.from({ length: 80 }, () => clock[0]! + Math.floor(random.next() * 240) * HOUR));
  return [...at].map((time) => ({
    symbol: random.next() < 0.5 ? 'AAA' : 'BBB',
    time,
    kind: 'funding',
    rate: ((random.next() - 0.5) / 100).toFixed(6),
  }));
}

describe('funding', () => {
  it('does not depend on later rates: removing or changing them changes no earlier event', async () => {
    const rates = ratesOf(1);
    const whole = await eventsOf({ market, actions: rates });
    expect(entriesOf(whole).length).toBeGreaterThan(30);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 240 }), fc.boolean(), async (hour, drops) => {
        const cut = clock[0]! + hour * HOUR;
        const actions = rates.flatMap((rate) => {
          if (rate.time < cut) return [rate];
          return drops ? [] : [{ ...rate, rate: '0.5' }];
        });
        const other = await eventsOf({ market, actions });
        // Returns the events of bars that have ended by the instant `cut`.
        const known = (events: readonly RunEvent[]): RunEvent[] =>
          events.filter((event) => 'bar' in event && clock[event.bar]! + 4 * HOUR <= cut);
        expect(known(other)).toEqual(known(whole));
      }),
      { numRuns: 25 },
    );
  });

  it('equals a direct calculation over the bars', async () => {
    for (const seed of [5, 6, 7]) {
      const rates = ratesOf(seed);
      const events = await eventsOf({ market, actions: rates });
      const held: Record<string, number> = { AAA: 0, BBB: 0 };
      const expected: string[] = [];
      const bars = market.series.map((series) => [series.symbol, series] as const);
      for (const [bar, time] of clock.entries()) {
        for (const [at, price] of [
          [(instant: number) => instant === time, 'open'],
          [(instant: number) => instant > time && instant < time + 4 * HOUR, 'close'],
        ] as const) {
          const own = rates
            .filter((rate) => at(rate.time))
            .sort((a, b) => a.time - b.time || (a.symbol < b.symbol ? -1 : 1));
          for (const { symbol, rate } of own) {
            const series = Object.fromEntries(bars)[symbol]!;
            const amount = -held[symbol]! * series[price][bar]! * Number(rate);
            if (amount !== 0) expected.push(`${bar} ${symbol} ${amount.toFixed(6)}`);
          }
          if (price === 'close') continue;
          for (const event of events)
            if (event.type === 'order_filled' && event.bar === bar)
              held[event.symbol]! += Number(event.quantity) * (event.side === 'buy' ? 1 : -1);
        }
      }
      expect(
        entriesOf(events).map(({ bar, symbol, amount }) => `${bar} ${symbol} ${Number(amount).toFixed(6)}`),
      ).toEqual(expected);
    }
  });

  it('with end timestamps is charged when the next bar begins', async () => {
    const day = (number: number): number => parseInstant('2024-01-01')! + number * DAY;
    const bar = (number: number, open: number, close: number) => {
      return { time: day(number), open, high: 200, low: 50, close, volume: 9 };
    };
    const own = createMarket([
      barSeries('A', [bar(1, 100, 101), bar(2, 102, 104), bar(3, 110, 109), bar(4, 108, 107)]),
    ]);
    const at = (time: number): FundingRate => ({ symbol: 'A', time, kind: 'funding', rate: '0.01' });
    const charged = async (barTimes: 'start' | 'end') => {
      const events: RunEvent[] = [];
      await runBacktest({
        market: own,
        settings: { barTimes },
        actions: [at(day(2)), at(day(2) + HOUR)],
        onEvent: (event) => events.push(event),
        decider: { decide: ({ bar: now, orders }) => void (now === 0 && orders.buy(1)) },
      });
      return entriesOf(events).map(({ bar: now, amount }) => [now, amount]);
    };
    // With end timestamps, the bar of 3 January begins at the timestamp of the previous bar, which is the
    // instant of the first rate. It opens at 110 and closes at 109.
    expect(await charged('end')).toEqual([
      [2, '-1.1'],
      [2, '-1.09'],
    ]);
    // With start timestamps, the bar of 3 January begins at the instant of the first rate, when there is no
    // position yet. Only the second rate, inside the bar, is charged, at the bar's close of 104.
    expect(await charged('start')).toEqual([[1, '-1.04']]);
  });

  it('refuses invalid rates, and two rates at the same time', async () => {
    const rate = (text: string): FundingRate => ({
      symbol: 'AAA',
      time: clock[3]!,
      kind: 'funding',
      rate: text,
    });
    await expect(
      runBacktest({ market, actions: [rate('1.5')], decider: { decide: () => undefined } }),
    ).rejects.toThrow('AAA, funding of 2000-01-03T12:00:00: rate is "1.5": give a fraction between -1 and 1');
    await expect(
      runBacktest({ market, actions: [rate('0.1'), rate('0.2')], decider: { decide: () => undefined } }),
    ).rejects.toThrow('repeats the funding of AAA');
  });
});
