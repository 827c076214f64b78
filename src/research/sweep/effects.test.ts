import { describe, expect, it } from 'vitest';
import { effectsOf } from './effects.ts';
import type { Dimension, Point } from './space.ts';
import type { SearchEnd, Tried } from './trial-runner.ts';

const fast: Dimension = { name: 'fast', values: [5, 10], given: 'flag' };
const slow: Dimension = { name: 'slow', values: [20, 50], given: 'flag' };
const points: Point[] = [5, 10].flatMap((one) => [20, 50].map((other) => ({ fast: one, slow: other })));

/** Trials of all points, whose only figure is computed from the point. */
function effects(
  figure: (point: Point) => number,
  change: Partial<SearchEnd> = {},
  refusals: readonly string[] = [],
): ReturnType<typeof effectsOf> {
  const tried = points.map(
    (parameters, place) =>
      ({
        trial: { id: String(place), parameters },
        result: { figures: { totalReturn: figure(parameters), tradeCount: 0 } },
        objective: 1,
        share: 1,
      }) as unknown as Tried,
  );
  return effectsOf(
    { space: { dimensions: [fast, slow] }, refusals: () => refusals },
    { tried, refused: 0, best: undefined, ...change },
  );
}

describe('the effects of parameters', () => {
  it('are not mentioned if every parameter has one', () => {
    expect(effects(({ fast, slow }) => Number(fast) * Number(slow))).toEqual({ none: undefined, notes: [] });
  });

  it('are missing for a parameter whose values make no difference', () => {
    expect(effects(({ fast }) => Number(fast)).notes).toEqual([
      'slow has no effect: trials that differ only in slow gave the same result.',
    ]);
  });

  it('are the conclusion if all trials gave the same result', () => {
    const { none } = effects(() => 1);
    expect(none).toMatch(
      /^All 4 trials gave the same result: the parameters fast, slow have no effect\. No trade/,
    );
  });

  it('come with the reasons of refused combinations', () => {
    const { notes } = effects(({ fast, slow }) => Number(fast) * Number(slow), { refused: 2 }, ['kind: no']);
    expect(notes).toEqual(['2 combinations were refused: kind: no.']);
  });
});
