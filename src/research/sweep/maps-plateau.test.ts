import { describe, expect, it } from 'vitest';
import { heatmapsOf, plateauOf, slicesOf } from './maps.ts';
import { type Objective, readObjective } from './objective.ts';
import type { Dimension, Point } from './space.ts';
import type { Tried } from './trial-runner.ts';

const most = readObjective('sharpe');
const least = readObjective('sharpe', { minimise: true });

const listed = (name: string, ...values: (number | string)[]): Dimension => ({ name, values, given: 'flag' });
const between = (name: string, low: number, high: number): Dimension => ({
  ...{ name, low, high, integer: false, given: 'schema' },
});
const tried = (parameters: Point, objective: number | null): Tried =>
  ({ trial: { id: 't', parameters }, objective, result: { figures: {} } }) as unknown as Tried;

const line = { dimensions: [listed('n', 1, 2, 3, 4, 5, 6, 7, 8)] };
/** Compares the trial at `best` with its neighbours. All trials are on one line of steps. */
function around(objectives: readonly (number | null)[], best: number, objective: Objective = most) {
  const all = objectives.map((value, at) => tried({ n: at + 1 }, value));
  return plateauOf(line, all, all[best]!, objective);
}

describe('the median trial', () => {
  it.each([
    [[9, 4, 6, 3], 4],
    [[9, 4, 6, 3, 5], 5],
    [[9, 4, 6, 3, 5, 8], 5],
    [[9, 4, 6, 3, 5, 8, 7], 6],
    [[9, 4, null, 3, null, 8, 7], 7],
  ])(
    'of %j is the lower of the middle ones, without those that have no objective: %d',
    (objectives, median) => {
      expect(around(objectives, 0).median).toBe(median);
    },
  );
});

describe('a plateau', () => {
  it('is described by the share of the lead that the neighbours retain', () => {
    // The median is 2 and the lead is 8. The mean of the neighbours is (9 + 6) / 2 = 7.5, a lead of 5.5.
    expect(around([1, 2, 9, 10, 6, 2, 1], 3)).toEqual({
      state: 'plateau',
      neighbours: 2,
      neighbourMean: 7.5,
      median: 2,
      text: 'The best trial is on a plateau: its 2 neighbours retain 69% of its lead over the median trial.',
    });
    // The neighbours lead by 3.5 of 8, which is 43.75 %.
    expect(around([1, 2, 7, 10, 4, 2, 1], 3)).toEqual({
      state: 'lonely peak',
      neighbours: 2,
      neighbourMean: 5.5,
      median: 2,
      text: 'The best trial is an isolated peak: its 2 neighbours retain 44% of its lead over the median trial.',
    });
  });

  it('is below the median if the objective is minimised', () => {
    // The median is 8 and the lead is 6. The mean of the neighbours is 4, a lead of 4.
    expect(around([9, 8, 3, 2, 5, 8, 9], 3, least)).toEqual({
      state: 'plateau',
      neighbours: 2,
      neighbourMean: 4,
      median: 8,
      text: 'The best trial is on a plateau: its 2 neighbours retain 67% of its lead over the median trial.',
    });
  });

  it('is unknown without a lead, with one rated neighbour and without rated trials', () => {
    const text = 'Too few trials are next to the best trial to distinguish a plateau from an isolated peak.';
    expect(around([3, 3, 3, 3, 3], 2)).toEqual({
      ...{ state: 'unknown', neighbours: 2, neighbourMean: 3, median: 3, text },
    });
    expect(around([1, 4, 9, null, 1], 2)).toEqual({
      ...{ state: 'unknown', neighbours: 2, neighbourMean: (4 + 1) / 2, median: 1, text },
    });
    const unrated = [tried({ n: 1 }, null), tried({ n: 3 }, null)];
    expect(plateauOf(line, unrated, tried({ n: 2 }, 5), most)).toEqual({
      ...{ state: 'unknown', neighbours: 2, neighbourMean: 0, median: null, text },
    });
  });
});

