import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readRunSettings, runBacktest } from '../engine/index.ts';
import { DAY } from '../kernel/index.ts';
import { type BarSeries, barSeries, createMarket, type Market } from '../market/index.ts';
import { createMask } from './mask.ts';
import { maskView } from './mask-view.ts';
import { maskWorld } from './mask-world.ts';

const HOUR = DAY / 24;
const START = Date.UTC(2021, 0, 4);

function seriesAt(symbol: string, times: readonly number[]): BarSeries {
  const bars = times.map((time, index) => {
    const close = 100 + (index % 17);
    return { time, open: close, high: close + 1, low: close - 1, close, volume: 1_000 };
  });
  return barSeries(symbol, bars);
}

/** Market with daily bars from Monday to Friday, except on holidays (given in days after `START`). */
function market(bars: number, holidays: ReadonlySet<number>): Market {
  const times: number[] = [];
  for (let day = 0; times.length < bars; day++) {
    const time = START + day * DAY;
    const weekday = new Date(time).getUTCDay();
    if (weekday > 0 && weekday < 6 && !holidays.has(day)) times.push(time);
  }
  return createMarket([seriesAt('ACME', times)]);
}

const every = (step: number, count: number): number[] =>
  Array.from({ length: count }, (_, index) => START + 2 * HOUR * (step % 3) + index * step);

/**
 * Returns what a strategy sees at each bar: the number of context bars, documents, fundamentals and tradable
 * symbols.
 */
async function seenContext(world: ReturnType<typeof maskWorld>): Promise<unknown[]> {
  const seen: unknown[] = [];
  const { error } = await runBacktest({
    market: world.market,
    settings: world.settings,
    context: world.context ?? [],
    pointInTime: world.pointInTime,
    decider: {
      decide(turn) {
        seen.push([
          turn.contextSymbols.map((symbol) => turn.context(symbol).length).sort((a, b) => a - b),
          turn.documents.length,
          turn.fundamentals(turn.symbols[0]!, 'eps').length,
          turn.universe().length,
        ]);
      },
    },
  });
  if (error !== undefined) throw error;
  return seen;
}

describe('time series in a masked world', () => {
  it('become known at the end of the same bar, for any days', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 1_000 }),
        fc.uniqueArray(fc.integer({ min: 1, max: 60 }), { maxLength: 12 }),
        fc.constantFrom('start' as const, 'end' as const),
        fc.array(fc.integer({ min: -48, max: 70 * 24 }), { maxLength: 12 }),
        async (seed, holidays, barTimes, hours) => {
          const given = market(40, new Set(holidays));
          const stamps = hours.map((hour) => ({ instant: START + hour * HOUR, wholeDay: hour % 24 === 0 }));
          const world = {
            market: given,
            settings: readRunSettings({ barTimes }),
            rates: [],
            actions: [],
            context: [
              // Series with bars on all seven days of a week, every week, and every five hours.
              seriesAt('COIN', every(DAY, 70)),
              seriesAt('WEEKS', every(7 * DAY, 10)),
              seriesAt('HOURS', every(5 * HOUR, 300)),
            ],
            pointInTime: {
              documents: stamps.map((known, index) => ({
                id: `n${index}`,
                known,
                symbols: ['ACME'],
                source: '',
                kind: '',
                title: 'News',
                text: '',
                where: 'a test',
              })),
              fundamentals: stamps.map((known, index) => ({
                symbol: 'ACME',
                field: 'eps',
                periodEnd: START - index * DAY,
                known,
                value: index,
              })),
              universe: [
                { symbol: 'ACME', from: START + 9 * DAY, until: START + 23 * DAY + HOUR },
                { symbol: 'ACME', from: START + 30 * DAY, until: null },
              ],
              sources: [],
            },
          };
          const mask = createMask(['symbols', 'dates', 'prices'], given, seed, world.settings, world.context);
          expect(await seenContext(maskWorld(world, mask))).toEqual(await seenContext(world));
        },
      ),
      { numRuns: 60 },
    );
  });

  it('have their dates restored exactly', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.integer({ min: 1, max: 60 }), { maxLength: 12 }),
        fc.integer({ min: -5 * 86_400, max: 70 * 86_400 }),
        fc.constantFrom('stamps' as const, 'ends' as const, 'inside' as const),
        (holidays, seconds, kind) => {
          const given = market(40, new Set(holidays));
          const view = maskView(createMask(['dates'], given, 1));
          const time = START + seconds * 1_000;
          // Real days without a bar have no place in the masked calendar. The map `inside` cannot convert an
          // instant on such a day back.
          const bar = given.clock.findLastIndex((start) => start <= time);
          if (kind === 'inside' && bar >= 0 && time > given.clock[bar]! + DAY) return;
          expect(view.real(view.shown(time, kind), kind)).toBe(time);
        },
      ),
    );
  });
});
