import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Episode } from '../../analysis/index.ts';
import { createRandom } from '../../kernel/index.ts';
import { placedAtRandom } from './random-agent.ts';

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
  it('trades as often, as long and as large, within the bars that count', () => {
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

  it('takes every place as likely: one time of two bars in five has four places', () => {
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

  it('stays where it is where there is no other place', () => {
    const whole: Episode[] = [{ symbol: 'A', from: 0, to: 5, weight: 0.5 }];
    expect(placedAtRandom(whole, ['A'], 5, createRandom(1, 'x'))).toEqual(whole);
  });

  it('is never more in the market than the strategy was, where that can be', () => {
    const two: Episode[] = [
      { symbol: 'A', from: 0, to: 5, weight: 0.9 },
      { symbol: 'B', from: 10, to: 15, weight: 0.9 },
    ];
    for (let draw = 0; draw < 100; draw++) {
      const [one, other] = placedAtRandom(two, ['A', 'B'], 40, createRandom(draw, 'x'));
      expect(one!.from < other!.to && other!.from < one!.to).toBe(false);
    }
  });
});
