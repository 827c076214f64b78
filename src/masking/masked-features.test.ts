import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runBacktest } from '../engine/index.ts';
import { DAY, formatInstant } from '../kernel/index.ts';
import { type FeatureRow, featureTable, type Market, simulateMarket } from '../market/index.ts';
import { createMask } from './mask.ts';
import { maskView } from './mask-view.ts';
import { maskMarket } from './mask-world.ts';
import { maskFeatures } from './masked-features.ts';

const market = simulateMarket({ seed: 2, bars: 40, symbols: ['ACME', 'SPY'], start: '2020-01-01' });

const KINDS = ['symbols', 'dates', 'prices'] as const;
const given = { market, settings: { barTimes: 'start' } } as const;

function rowsOf(seed: number): FeatureRow[] {
  return Array.from({ length: 30 }, (_, index): FeatureRow => {
    const date = market.clock[index]!;
    return {
      date,
      available_at: date + ((index * seed) % 7) * DAY,
      symbol: index % 2 === 0 ? 'ACME' : 'SPY',
      mood: index / 7 - seed,
      said: `ACME on ${formatInstant(date)}`,
    };
  });
}

/** Returns the features that a strategy can see at each bar. */
async function seen(seenMarket: Market, tables: ReturnType<typeof maskFeatures>): Promise<unknown[][]> {
  const bars: unknown[][] = [];
  await runBacktest({
    market: seenMarket,
    features: tables,
    decider: {
      decide({ symbols, windowOf }) {
        bars.push(
          symbols.map((symbol) => {
            const [mood, said] = [windowOf(symbol).feature('mood'), windowOf(symbol).feature<string>('said')];
            return [Number.isNaN(mood.last) ? null : mood.last, said.last, mood.date, mood.availableAt];
          }),
        );
      },
    },
  });
  return bars;
}

describe('masked features', () => {
  it('show the same numbers at each bar, with masked names and dates only', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 60 }), async (seed) => {
        const mask = createMask(KINDS, market, seed);
        const table = featureTable(rowsOf(seed));
        const real = await seen(market, [table]);
        const masked = await seen(
          maskMarket(market, mask),
          maskFeatures([table], market.series, given, mask),
        );
        const view = maskView(mask);
        const nameOf = (symbol: string): string =>
          Object.keys(mask.symbols).find((name) => mask.symbols[name] === symbol)!;
        const order = Object.values(mask.symbols).map((symbol) => market.symbols.indexOf(symbol));
        const expected = real.map((symbols) =>
          (order.map((symbol) => symbols[symbol]) as [number | null, string | null, number, number][]).map(
            ([mood, said, date, known]) => [
              mood,
              said === null ? null : `${nameOf('ACME')} on ${formatInstant(view.shown(date))}`,
              view.shown(date),
              Number.isNaN(known) ? known : view.shown(known, 'ends'),
            ],
          ),
        );
        expect(masked).toEqual(expected);
        expect(JSON.stringify(masked)).not.toMatch(/ACME|SPY|2020-/);
      }),
      { numRuns: 20 },
    );
  });

  it('are all refused if they contain prices or dates that cannot be hidden; columns of a bar file are omitted', () => {
    const mask = createMask(KINDS, market, 1);
    const rows = Array.from({ length: 20 }, (_, index) => ({
      date: market.clock[index]!,
      symbol: 'ACME',
      target: market.series[0]!.close[index]!,
      said: 'as in January 2020',
    }));
    const table = featureTable(rows);
    const named = featureTable([{ date: market.clock[0]!, symbol: 'ACME', spy_mood: 1 }]);
    expect(() => maskFeatures([named], market.series, given, mask)).toThrow(
      'the name of spy_mood has the symbol spy',
    );
    const masking = (): unknown => maskFeatures([table], market.series, given, mask);
    expect(masking).toThrow('target contains prices or volumes of the data');
    expect(masking).toThrow('said has');
    const [kept] = maskFeatures([{ ...table, isOfBars: true }], market.series, given, mask);
    expect(kept?.columns).toEqual([]);
  });

  it('are refused if they are as high as prices, with any name; other numbers and ratios are accepted', () => {
    const mask = createMask(KINDS, market, 1);
    const masking = (
      value: (close: number, index: number) => number,
      symbol: string | undefined,
    ): unknown => {
      const { close } = market.series[0]!;
      const rows = market.clock.slice(0, 30) as unknown as readonly number[];
      const table = featureTable(
        Array.from(rows, (date, index) => ({
          date,
          ...(symbol === undefined ? {} : { symbol }),
          level: value(close[index]!, index),
        })),
      );
      return maskFeatures([table], market.series, given, mask);
    };
    for (const symbol of ['ACME', undefined]) {
      expect(() => masking((close) => close * 1.0437, symbol)).toThrow('level is close to the prices');
      expect(() => masking((close) => close / 3, symbol)).not.toThrow();
      expect(() => masking((_, index) => 1 + index / 100, symbol)).not.toThrow();
    }
    expect(() => masking((close) => close * 1.0437, 'ELSEWHERE')).not.toThrow();
  });
});
