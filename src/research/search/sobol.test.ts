import { expect, it } from 'vitest';
import { MOST_DIMENSIONS, sobolPoints } from './sobol-halving-tpe.ts';

/**
 * Expected points, computed with `scipy.stats.qmc.Sobol(d=21, scramble=False, bits=32)`. The key is the index
 * of a point. The value contains the 21 coordinates, times 2³².
 */
const POINTS = new Map([
  [
    85,
    [
      4261412864, 4261412864, 2315255808, 503316480, 234881024, 704643072, 3254779904, 2382364672, 2785017856,
      369098752, 2315255808, 2986344448, 637534208, 234881024, 1979711488, 3925868544, 3388997632, 2852126720,
      4060086272, 1509949440, 2919235584,
    ],
  ],
  [
    43690,
    [
      4294901760, 65536, 2969501696, 1123221504, 3271884800, 2165374976, 2360147968, 2888237056, 3674406912,
      4149673984, 2657681408, 234684416, 1629290496, 859504640, 2453733376, 2338258944, 2593980416, 85786624,
      2806972416, 2343895040, 2971467776,
    ],
  ],
]);

it('has the points of scipy in every dimension', () => {
  expect(MOST_DIMENSIONS).toBe(21);
  const found = new Map<number, number[]>();
  let index = 0;
  for (const point of sobolPoints(MOST_DIMENSIONS)) {
    if (POINTS.has(index))
      found.set(
        index,
        point.map((value) => value * 2 ** 32),
      );
    if (index++ === 43_690) break;
  }
  expect(found).toEqual(POINTS);
});

it('has at most 21 dimensions', () => {
  expect(() => sobolPoints(22).next()).toThrow('at most 21 dimensions');
  expect(sobolPoints(1).next().value).toEqual([0]);
});
