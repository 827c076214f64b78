import { describe, expect, it } from 'vitest';
import { effectsOf, heatmapsOf, plateauOf, slicesOf } from './maps.ts';
import { type Objective, readObjective } from './objective.ts';
import type { Dimension, Point } from './space.ts';
import type { SearchEnd, Tried } from './trial-runner.ts';

const most = readObjective('sharpe');
const least = readObjective('sharpe', { minimise: true });

const listed = (name: string, ...values: (number | string)[]): Dimension => ({ name, values, given: 'flag' });
const between = (name: string, low: number, high: number): Dimension => ({
  name,
  low,
  high,
  integer: false,
  given: 'schema',
});

function tried(parameters: Point, objective: number | null, figures: Record<string, number> = {}): Tried {
  return {
    trial: { id: JSON.stringify(parameters), parameters },
    objective,
    result: { figures },
  } as unknown as Tried;
}

const FAST = listed('fast', 5, 10, 15);
const SLOW = listed('slow', 20, 40);
const space = { dimensions: [FAST, SLOW, listed('mode', 'long')] };

describe('heatmaps', () => {
  it('have a cell for each pair of values with a trial, with its best and its mean', () => {
    const trials = [
      tried({ fast: 10, slow: 40, mode: 'long' }, 3, { tradeCount: 7, maxDrawdown: -0.2 }),
      tried({ fast: 10, slow: 40, mode: 'long' }, 1, { tradeCount: 9 }),
      tried({ fast: 10, slow: 40, mode: 'long' }, null),
      tried({ fast: 5, slow: 20, mode: 'long' }, null),
    ];
    const maps = (objective: Objective) => heatmapsOf(space, trials, objective);
    expect(maps(most)).toEqual([
      {
        x: 'fast',
        y: 'slow',
        xs: [5, 10, 15],
        ys: [20, 40],
        cells: [
          { x: 0, y: 0, trials: 1, best: null, mean: null, tradeCount: null, maxDrawdown: null },
          { x: 1, y: 1, trials: 3, best: 3, mean: 2, tradeCount: 7, maxDrawdown: -0.2 },
        ],
      },
    ]);
    expect(maps(least)[0]!.cells[1]).toMatchObject({ best: 1, mean: 2, tradeCount: 9, maxDrawdown: null });
  });

  it('are made for each pair of parameters with more than one value', () => {
    const three = { dimensions: [...space.dimensions, listed('size', 1, 2)] };
    expect(heatmapsOf(three, [], most).map(({ x, y }) => [x, y])).toEqual([
      ['fast', 'slow'],
      ['fast', 'size'],
      ['slow', 'size'],
    ]);
  });
});

describe('slices', () => {
  it('have the values that were tried, in their order', () => {
    const trials = [
      tried({ fast: 15, slow: 20 }, 4),
      tried({ fast: 5, slow: 20 }, 2),
      tried({ fast: 5, slow: 40 }, 1),
    ];
    expect(slicesOf(space, trials, most)).toEqual([
      {
        parameter: 'fast',
        points: [
          { value: 5, trials: 2, best: 2, mean: 1.5 },
          { value: 15, trials: 1, best: 4, mean: 4 },
        ],
      },
      {
        parameter: 'slow',
        points: [
          { value: 20, trials: 2, best: 4, mean: 3 },
          { value: 40, trials: 1, best: 1, mean: 1 },
        ],
      },
    ]);
  });

  it('put a continuous parameter into twelve bins, both ends included', () => {
    const range = { dimensions: [between('share', 0, 6)] };
    const at = [0, 0.49, 0.5, 5.9, 6].map((share) => tried({ share }, share));
    expect(slicesOf(range, at, most)[0]!.points.map(({ value, trials }) => [value, trials])).toEqual([
      [0, 2],
      [0.5, 1],
      [5.5, 2],
    ]);
  });

  it('state bins with six digits', () => {
    const range = { dimensions: [between('share', 0, 1)] };
    const at = [0.1, 0.2].map((share) => tried({ share }, share));
    expect(slicesOf(range, at, most)[0]!.points.map(({ value }) => value)).toEqual([0.0833333, 0.166667]);
  });

  it('have no best and no mean for trials without an objective', () => {
    const trials = [tried({ fast: 5, slow: 20 }, null), tried({ fast: 15, slow: 20 }, 3)];
    expect(slicesOf(space, trials, most)[0]!.points).toEqual([
      { value: 5, trials: 1, best: null, mean: null },
      { value: 15, trials: 1, best: 3, mean: 3 },
    ]);
  });

  it('bin more than sixty values, but not sixty', () => {
    const values = (count: number) => Array.from({ length: count }, (_, index) => index);
    const slice = (count: number) =>
      slicesOf(
        { dimensions: [listed('n', ...values(count))] },
        values(count).map((n) => tried({ n }, n)),
        most,
      )[0]!;
    expect(slice(60).points).toHaveLength(60);
    expect(slice(61).points).toHaveLength(12);
    expect(slice(61).points[1]!.value).toBe(5);
  });
});

