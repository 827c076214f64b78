import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { run } from '../../../test/support/engine-run.ts';
import { createRandom, DAY } from '../../kernel/index.ts';
import { barSeries, createMarket } from '../../market/index.ts';
import type { Episode } from '../../results/analysis/index.ts';
import {
  type Baseline,
  baselineBar,
  baselineParameters,
  baselineTermsSchema,
  placedAtRandom,
} from './baselines.ts';

const SYMBOLS = ['A', 'B', 'C', 'D'];
const BARS = 60;

const episode = fc
  .record({
    symbol: fc.constantFrom(...SYMBOLS),
    from: fc.integer({ min: 0, max: 40 }),
    length: fc.integer({ min: 1, max: 12 }),
    weight: fc.integer({ min: -30, max: 30 }).filter((weight) => weight !== 0),
  })
  .map(
    ({ symbol, from, length, weight }): Episode => ({
      symbol,
      from,
      to: from + length,
      weight: weight / 100,
    }),
  );

const shape = (episodes: readonly Episode[]): string[] =>
  episodes.map(({ from, to, weight }) => `${to - from} ${weight}`).sort();

describe('a random agent', () => {
  it('trades as often, as long and as large as the arm, within the evaluated bars', () => {
    fc.assert(
      fc.property(fc.array(episode, { minLength: 1, maxLength: 8 }), fc.nat(), (episodes, seed) => {
        const placed = placedAtRandom(episodes, SYMBOLS, BARS, createRandom(seed, 'place'));
        expect(shape(placed)).toEqual(shape(episodes));
        for (const { symbol, from, to } of placed) {
          expect(SYMBOLS).toContain(symbol);
          expect(from).toBeGreaterThanOrEqual(0);
          expect(to).toBeLessThanOrEqual(BARS);
        }
      }),
    );
  });

  it('draws every placement with equal probability: two of five bars can be placed in four ways', () => {
    const counts = new Map<number, number>();
    for (let draw = 0; draw < 4_000; draw++) {
      const [one] = placedAtRandom(
        [{ symbol: 'A', from: 0, to: 2, weight: 1 }],
        ['A'],
        5,
        createRandom(draw, 'x'),
      );
      counts.set(one!.from, (counts.get(one!.from) ?? 0) + 1);
    }
    expect([...counts.keys()].sort()).toEqual([0, 1, 2, 3]);
    for (const count of counts.values()) expect(Math.abs(count - 1_000)).toBeLessThan(120);
  });

  it('is in the market as much as the strategy, and never with more at the same time, even if dense', () => {
    // The positions cover 42 of 60 bars. If they were placed independently of each other, some would overlap
    // and could not be paid with the available cash.
    const dense: Episode[] = Array.from({ length: 6 }, (_, place) => {
      const from = place * 10;
      return { symbol: SYMBOLS[place % 4]!, from, to: from + 7, weight: 0.9 };
    });
    const held = (episodes: readonly Episode[]): number[] =>
      Array.from({ length: BARS }, (_, bar) =>
        episodes.reduce((sum, { from, to, weight }) => sum + (from <= bar && bar < to ? weight : 0), 0),
      );
    const starts = new Set<number>();
    for (let draw = 0; draw < 200; draw++) {
      const placed = placedAtRandom(dense, SYMBOLS, BARS, createRandom(draw, 'x'));
      const weights = held(placed);
      expect(Math.max(...weights)).toBe(0.9);
      expect(weights.filter((weight) => weight > 0)).toHaveLength(42);
      // Each of the six positions has a separate entry and exit, so the turnover equals the strategy's
      // turnover.
      const changes = weights.filter((weight, bar) => bar > 0 && weight !== weights[bar - 1]);
      expect(changes.length).toBeGreaterThanOrEqual(10);
      starts.add(placed[0]!.from);
    }
    expect(starts.size).toBeGreaterThan(5);
  });

  it('preserves overlaps of positions', () => {
    const together: Episode[] = [
      { symbol: 'A', from: 0, to: 20, weight: 0.5 },
      { symbol: 'B', from: 10, to: 30, weight: 0.5 },
    ];
    for (let draw = 0; draw < 100; draw++) {
      const [one, other] = placedAtRandom(together, SYMBOLS, BARS, createRandom(draw, 'x'));
      expect(other!.from - one!.from).toBe(10);
      expect(one!.symbol).not.toBe(other!.symbol);
    }
  });

  it('rotates a symbol that is always in the portfolio', () => {
    const always: Episode[] = [
      { symbol: 'A', from: 0, to: 5, weight: 0.2 },
      { symbol: 'A', from: 2, to: 5, weight: 0.3 },
    ];
    const placed = new Set(
      Array.from({ length: 50 }, (_, draw) =>
        JSON.stringify(placedAtRandom(always, ['A'], 5, createRandom(draw, 'x'))),
      ),
    );
    expect(placed.size).toBe(5);
    for (const one of placed) {
      const episodes = JSON.parse(one) as Episode[];
      const total = episodes.reduce((sum, { from, to, weight }) => sum + (to - from) * weight, 0);
      expect(total).toBeCloseTo(1.9, 12);
    }
  });

  it('does not move a position without another possible placement', () => {
    const whole: Episode[] = [{ symbol: 'A', from: 0, to: 5, weight: 0.5 }];
    expect(placedAtRandom(whole, ['A'], 5, createRandom(1, 'x'))).toEqual(whole);
  });

  it('has never more simultaneous exposure than the strategy, if possible', () => {
    const two: Episode[] = [
      { symbol: 'A', from: 0, to: 5, weight: 0.9 },
      { symbol: 'B', from: 10, to: 15, weight: 0.9 },
    ];
    for (let draw = 0; draw < 100; draw++) {
      const [one, other] = placedAtRandom(two, ['A', 'B'], 40, createRandom(draw, 'x'));
      expect(one!.from < other!.to && other!.from < one!.to).toBe(false);
    }
  });

  it('ends with a position if the strategy does, so that it pays for the same number of exits', () => {
    const open: Episode[] = [
      { symbol: 'A', from: 5, to: 20, weight: 0.9 },
      { symbol: 'A', from: 40, to: BARS, weight: 0.9 },
    ];
    const lengths = new Set<number>();
    for (let draw = 0; draw < 50; draw++) {
      const placed = placedAtRandom(open, ['A'], BARS, createRandom(draw, 'x'));
      const last = placed.filter(({ to }) => to === BARS);
      expect(last).toHaveLength(1);
      lengths.add(last[0]!.to - last[0]!.from);
    }
    expect(lengths).toEqual(new Set([15, 20]));
  });

  it('does not continue a position of one block in the next', () => {
    const always: Episode[] = Array.from({ length: 6 }, (_, place) => ({
      symbol: SYMBOLS[place % 2]!,
      from: 10 * place,
      to: 10 * place + 10,
      weight: 0.9,
    }));
    for (let draw = 0; draw < 50; draw++) {
      const placed = placedAtRandom(always, ['A', 'B'], BARS, createRandom(draw, 'x'));
      for (const [place, { symbol }] of placed.slice(1).entries())
        expect(symbol).not.toBe(placed[place]!.symbol);
    }
  });

  it('rotates a symbol that alternates between long and short without losing a trade', () => {
    const turning: Episode[] = [20, 35, BARS].map((to, place) => ({
      symbol: 'A',
      from: [0, 20, 35][place]!,
      to,
      weight: place % 2 === 0 ? 0.9 : -0.9,
    }));
    const starts = new Set<string>();
    for (let draw = 0; draw < 50; draw++) {
      const placed = placedAtRandom(turning, ['A'], BARS, createRandom(draw, 'x'));
      const weights = Array.from({ length: BARS }, (_, bar) =>
        placed.reduce((sum, { from, to, weight }) => sum + (from <= bar && bar < to ? weight : 0), 0),
      );
      expect(weights.every((weight) => Math.abs(weight) === 0.9)).toBe(true);
      const turns = weights.filter((weight, bar) => bar > 0 && weight !== weights[bar - 1]);
      expect(turns).toHaveLength(2);
      starts.add(JSON.stringify(weights));
    }
    expect(starts.size).toBeGreaterThan(10);
  });

  it('places a single stretch of one symbol at random, even if it lasts to the end of the window', () => {
    const late: Episode[] = [
      { symbol: 'A', from: 5, to: BARS, weight: 0.7 },
      { symbol: 'A', from: 5, to: 20, weight: 0.2 },
    ];
    const starts = new Set<number>();
    for (let draw = 0; draw < 100; draw++) {
      const placed = placedAtRandom(late, ['A'], BARS, createRandom(draw, 'x'));
      expect(shape(placed)).toEqual(shape(late));
      starts.add(Math.min(...placed.map(({ from }) => from)));
    }
    expect([...starts].sort((one, other) => one - other)).toEqual([0, 1, 2, 3, 4, 5]);
  });

  it('exits in the bar of the entry if the strategy did', () => {
    const inside: Episode[] = [
      { symbol: 'A', from: 3, to: 3, weight: 0.9 },
      { symbol: 'B', from: 4, to: 6, weight: 0.5 },
    ];
    for (let draw = 0; draw < 50; draw++) {
      const placed = placedAtRandom(inside, ['A', 'B'], 20, createRandom(draw, 'x'));
      expect(shape(placed)).toEqual(['0 0.9', '2 0.5']);
    }
  });
});

