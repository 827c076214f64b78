import { describe, expect, it } from 'vitest';
import { barSeries, createMarket, type Market } from '../../market/index.ts';
import { runBacktest } from '../run.ts';
import type { RunSettingsInput } from '../settings/settings.ts';
import {
  barsSinceEntry,
  crossedAbove,
  crossedBelow,
  isFirstBarOfMonth,
  isFirstBarOfSession,
} from './light-bar.ts';

function marketAt(...symbols: readonly (readonly string[])[]): Market {
  const bar = { open: 100, high: 101, low: 99, close: 100, volume: 1 };
  return createMarket(
    symbols.map((times, index) =>
      barSeries(
        'ABC'[index]!,
        times.map((time) => ({ ...bar, time: Date.parse(time) })),
      ),
    ),
  );
}

async function eachBar<Fact>(
  market: Market,
  fact: (turn: Parameters<Parameters<typeof runBacktest>[0]['decider']['decide']>[0]) => Fact,
  settings: RunSettingsInput = {},
): Promise<Fact[]> {
  const facts: Fact[] = [];
  const { error } = await runBacktest({
    market,
    settings,
    decider: { decide: (turn) => void facts.push(fact(turn)) },
  });
  if (error !== undefined) throw error;
  return facts;
}

describe('crosses', () => {
  const column = (before: number, last: number) => ({ last, at: () => before });

  it('are a change of sides between two bars', () => {
    expect(crossedAbove(column(1, 3), column(2, 2))).toBe(true);
    expect(crossedAbove(column(2, 3), 2)).toBe(true);
    expect(crossedAbove(1, column(1, 0))).toBe(true);
    expect(crossedAbove(column(3, 4), 2)).toBe(false);
    expect(crossedAbove(column(1, 2), 2)).toBe(false);
    expect(crossedBelow(column(3, 1), column(2, 2))).toBe(true);
    expect(crossedBelow(column(2, 1), 2)).toBe(true);
    expect(crossedBelow(column(1, 0), 2)).toBe(false);
    expect(crossedBelow(2, column(2, 3))).toBe(true);
  });

  it('require two known values on both sides', () => {
    for (const crossed of [crossedAbove, crossedBelow]) {
      expect(crossed(column(Number.NaN, 3), 2)).toBe(false);
      expect(crossed(column(1, Number.NaN), 2)).toBe(false);
      expect(crossed(column(1, 3), column(Number.NaN, 2))).toBe(false);
    }
  });
});

describe('the first bar', () => {
  const days = ['2020-01-30', '2020-01-31', '2020-02-03', '2020-02-04', '2020-03-02', '2021-03-01'];

  it('of a month, of a day and of the data is found', async () => {
    expect(await eachBar(marketAt(days), ({ window }) => isFirstBarOfMonth(window))).toEqual([
      true,
      false,
      true,
      false,
      true,
      true,
    ]);
    const hours = ['2020-01-30T22:00Z', '2020-01-30T23:00Z', '2020-01-31T00:00Z', '2020-01-31T01:00Z'];
    expect(await eachBar(marketAt(hours), ({ window }) => isFirstBarOfSession(window))).toEqual([
      true,
      false,
      true,
      false,
    ]);
  });

  it('of a session is found, also if the session begins on the previous evening', async () => {
    const hours = [
      '2020-01-30T21:30Z',
      '2020-01-30T23:00Z',
      '2020-01-31T00:00Z',
      '2020-01-31T16:00Z',
      '2020-02-02T23:00Z',
    ];
    const settings = {
      session: { hours: '18:00-17:00', timezone: 'America/New_York' },
      barTimes: 'start',
    } as const;
    expect(await eachBar(marketAt(hours), ({ window }) => isFirstBarOfSession(window), settings)).toEqual([
      true,
      true,
      false,
      false,
      true,
    ]);
    // The evening of 2 February belongs to the session of 3 February.
    expect(await eachBar(marketAt(hours), ({ window }) => isFirstBarOfMonth(window), settings)).toEqual([
      true,
      false,
      false,
      false,
      true,
    ]);
  });

  it('of a symbol without a current bar is its next bar', async () => {
    const market = marketAt(days, ['2020-01-31', '2020-02-04', '2020-02-05']);
    expect(await eachBar(market, ({ windowOf }) => isFirstBarOfMonth(windowOf('B')))).toEqual([
      false,
      true,
      false,
      true,
      false,
      false,
      false,
    ]);
  });

  it('is unknown with a look-back of one bar', async () => {
    expect(
      (await eachBar(marketAt(days), ({ window }) => isFirstBarOfMonth(window), { lookback: 2 })).length,
    ).toBe(6);
    await expect(
      eachBar(marketAt(days), ({ window }) => isFirstBarOfMonth(window), { lookback: 1 }),
    ).rejects.toMatchObject({
      code: 'lookback_too_short',
    });
  });
});

describe('bars since the entry', () => {
  const days = Array.from({ length: 12 }, (_, day) => new Date(Date.UTC(2020, 0, day + 1)).toISOString());

  it.each(['fifo', 'average'] as const)(
    'count from the fill that opens or turns the position: %s',
    async (lots) => {
      const facts = await eachBar(
        marketAt(days, days),
        (turn) => {
          const { bar, orders } = turn;
          if (bar === 1) orders.buy(10);
          if (bar === 2) orders.buy(5);
          if (bar === 3) orders.sell(12);
          if (bar === 5) orders.sell(10);
          if (bar === 7) orders.close();
          if (bar === 9) orders.buy(1, { symbol: 'B' });
          return [barsSinceEntry(turn), barsSinceEntry(turn, 'B')];
        },
        { lots },
      );
      const none = Number.NaN;
      expect(facts.map(([own]) => own)).toEqual([none, none, 0, 1, 2, 3, 0, 1, none, none, none, none]);
      expect(facts.map(([, other]) => other)).toEqual([...Array(10).fill(none), 0, 1]);
    },
  );
});
