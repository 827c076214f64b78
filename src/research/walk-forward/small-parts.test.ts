import { expect, it } from 'vitest';
import type { WalkForwardResult } from '../../results/runs/index.ts';
import { combinations } from './cross-validate.ts';
import { efficiencyOf } from './walk-forward.ts';

type Window = WalkForwardResult['windows'][number];

const window = (inSample: number | null, outOfSample: number | null): Window =>
  ({ inSample, outOfSample }) as Window;

it('computes the efficiency of a walk-forward over the windows that have both objectives', () => {
  expect(efficiencyOf([window(2, 1), window(4, 2), window(6, null), window(null, 9)])).toBe(0.5);
});

it('computes no efficiency if the in-sample objectives are zero or negative', () => {
  expect(efficiencyOf([window(1, 1), window(-1, 2)])).toBeNull();
  expect(efficiencyOf([window(-1, 2)])).toBeNull();
  expect(efficiencyOf([])).toBeNull();
});

it('lists every selection of groups once, in increasing order', () => {
  expect(combinations(4, 2)).toEqual([
    [0, 1],
    [0, 2],
    [0, 3],
    [1, 2],
    [1, 3],
    [2, 3],
  ]);
  expect(combinations(6, 3)).toHaveLength(20);
  expect(combinations(3, 3)).toEqual([[0, 1, 2]]);
});
