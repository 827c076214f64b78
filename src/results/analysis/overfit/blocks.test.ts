import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { overfittingOf as plainOverfittingOf } from '../../../../test/reference/pbo.ts';
import { runRecord } from '../../../../test/support/records.ts';
import { type BlockSums, blockSumsOf, overfittingOf, overfittingOfBlocks, sharpeOfBlocks } from './pbo.ts';

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
  it('equals the probability from the returns', () => {
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
        expect(found).toMatchObject({ trials: returns.length, blocks: 8 });
        const parts = [0, 20, 40, 60].map((from) => {
          const part = plainOverfittingOf(
            returns.map((one) => one.filter((_, at) => at < from || at >= from + 20)),
          );
          return 'reason' in part ? Number.NaN : part.probability;
        });
        expect(found.interval).toEqual([Math.min(...parts), Math.max(...parts)]);
      }),
      { numRuns: 60 },
    );
  });

  it('chooses the first of several trials with the same ratio', () => {
    // Sums of these returns are exact, so that equal blocks in any order have equal ratios.
    const block = (mean: number) =>
      Array.from({ length: 10 }, (_, index) => (mean === 0 ? 0 : mean + (index % 2 === 0 ? 1 : -1) / 1024));
    const trial = fc
      .array(fc.constantFrom(-1, 0, 1), { minLength: 4, maxLength: 4 })
      .map((signs) => Float64Array.from(signs.flatMap((sign) => block(sign / 64))));
    fc.assert(
      fc.property(fc.array(trial, { minLength: 4, maxLength: 6 }), (trials) => {
        expect(overfittingOf(trials)).toEqual(plainOverfittingOf(trials));
      }),
      { numRuns: 300 },
    );
  });

  it('reports why it is undefined', () => {
    expect(overfittingOfBlocks([])).toEqual({ reason: 'fewer than 4 trials (0)' });
    const trials = (count: number, blocks: number) =>
      Array.from({ length: count }, (_, trial) =>
        sumsOf(
          Float64Array.from({ length: 80 }, (_, at) => Math.sin(at * (trial + 1))),
          blocks,
        ),
      );
    expect(overfittingOfBlocks(trials(3, 8))).toEqual({ reason: 'fewer than 4 trials (3)' });
    expect(overfittingOfBlocks(trials(4, 3))).toEqual({ reason: '3 blocks of time are too few' });
    expect(overfittingOfBlocks(trials(4, 2))).toEqual({ reason: '2 blocks of time are too few' });
    expect(overfittingOfBlocks(trials(4, 7))).toEqual({ reason: '7 blocks of time are too few' });
    expect(overfittingOfBlocks(trials(4, 4))).toMatchObject({ blocks: 4, splits: 6, interval: null });
    expect(overfittingOfBlocks(trials(4, 6))).toMatchObject({ blocks: 6, splits: 20, interval: null });
  });
});

describe('sums of session returns by block', () => {
  const dates = Array.from({ length: 6 }, (_, day) => `2024-01-0${day + 1}`);
  const at = (day: number) => Date.parse(dates[day]!);

  it('add each return to the block in which its session ends', () => {
    const record = runRecord({ equity: [100, 110, 99, 99, 198, 99], dates });
    const found = blockSumsOf(record, [at(1) + 1, at(4), at(5) + 1]) as BlockSums;
    expect(found.count).toEqual([1, 2, 2, 0]);
    expect(found.sum.map((value) => Number(value.toFixed(12)))).toEqual([0.1, -0.1, 0.5, 0]);
    expect(found.squares.map((value) => Number(value.toFixed(12)))).toEqual([0.01, 0.01, 1.25, 0]);
    const early = blockSumsOf(record, [at(0), at(2)]) as BlockSums;
    expect(early.count).toEqual([0, 1, 4]);
  });

  it('include the first session of a run with an evaluation date', () => {
    const settings = { evaluateFrom: dates[2]! };
    const record = runRecord({ cash: '100', equity: [100, 100, 101, 101, 101, 101], dates, settings });
    const found = blockSumsOf(record, [at(3)]) as BlockSums;
    expect(found.count).toEqual([1, 3]);
    expect(found.sum[0]).toBeCloseTo(0.01, 12);
  });

  it('report why they are undefined', () => {
    expect(blockSumsOf(runRecord({ equity: [100, 0, 5] }), [])).toHaveProperty('reason');
  });
});

describe('the Sharpe ratio of chosen blocks', () => {
  it('is the mean over the standard deviation of their returns', () => {
    const returns = Float64Array.of(0.03, -0.01, 0.02, 9, 9, 9, 0.04, 0, 0.01);
    const chosen = [0.03, -0.01, 0.02, 0.04, 0, 0.01];
    const mean = 0.09 / 6;
    const variance = chosen.reduce((sum, value) => sum + (value - mean) ** 2, 0) / 5;
    expect(sharpeOfBlocks(sumsOf(returns, 3), [0, 2])).toBeCloseTo(mean / Math.sqrt(variance), 12);
  });

  it('is 0 for returns that do not vary, and for a single return', () => {
    expect(sharpeOfBlocks(sumsOf(new Float64Array(9).fill(0.1), 3), [0, 1])).toBe(0);
    expect(sharpeOfBlocks(sumsOf(new Float64Array(6).fill(1e-9), 3), [0, 2])).toBe(0);
    expect(sharpeOfBlocks(sumsOf(Float64Array.of(0.1, 0.2), 2), [1])).toBe(0);
    expect(sharpeOfBlocks(sumsOf(Float64Array.of(0.1, 0.2), 2), [0, 1])).toBeCloseTo(
      0.15 / Math.sqrt(0.005),
      12,
    );
    // A variation of 1e-6 is larger than rounding.
    expect(sharpeOfBlocks(sumsOf(Float64Array.of(1, 1 + 1e-6), 2), [0, 1])).toBeGreaterThan(1e5);
  });

  it('treats variation as rounding only if it is as small as the rounding of one return', () => {
    // A thousand returns near 1 have a variance of 1e-12. Their squares sum to 1,000.
    const returns = Float64Array.from({ length: 1000 }, (_, at) => 1 + (at % 2 === 0 ? 1e-6 : -1e-6));
    const sums = sumsOf(returns, 4);
    expect(sharpeOfBlocks(sums, [0, 1, 2, 3]) / 1e6).toBeCloseTo(1, 2);
    expect(sharpeOfBlocks({ count: [2], sum: [0], squares: [0] }, [0])).toBe(0);
    expect(sharpeOfBlocks({ count: [2], sum: [2], squares: [4] }, [0])).toBeCloseTo(1 / Math.SQRT2, 12);
  });
});