describe('neighbours', () => {
  it('are the nearest trials if fewer than two are one step away', () => {
    // At the end of the line, one trial is one step away. The two nearest trials are the neighbours.
    expect(around([10, 6, 4, 0, 0, 0, 0], 0)).toMatchObject({ neighbours: 2, neighbourMean: 5 });
  });

  it('are two trials one step away, even if four would be near', () => {
    const space = { dimensions: [listed('a', 1, 2, 3), listed('b', 1, 2, 3)] };
    const all = [1, 2, 3].flatMap((a) => [1, 2, 3].map((b) => tried({ a, b }, 10 * a + b)));
    expect(plateauOf(space, all, all[0]!, least)).toMatchObject({ neighbours: 2, neighbourMean: 16.5 });
  });

  it('are four nearest trials with two parameters of which one is continuous', () => {
    const space = { dimensions: [listed('a', 1, 2), between('b', 10, 20)] };
    const all = [
      ...[tried({ a: 1, b: 15 }, 100), tried({ a: 1, b: 11 }, 5), tried({ a: 1, b: 16 }, 1)],
      ...[tried({ a: 2, b: 15 }, 4), tried({ a: 1, b: 13 }, 3), tried({ a: 2, b: 20 }, 50)],
      ...[tried({ a: 1, b: 14 }, 2), tried({ a: 2, b: 10 }, 60)],
    ];
    // Distances from (1, 15): 0.4, 0.1, 0.5, 0.2, more than 0.5, 0.1 and more than 0.5.
    expect(plateauOf(space, all, all[0]!, most)).toMatchObject({
      neighbours: 4,
      neighbourMean: (5 + 1 + 3 + 2) / 4,
    });
  });

  it('ignore a parameter with one value', () => {
    const space = { dimensions: [listed('n', 1, 2, 3, 4), listed('only', 'x')] };
    const all = [0, 6, 9, 7].map((value, at) => tried({ n: at + 1, only: 'x' }, value));
    expect(plateauOf(space, all, all[2]!, most)).toMatchObject({ neighbours: 2, neighbourMean: 6.5 });
  });
});

describe('bins', () => {
  it('of a continuous parameter begin at its low end', () => {
    const space = { dimensions: [between('share', 10, 22)] };
    const all = [10, 10.99, 11, 15.5, 21.5, 22].map((share) => tried({ share }, share));
    expect(slicesOf(space, all, most)).toEqual([
      {
        parameter: 'share',
        points: [
          { value: 10, trials: 2, best: 10.99, mean: (10 + 10.99) / 2 },
          { value: 11, trials: 1, best: 11, mean: 11 },
          { value: 15, trials: 1, best: 15.5, mean: 15.5 },
          { value: 21, trials: 2, best: 22, mean: 21.75 },
        ],
      },
    ]);
  });

  it('of many values span from the smallest to the largest', () => {
    const values = Array.from({ length: 61 }, (_, at) => 160 - at);
    const all = [160, 100, 104, 105, 131].map((n) => tried({ n }, n));
    expect(
      slicesOf({ dimensions: [listed('n', ...values)] }, all, least)[0]!.points.map((point) => [
        point.value,
        point.trials,
        point.best,
      ]),
    ).toEqual([
      [100, 2, 100],
      [105, 1, 105],
      [130, 1, 131],
      [155, 1, 160],
    ]);
  });

  it('form the cells of a heatmap', () => {
    const space = { dimensions: [between('x', 10, 22), between('y', -6, 6)] };
    const all = [tried({ x: 21, y: 5.5 }, 3), tried({ x: 12.5, y: -6 }, 2), tried({ x: 12.1, y: 5 }, 1)];
    const [map] = heatmapsOf(space, all, most);
    expect(map!.xs).toEqual([10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21]);
    expect(map!.ys).toEqual([-6, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5]);
    expect(map!.cells.map(({ x, y, trials, best }) => [x, y, trials, best])).toEqual([
      [2, 0, 1, 2],
      [2, 11, 1, 1],
      [11, 11, 1, 3],
    ]);
  });
});
