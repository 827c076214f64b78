import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../kernel/index.ts';
import { quantileOf } from '../series/ratios.ts';
import { hierarchicalMean, resampledMeans, stretchFor } from './hierarchical.ts';

const random = () => createRandom(8, 'hierarchical');
const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Returns the means of resamples. Draws each window and then the samples of this window. */
function drawnMeans(windows: readonly (readonly number[])[], resamples: number): number[] {
  const draws = random();
  const drawn = <Item>(items: readonly Item[]): Item =>
    items.length === 1 ? items[0]! : items[draws.integer(0, items.length - 1)]!;
  return Array.from({ length: resamples }, () =>
    meanOf(
      windows.map(() => {
        const samples = drawn(windows);
        return meanOf(samples.map(() => drawn(samples)));
      }),
    ),
  );
}

const CASES: readonly (readonly [over: string, windows: readonly (readonly number[])[], units: number])[] = [
  ['windows and samples', [[0.1, 0.3], [0.2], [-0.4, 0, 0.7], [0.9]], 4],
  ['windows', [[1], [2], [4]], 3],
  ['windows', Array.from({ length: 12 }, (_, at) => [Math.sin(at * at)]), 12],
  ['samples', [[1, 2, 7, -3]], 4],
];

it.each(CASES)('resamples of %s are drawn window by window', (_, windows) => {
  const found = resampledMeans(windows, 50, random());
  const expected = drawnMeans(windows, 50);
  for (const [place, mean] of expected.entries()) expect(found[place]).toBeCloseTo(mean, 12);
});

it.each(CASES)('the interval over %s is a percentile interval that is stretched', (over, windows, units) => {
  const sorted = drawnMeans(windows, 4_999).sort((one, other) => one - other);
  const mean = meanOf(windows.map(meanOf));
  const stretch = stretchFor(units, 0.95);
  const found = hierarchicalMean(windows, random());
  expect(found).toMatchObject({ over, runs: windows.flat().length, mean: expect.closeTo(mean, 12) });
  expect(found.low).toBeCloseTo(mean - stretch * (mean - quantileOf(sorted, 0.025)), 9);
  expect(found.high).toBeCloseTo(mean + stretch * (quantileOf(sorted, 0.975) - mean), 9);
});

describe('the mean over windows and samples', () => {
  it('weights windows equally, and omits undefined figures', () => {
    const found = hierarchicalMean(
      [[1, null, 3], [null], [], [Number.NaN, 8], [Number.POSITIVE_INFINITY]],
      random(),
    );
    expect(found).toMatchObject({ mean: 5, runs: 3, over: 'windows and samples' });
    // Each window has one defined figure.
    expect(
      hierarchicalMean(
        [
          [1, null],
          [null, 3],
        ],
        random(),
      ),
    ).toMatchObject({ mean: 2, runs: 2, over: 'windows' });
  });

  it('has no interval for one run, and no value without a run', () => {
    expect(hierarchicalMean([[null, 4]], random())).toEqual({
      mean: 4,
      low: null,
      high: null,
      runs: 1,
      over: null,
    });
    for (const windows of [[], [[]], [[null], [Number.NaN]]])
      expect(hierarchicalMean(windows, random())).toEqual({
        ...{ mean: null, low: null, high: null, runs: 0, over: null },
      });
  });

  it('has an interval that is cut to the range of the figure', () => {
    const range = [0, 1] as const;
    expect(hierarchicalMean([[0.1], [0.9]], random(), range)).toMatchObject({ low: 0, high: 1, mean: 0.5 });
    const open = hierarchicalMean([[0.1], [0.9]], random());
    expect(open.low).toBeLessThan(0);
    expect(open.high).toBeGreaterThan(1);
  });
});