describe('a baseline', () => {
  /** Runs a baseline on closes by symbol and returns the bar, the side and the symbol of each of its fills. */
  async function fills(kind: Baseline, closes: Record<string, number[]>, terms: object): Promise<string[]> {
    const series = Object.entries(closes).map(([symbol, values]) =>
      barSeries(
        symbol,
        values.map((close, bar) => ({
          time: bar * DAY,
          open: close,
          high: close,
          low: close,
          close,
          volume: 1e6,
        })),
      ),
    );
    const state = { first: -1, held: '' };
    const parsed = baselineTermsSchema.parse(terms);
    const { events } = await run(createMarket(series), (turn) => baselineBar(turn, kind, parsed, state));
    return events.flatMap((event) =>
      event.type === 'order_filled' ? [`${event.bar} ${event.side} ${event.symbol}`] : [],
    );
  }

  const RISING = [10, 10, 10, 11, 12, 13, 14, 15];
  const FALLING = [10, 10, 10, 9, 8, 7, 6, 5];

  it('buys every symbol at its first bar and never sells', async () => {
    expect(await fills('buy-and-hold', { A: RISING, B: FALLING }, { rebalance: 2 })).toEqual([
      '1 buy A',
      '1 buy B',
    ]);
  });

  it('rebalances every symbol to its weight', async () => {
    const found = await fills('equal-weight', { A: RISING, B: FALLING }, { rebalance: 4 });
    expect(found).toEqual(['1 buy A', '1 buy B', '5 sell A', '5 buy B']);
  });

  it('owns a symbol while its close is above the mean, and not at equality', async () => {
    expect(await fills('sma', { A: RISING, B: FALLING }, { sma: 3 })).toEqual(['4 buy A']);
    const turning = [10, 10, 10, 12, 12, 12, 12, 10];
    expect(await fills('sma', { A: [...turning, 10] }, { sma: 3 })).toEqual(['4 buy A', '6 sell A']);
  });

  it('owns the symbols with the highest return: the given number, or a quarter of all', async () => {
    const all = { A: FALLING, B: RISING, C: RISING.map((value) => value ** 2), D: FALLING };
    expect(await fills('momentum', all, { momentum: 3, rebalance: 2 })).toEqual(['5 buy C']);
    expect(await fills('momentum', all, { momentum: 3, rebalance: 2, top: 2 })).toContain('5 buy B');
  });

  it('has parameters named like its terms', () => {
    const terms = { sma: 20, momentum: 10, rebalance: 5 };
    expect(baselineParameters('momentum', terms)).toEqual({ kind: 'momentum', ...terms });
    expect(baselineParameters('momentum', { ...terms, top: 2 })).toEqual({
      kind: 'momentum',
      ...terms,
      top: 2,
    });
  });
});