describe('the neighbours of the best trial', () => {
  const line = { dimensions: [listed('n', 1, 2, 3, 4, 5, 6, 7)] };
  const trials = (...objectives: (number | null)[]) =>
    objectives.map((value, at) => tried({ n: at + 1 }, value));
  const around = (objectives: (number | null)[], best: number, objective = most) => {
    const all = trials(...objectives);
    return plateauOf(line, all, all[best]!, objective);
  };

  it('are a plateau if they have half of its lead over the median trial', () => {
    expect(around([0, 0, 5, 10, 5, 0, 0], 3)).toEqual({
      state: 'plateau',
      neighbours: 2,
      neighbourMean: 5,
      median: 0,
      text: 'The best trial is on a plateau: its 2 neighbours retain 50% of its lead over the median trial.',
    });
    expect(around([0, 0, 5, 10, 4.8, 0, 0], 3)).toMatchObject({ state: 'lonely peak', neighbourMean: 4.9 });
    expect(around([0, 0, -5, 10, -5, 0, 0], 3).text).toBe(
      'The best trial is an isolated peak: its 2 neighbours retain 0% of its lead over the median trial.',
    );
  });

  it('are below it if the objective is minimised', () => {
    expect(around([0, 0, -6, -10, -6, 0, 0], 3, least)).toMatchObject({
      state: 'plateau',
      neighbourMean: -6,
    });
    expect(around([0, 0, -4, -10, -4, 0, 0], 3, least)).toMatchObject({ state: 'lonely peak' });
  });

  it('count as the median without an objective, and are too few if fewer than two have one', () => {
    expect(around([0, 8, 8, 10, null, 0, 0], 3)).toMatchObject({
      state: 'unknown',
      neighbours: 2,
      neighbourMean: 4,
    });
    expect(around([1, 1, 1, 1], 1)).toMatchObject({ state: 'unknown' });
    const alone = trials(5);
    expect(plateauOf(line, alone, alone[0]!, most)).toMatchObject({
      state: 'unknown',
      neighbours: 0,
      neighbourMean: null,
    });
  });

  it('differ by one step in one parameter', () => {
    const grid = [5, 10, 15].flatMap((fast) =>
      [20, 40].map((slow) => tried({ fast, slow }, fast === 5 ? 0 : 10)),
    );
    // The best point (10, 20) has three neighbours: (5, 20), (15, 20) and (10, 40).
    const best = grid[2]!;
    expect(plateauOf({ dimensions: [FAST, SLOW] }, grid, { ...best, objective: 12 }, most)).toMatchObject({
      neighbours: 3,
      neighbourMean: 20 / 3,
    });
  });

  it('are the nearest trials, two for each continuous parameter', () => {
    const range = { dimensions: [between('share', 0, 1)] };
    const all = [0.1, 0.2, 0.5, 0.55, 0.9].map((share) => tried({ share }, share));
    expect(plateauOf(range, all, all[3]!, most)).toMatchObject({
      neighbours: 2,
      neighbourMean: (0.5 + 0.9) / 2,
    });
    expect(plateauOf(range, all, all[0]!, most)).toMatchObject({ neighbours: 2, neighbourMean: 0.35 });
  });
});

const fast: Dimension = { name: 'fast', values: [5, 10], given: 'flag' };
const slow: Dimension = { name: 'slow', values: [20, 50], given: 'flag' };
const points: Point[] = [5, 10].flatMap((one) => [20, 50].map((other) => ({ fast: one, slow: other })));

/** Simulates a trial for each point. `figure` computes its only figure from the point. */
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

  it('are absent for a parameter whose values make no difference', () => {
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

  it('include the reasons of refused combinations', () => {
    const { notes } = effects(({ fast, slow }) => Number(fast) * Number(slow), { refused: 2 }, ['kind: no']);
    expect(notes).toEqual(['2 combinations were refused: kind: no.']);
  });
});
