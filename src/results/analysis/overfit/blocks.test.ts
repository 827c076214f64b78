import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { overfittingOf as plainOverfittingOf } from '../../../../test/reference/pbo.ts';
import { type BlockSums, overfittingOf, overfittingOfBlocks } from './pbo.ts';

function sumsOf(returns: Float64Array, blocks: number): BlockSums {
  const sums = { count: [] as number[], sum: [] as number[], squares: [] as number[] };
  for (let block = 0; block < blocks; block++) {
    const [from, to] = [block, block + 1].map((edge) => Math.round((edge * returns.length) / blocks));
    const part = returns.subarray(from, to);
    sums.count.push(part.length);
    sums.sum.push(part.reduce((total, value) => total + value, 0));
    sums.squares.push(part.reduce((total, value) => total + value ** 2, 0));
  }
  return sums;
}

describe('the probability of overfitting from block sums', () => {
  it('equals the one from the returns', () => {
    const trial = fc.array(fc.integer({ min: -100, max: 100 }), { minLength: 80, maxLength: 80 });
    fc.assert(
      fc.property(fc.array(trial, { minLength: 4, maxLength: 7 }), (trials) => {
        const returns = trials.map((one) => Float64Array.from(one, (value) => value / 1000));
        const expected = plainOverfittingOf(returns);
        expect(overfittingOf(returns)).toEqual(expected);
        const found = overfittingOfBlocks(returns.map((one) => sumsOf(one, 8)));
        if ('reason' in expected || 'reason' in found) throw new Error('both are defined');
        expect(found.splits).toBe(expected.splits);
        expect(found.probability).toBe(expected.probability);
        const [low, high] = found.interval!;
        expect(low).toBeLessThanOrEqual(high);
      }),
      { numRuns: 60 },
    );
  });

  it('reports why it is undefined', () => {
    expect(overfittingOfBlocks([])).toEqual({ reason: 'fewer than 4 trials (0)' });
  });
});
