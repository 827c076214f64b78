import { describe, expect, it } from 'vitest';
import type { Space } from '../sweep/space.ts';
import { SEARCHES, type SearchName, searchOver, type Told } from './search-over.ts';
import { MOST_DIMENSIONS, sobolPoints } from './sobol-halving-tpe.ts';

const values = Array.from({ length: 41 }, (_, index) => index - 20);
const space: Space = {
  dimensions: [
    { name: 'x', values, given: 'flag' },
    { name: 'y', values, given: 'flag' },
  ],
};

/** Returns all points that a search tries on a hill whose top is at (7, -3). */
function climb(name: SearchName, trials: number, seed = 1): Told[] {
  const search = searchOver(space, name, { trials, seed });
  const told: Told[] = [];
  for (let batch = search.next(told); batch.length > 0; batch = search.next(told))
    told.push(
      ...batch.map(({ point, share }) => ({
        point,
        share,
        score: -((Number(point.x) - 7) ** 2) - (Number(point.y) + 3) ** 2,
      })),
    );
  return told;
}

const bestOf = (told: readonly Told[]) => Math.max(...told.map(({ score }) => score!));

describe('parameter searches', () => {
  it.each(SEARCHES)(
    '%s repeats the same points with the same seed, and no point twice at one length',
    (name) => {
      const told = climb(name, 60);
      expect(climb(name, 60)).toEqual(told);
      expect(new Set(told.map(({ point, share }) => JSON.stringify([point, share]))).size).toBe(told.length);
      if (name !== 'halving') expect(told.length).toBe(60);
    },
  );

  it('tpe finds better points than the same number of random ones', () => {
    let better = 0;
    for (let seed = 1; seed <= 10; seed++)
      if (bestOf(climb('tpe', 80, seed)) >= bestOf(climb('random', 80, seed))) better += 1;
    expect(better).toBeGreaterThanOrEqual(8);
  });

  it('halving continues a third, each time on three times the bars, the last on all bars', () => {
    const told = climb('halving', 81);
    const rungs = [...new Set(told.map(({ share }) => share))];
    expect(rungs.map((share) => told.filter((one) => one.share === share).length)).toEqual([81, 27, 9, 3]);
    expect(rungs).toEqual([1 / 27, 1 / 9, 1 / 3, 1].map((share) => expect.closeTo(share, 12) as number));
    expect(rungs.at(-1)).toBe(1);
    expect(bestOf(told.filter(({ share }) => share === 1))).toBe(bestOf(told));
  });

  it('a grid with too many combinations is refused', () => {
    const many = Array.from({ length: 200 }, (_, index) => index);
    const large: Space = {
      dimensions: ['a', 'b', 'c'].map((name) => ({ name, values: many, given: 'flag' })),
    };
    expect(() => searchOver(large, 'grid', { seed: 0 })).toThrow('8000000 combinations');
  });
});

describe('the Sobol sequence', () => {
  const first = (dimensions: number, count: number) => {
    const points = sobolPoints(dimensions);
    return Array.from({ length: count }, () => points.next().value as number[]);
  };

  it('equals scipy.stats.qmc.Sobol(3, scramble=False), whose direction numbers are the same', () => {
    expect(first(3, 8)).toEqual([
      [0, 0, 0],
      [0.5, 0.5, 0.5],
      [0.75, 0.25, 0.25],
      [0.25, 0.75, 0.75],
      [0.375, 0.375, 0.625],
      [0.875, 0.875, 0.125],
      [0.625, 0.125, 0.875],
      [0.125, 0.625, 0.375],
    ]);
  });

  it('has the 38th point in 21 dimensions of scipy 1.10.1', () => {
    expect(first(MOST_DIMENSIONS, 38)[37]).toEqual([
      0.921875, 0.640625, 0.578125, 0.921875, 0.765625, 0.296875, 0.171875, 0.796875, 0.609375, 0.171875,
      0.015625, 0.078125, 0.578125, 0.859375, 0.109375, 0.484375, 0.796875, 0.421875, 0.046875, 0.140625,
      0.953125,
    ]);
  });

  it('has one of the first 2^n points in each of 2^n equal parts of every dimension', () => {
    const points = first(MOST_DIMENSIONS, 256);
    for (let dimension = 0; dimension < MOST_DIMENSIONS; dimension++)
      expect(new Set(points.map((point) => Math.floor(point[dimension]! * 256))).size).toBe(256);
  });
});
