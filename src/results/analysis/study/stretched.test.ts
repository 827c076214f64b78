import { describe, expect, it } from 'vitest';
import { stretchFor } from './hierarchical.ts';

describe('the stretch of a bootstrap interval', () => {
  // Quantiles of Student's t and of the normal distribution from printed tables.
  it.each([
    [2, 0.95, (12.7062 * Math.SQRT2) / 1.959964],
    [10, 0.9, (1.833113 * Math.sqrt(10 / 9)) / 1.644854],
    [31, 0.99, (2.749996 * Math.sqrt(31 / 30)) / 2.575829],
  ])('of %i units at %d depends on their number', (units, confidence, stretch) => {
    expect(stretchFor(units, confidence)).toBeCloseTo(stretch, 4);
  });

  it('is nearly 1 for many units', () => {
    expect(stretchFor(100_000, 0.95)).toBeCloseTo(1, 4);
  });
});
