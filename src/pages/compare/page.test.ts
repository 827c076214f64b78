import { describe, expect, it } from 'vitest';
import { commonGrid } from './pictures.ts';

const DAY = 86_400_000;
const days = (from: number, count: number): number[] =>
  Array.from({ length: count }, (_, day) => (from + day) * DAY);

describe('the common grid of a comparison', () => {
  it('contains every time if there are few', () => {
    expect(commonGrid([days(0, 3), days(1, 4)], 1000)).toEqual(days(0, 5));
  });

  it('has the same number of points per year for one run and for two', () => {
    const grid = commonGrid([days(0, 7000), days(3500, 3500)], 500);
    expect(grid.length).toBeLessThanOrEqual(500);
    const early = grid.filter((time) => time < 3500 * DAY).length;
    expect(Math.abs(early - grid.length / 2)).toBeLessThanOrEqual(1);
    expect(grid.at(-1)).toBe(6999 * DAY);
  });

  it('is equally dense if one run has finer bars', () => {
    const hours = Array.from({ length: 50 * 24 }, (_, hour) => 50 * DAY + (hour * DAY) / 24);
    const grid = commonGrid([days(0, 100), hours], 100);
    expect(Math.abs(grid.filter((time) => time < 50 * DAY).length - 50)).toBeLessThanOrEqual(1);
  });

  it('is empty without bars', () => {
    expect(commonGrid([[], []], 100)).toEqual([]);
  });
});
