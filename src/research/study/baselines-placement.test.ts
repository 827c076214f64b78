import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../kernel/index.ts';
import type { Episode } from '../../results/analysis/index.ts';
import { placedAtRandom } from './baselines.ts';

/** Returns the different placements in 1,000 draws, as texts such as `A 0-2 0.5`, with their counts. */
function placements(
  episodes: readonly (readonly [string, number, number, number])[],
  symbols: readonly string[],
  bars: number,
): Map<string, number> {
  const given = episodes.map(([symbol, from, to, weight]): Episode => ({ symbol, from, to, weight }));
  const counts = new Map<string, number>();
  for (let draw = 0; draw < 1_000; draw++) {
    const placed = placedAtRandom(given, symbols, bars, createRandom(draw, 'p'));
    const key = placed
      .map(({ symbol, from, to, weight }) => `${symbol} ${from}-${to} ${weight}`)
      .sort()
      .join(', ');
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

/** Checks that the placements are the expected ones, with equal probabilities. */
function expectEqually(counts: ReadonlyMap<string, number>, expected: readonly string[]): void {
  expect([...counts.keys()].sort()).toEqual([...expected].sort());
  const each = 1_000 / expected.length;
  for (const count of counts.values()) expect(Math.abs(count - each)).toBeLessThan(5 * Math.sqrt(each));
}

describe('the trades of a random agent', () => {
  it('have a bar between two positions, and all such placements are equally likely', () => {
    expectEqually(
      placements(
        [
          ['A', 0, 1, 1],
          ['A', 3, 5, 2],
        ],
        ['A'],
        6,
      ),
      [
        ...['A 0-1 1, A 2-4 2', 'A 0-1 1, A 3-5 2', 'A 0-1 1, A 4-6 2'],
        ...['A 1-2 1, A 3-5 2', 'A 1-2 1, A 4-6 2', 'A 2-3 1, A 4-6 2'],
        ...['A 0-2 2, A 3-4 1', 'A 0-2 2, A 4-5 1', 'A 0-2 2, A 5-6 1'],
        ...['A 1-3 2, A 4-5 1', 'A 1-3 2, A 5-6 1', 'A 2-4 2, A 5-6 1'],
      ],
    );
  });

  it('end with the last bar if the strategy has a position at the end', () => {
    expectEqually(
      placements(
        [
          ['A', 1, 2, 1],
          ['A', 4, 6, 2],
        ],
        ['A'],
        6,
      ),
      [
        ...['A 0-1 1, A 4-6 2', 'A 1-2 1, A 4-6 2', 'A 2-3 1, A 4-6 2'],
        ...['A 0-2 2, A 5-6 1', 'A 1-3 2, A 5-6 1', 'A 2-4 2, A 5-6 1'],
      ],
    );
  });

  it('use each symbol equally often, and replace different symbols by different symbols', () => {
    expectEqually(placements([['A', 0, 2, 1]], ['A', 'B', 'C'], 3), [
      ...['A 0-2 1', 'A 1-3 1', 'B 0-2 1'],
      ...['B 1-3 1', 'C 0-2 1', 'C 1-3 1'],
    ]);
    expectEqually(
      placements(
        [
          ['A', 0, 2, 1],
          ['B', 1, 3, 2],
        ],
        ['A', 'B', 'C'],
        3,
      ),
      [
        ...['A 0-2 1, B 1-3 2', 'A 0-2 1, C 1-3 2', 'B 0-2 1, C 1-3 2'],
        ...['A 1-3 2, B 0-2 1', 'A 1-3 2, C 0-2 1', 'B 1-3 2, C 0-2 1'],
      ],
    );
    // With fewer symbols than the strategy traded, symbols are used several times.
    expectEqually(
      placements(
        [
          ['A', 0, 2, 1],
          ['B', 1, 3, 2],
          ['C', 1, 3, 4],
        ],
        ['X', 'Y'],
        3,
      ),
      ['X 0-2 1, X 1-3 4, Y 1-3 2', 'X 1-3 2, Y 0-2 1, Y 1-3 4'],
    );
  });

  it('rotate consecutive blocks, and do not continue a position of one block in the next', () => {
    const blocks = [
      ['A', 0, 2, 1],
      ['B', 2, 3, 2],
    ] as const;
    expectEqually(placements(blocks, ['A', 'B'], 3), [
      ...['A 0-2 1, B 2-3 2', 'A 2-3 2, B 0-2 1'],
      ...['A 0-1 2, B 1-3 1', 'A 1-3 1, B 0-1 2'],
    ]);
    // A long and a short position in a row do not continue each other, so both may be in one symbol.
    const sides = placements(
      [
        ['A', 0, 2, 1],
        ['A', 2, 3, -2],
      ],
      ['A', 'B'],
      3,
    );
    expect(sides.size).toBe(8);
  });

  it('of one symbol are cut only if the first and the last position have the same side', () => {
    expectEqually(
      placements(
        [
          ['A', 0, 2, 1],
          ['A', 2, 3, -2],
        ],
        ['A'],
        3,
      ),
      ['A 0-2 1, A 2-3 -2', 'A 0-1 -2, A 1-3 1'],
    );
    // Two long positions in a row cannot be in different symbols if there is one symbol.
    expectEqually(
      placements(
        [
          ['A', 0, 2, 1],
          ['A', 2, 3, 2],
          ['A', 3, 4, -3],
        ],
        ['A'],
        4,
      ),
      ['A 0-2 1, A 2-3 2, A 3-4 -3', 'A 0-1 2, A 1-2 -3, A 2-4 1', 'A 0-1 -3, A 1-3 1, A 3-4 2'],
    );
    // A rotation by bars cuts one of the two long positions in two, or no position.
    expectEqually(
      placements(
        [
          ['A', 0, 2, 1],
          ['A', 2, 3, -2],
          ['A', 3, 5, 3],
        ],
        ['A'],
        5,
      ),
      [
        'A 0-2 1, A 2-3 -2, A 3-5 3',
        'A 0-1 3, A 1-3 1, A 3-4 -2, A 4-5 3',
        'A 0-1 1, A 1-2 -2, A 2-4 3, A 4-5 1',
      ],
    );
  });

  it('are cut to the evaluated bars', () => {
    expectEqually(placements([['A', 3, 9, 1]], ['A'], 4), ['A 0-4 1']);
    expectEqually(placements([['A', 4, 4, 1]], ['A'], 4), ['A 0-0 1', 'A 1-1 1', 'A 2-2 1', 'A 3-3 1']);
    expectEqually(placements([['A', 2, 1, 1]], ['A'], 2), ['A 0-0 1', 'A 1-1 1']);
  });

  it('cover the same number of bars with the same total weights, for any trades', () => {
    const episode = fc.tuple(fc.constantFrom('A', 'B', 'C'), fc.nat(14), fc.integer({ min: 1, max: 6 }));
    fc.assert(
      fc.property(fc.array(episode, { minLength: 1, maxLength: 6 }), fc.nat(), (given, seed) => {
        const episodes = given.map(
          ([symbol, from, length], at): Episode => ({
            ...{ symbol, from, to: from + length, weight: at + 1 },
          }),
        );
        const placed = placedAtRandom(episodes, ['A', 'B', 'C'], 20, createRandom(seed, 'd'));
        const covered = (all: readonly Episode[]) =>
          Array.from({ length: 20 }, (_, bar) => all.some(({ from, to }) => from <= bar && bar < to));
        expect(covered(placed).filter(Boolean)).toHaveLength(covered(episodes).filter(Boolean).length);
        const gross = (all: readonly Episode[]) =>
          Array.from({ length: 20 }, (_, bar) =>
            all.reduce((sum, { from, to, weight }) => sum + (from <= bar && bar < to ? weight : 0), 0),
          ).sort((a, b) => a - b);
        expect(gross(placed)).toEqual(gross(episodes));
      }),
      { numRuns: 200 },
    );
  });
});
