import { describe, expect, it } from 'vitest';
import { shownAs } from './masked-series.ts';
import { readSteps, writeSteps } from './time-map.ts';

describe('times in compact form', () => {
  it('count steps in the longest unit that divides all of them', () => {
    const times = [1_000, 1_600, 2_200, 3_100];
    expect(writeSteps(times)).toEqual({ first: 1_000, unit: 300, steps: '2x2 3' });
    expect([...readSteps(writeSteps(times))]).toEqual(times);
  });

  it('have no steps for one instant or for none', () => {
    expect(writeSteps([5])).toEqual({ first: 5, unit: 1, steps: '' });
    expect(writeSteps([])).toEqual({ first: 0, unit: 1, steps: '' });
  });
});

describe('values with added noise', () => {
  const rounding = { factor: 1, grid: 1, digits: 9, seed: 3 };

  it('remain in order between two steps of the grid', () => {
    const shown = [10, 10.2, 10.4, 10.6, 10.8, 11].map((value) => shownAs(value, rounding));
    expect(shown).toEqual([...shown].sort((a, b) => a - b));
    expect(new Set(shown).size).toBe(shown.length);
  });

  it('differ by at most half a step', () => {
    for (let value = 1; value < 200; value++)
      expect(Math.abs(shownAs(value, rounding) - value)).toBeLessThanOrEqual(0.5);
  });
});
