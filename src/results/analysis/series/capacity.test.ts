import { describe, expect, it } from 'vitest';
import { capacityOfShares, costMultiples } from './capacity.ts';

describe('the capacity of an account', () => {
  it('is computed from the 95th percentile and the maximum of the shares of volume', () => {
    // Sorted: 1 %, 2 %, 3 %, 4 %, 10 %. The 95th percentile is 0.8 of the way from 4 % to 10 %.
    const found = capacityOfShares([0.04, 0.01, 0.1, 0.02, 0.03], 1000);
    const sizes = (share: number) => ({
      participation: share,
      usual: expect.closeTo((1000 * share) / 0.088, 8),
      all: expect.closeTo((1000 * share) / 0.1, 8),
    });
    expect(found).toEqual({
      steps: [sizes(0.01), sizes(0.05), sizes(0.1), sizes(0.25)],
      median: 0.03,
      high: expect.closeTo(0.088, 12),
      largest: 0.1,
      fills: 5,
    });
  });
});

describe('the returns at multiplied costs', () => {
  const step = (name: string, returnBefore: number | null, returnAfter: number | null) => ({
    name,
    returnBefore,
    returnAfter,
  });

  it('multiply commission and slippage only, and exclude model tokens', () => {
    const found = costMultiples([
      step('From prices', 0, 0.5),
      step('Commission', 0.5, 0.375),
      step('Slippage', 0.375, 0.25),
      step('Borrow fees', 0.25, 0.125),
      step('Model tokens', 0.125, 0.0625),
    ]);
    expect(found).toEqual({
      steps: [
        { multiple: 0, totalReturn: 0.375 },
        { multiple: 1, totalReturn: 0.125 },
        { multiple: 2, totalReturn: -0.125 },
        { multiple: 5, totalReturn: -0.875 },
      ],
      breakEven: 1.5,
    });
  });

  it('use the last known return before the model tokens', () => {
    const steps = [
      step('Commission', 0.5, 0.25),
      step('Interest', 0.25, null),
      step('Model tokens', 0.25, 0),
    ];
    expect(costMultiples(steps)?.steps[1]).toEqual({ multiple: 1, totalReturn: 0.25 });
  });

  it('treat an unknown return as 0', () => {
    const steps = [step('Commission', null, -0.25), step('Slippage', 0.5, null)];
    expect(costMultiples(steps)?.steps).toEqual([
      { multiple: 0, totalReturn: 0.5 },
      { multiple: 1, totalReturn: -0.25 },
      { multiple: 2, totalReturn: -1 },
      { multiple: 5, totalReturn: -3.25 },
    ]);
  });

  it('are undefined without commission and slippage, or without a known return', () => {
    expect(costMultiples([])).toBeUndefined();
    expect(costMultiples([step('Interest', 0, 0.5)])).toBeUndefined();
    expect(costMultiples([step('Slippage', null, null)])).toBeUndefined();
    expect(costMultiples([step('Commission', 0, null), step('Model tokens', 0, 0.5)])).toBeUndefined();
  });
});
