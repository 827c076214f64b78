import { describe, expect, it } from 'vitest';
import { effectsOf, equalCounts, timeBlocks } from './maps.ts';
import type { Dimension, Point } from './space.ts';
import type { Tried } from './trial-runner.ts';

const DAY = 86_400_000;
const START = Date.UTC(2024, 0, 1);

describe('blocks of time', () => {
  /** Returns the blocks of a market with two bars per day: at midnight and at noon. */
  const blocks = (days: number, evaluateFrom?: string) =>
    timeBlocks({
      files: {
        market: { clock: Float64Array.from({ length: 2 * days }, (_, bar) => START + (bar * DAY) / 2) },
      },
      period: { from: '', to: '', evaluateFrom },
    } as never);

  it.each([
    [20, 0],
    [40, 0],
    [41, 4],
    [60, 4],
    [61, 6],
    [160, 14],
    [161, 16],
    [400, 16],
  ])('of %d sessions are %d in number, which is even, with at least ten sessions each', (days, count) => {
    const { starts, edges } = blocks(days);
    expect(starts).toHaveLength(count);
    expect(edges).toEqual(starts.slice(1));
  });

  it('begin at equal numbers of bars', () => {
    expect(blocks(41).starts.map((time) => (time - START) / DAY)).toEqual([0, 10.5, 20.5, 31]);
    expect(blocks(42, '2024-01-02').starts.map((time) => (time - START) / DAY)).toEqual([1, 11.5, 21.5, 32]);
  });
});

describe('equal numbers of returns', () => {
  it('are the largest number of any trial in each block', () => {
    const sums = { sum: [1, 2], squares: [3, 4] };
    expect(
      equalCounts([
        { count: [3, 0], ...sums },
        { count: [2, 5], ...sums },
      ]),
    ).toEqual([
      { count: [3, 5], ...sums },
      { count: [3, 5], ...sums },
    ]);
    expect(equalCounts([])).toEqual([]);
  });
});

const listed = (name: string, ...values: (number | string)[]): Dimension => ({ name, values, given: 'flag' });
const tried = (parameters: Point, figures: object | null, share = 1): Tried =>
  ({ trial: { id: 't', parameters }, objective: 1, share, result: { figures } }) as unknown as Tried;

const effects = (
  all: readonly Tried[],
  refused = 0,
  reasons: readonly string[] = [],
  dimensions: readonly Dimension[] = [listed('fast', 1, 2), listed('slow', 3, 4), listed('only', 5)],
) => effectsOf({ space: { dimensions }, refusals: () => reasons }, { tried: all, refused, best: undefined });
const grid = (figures: (fast: number, slow: number) => object | null): Tried[] =>
  [1, 2].flatMap((fast) => [3, 4].map((slow) => tried({ fast, slow, only: 5 }, figures(fast, slow))));

describe('parameters without effect', () => {
  it('are all parameters with several values if all trials have the same result', () => {
    expect(effects(grid(() => ({ totalReturn: 1, tradeCount: 2 }))).none).toBe(
      'All 4 trials gave the same result: the parameters fast, slow have no effect. Check that the strategy reads them, and that orders depend on them.',
    );
    expect(effects(grid(() => ({ totalReturn: 0, tradeCount: 0 }))).none).toBe(
      'All 4 trials gave the same result: the parameters fast, slow have no effect. No trade was closed. Check that the strategy reads them, and that orders depend on them.',
    );
    const two = [1, 2].map((fast) => tried({ fast, slow: 3, only: 5 }, { tradeCount: 1 }));
    expect(effects(two)).toEqual({
      none: 'All 2 trials gave the same result: the parameter fast has no effect. Check that the strategy reads it, and that orders depend on it.',
      notes: [],
    });
  });

  it('are not found with one trial, or with trials of equal parameters', () => {
    expect(effects([tried({ fast: 1, slow: 3, only: 5 }, {})])).toEqual({ none: undefined, notes: [] });
    const same = [1, 2].map(() => tried({ fast: 1, slow: 3, only: 5 }, {}));
    expect(effects(same)).toEqual({ none: undefined, notes: [] });
  });

  it('are found among trials that used all bars and have a result', () => {
    const all = [
      ...grid((fast) => ({ fast })),
      tried({ fast: 1, slow: 3, only: 5 }, { fast: 7 }, 0.5),
      tried({ fast: 2, slow: 3, only: 5 }, null),
    ];
    expect(effects(all)).toEqual({
      none: undefined,
      notes: ['slow has no effect: trials that differ only in slow gave the same result.'],
    });
    expect(effects(grid((fast, slow) => ({ sum: fast * slow }))).notes).toEqual([]);
    // A parameter has an effect if it changes the result of one combination of the others.
    expect(effects(grid((fast, slow) => ({ sum: fast === 1 ? 0 : slow }))).notes).toEqual([]);
  });

  it('are not found if no two trials differ in one parameter only', () => {
    const diagonal = [tried({ fast: 1, slow: 3 }, { a: 1 }), tried({ fast: 2, slow: 4 }, { a: 2 })];
    expect(effects(diagonal)).toEqual({ none: undefined, notes: [] });
  });
});

describe('refused combinations', () => {
  it('are counted with up to five reasons', () => {
    const all = grid((fast, slow) => ({ sum: fast * slow }));
    expect(effects(all, 1, ['a']).notes).toEqual(['1 combination was refused: a.']);
    expect(effects(all, 7, ['a', 'b', 'c', 'd', 'e']).notes).toEqual([
      '7 combinations were refused: a; b; c; d; e.',
    ]);
    expect(effects(all, 7, ['a', 'b', 'c', 'd', 'e', 'f', 'g']).notes).toEqual([
      '7 combinations were refused: a; b; c; d; e; and 2 more.',
    ]);
    const idle = effects(
      grid(() => ({})),
      2,
      ['a'],
    );
    expect(idle.none).toContain('All 4 trials gave the same result');
    expect(idle.notes).toEqual(['2 combinations were refused: a.']);
  });
});
