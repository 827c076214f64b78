import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GrowingColumn, pushValue, rebaseEarlier, SharedMeans } from './column.ts';

const COUNTS = [1, 2, 3, 2.5, 7, 0, Number.NaN, Number.POSITIVE_INFINITY];

describe('moving averages shared by trials', () => {
  it('equal those of a single column, also after an adjustment and with a look-back limit', () => {
    const prices = fc.array(fc.double({ min: 0.01, max: 1e6, noNaN: true }), { minLength: 1, maxLength: 40 });
    const trials = fc.array(fc.tuple(fc.nat(39), fc.constantFrom(3, Number.POSITIVE_INFINITY)), {
      minLength: 2,
      maxLength: 4,
    });
    fc.assert(
      fc.property(prices, trials, (values, all) => {
        const series = Float64Array.from(values);
        const shared = new SharedMeans();
        for (const [adjustedAt, limit] of all) {
          const own = new GrowingColumn(4, limit);
          const sharing = new GrowingColumn(4, limit, shared.of(series));
          values.forEach((value, bar) => {
            for (const column of [own, sharing]) {
              pushValue(column, value);
              if (bar === adjustedAt) rebaseEarlier(column, 0.5);
            }
            for (const count of COUNTS) expect(sharing.mean(count)).toBe(own.mean(count));
          });
        }
      }),
    );
  });

  it('are not stored beyond four million values per series', () => {
    const means = new SharedMeans().of(new Float64Array(2_000_001));
    const first = means(2);
    expect(first).toHaveLength(2_000_001);
    expect(means(3) === undefined).toBe(true);
    expect(means(2) === first).toBe(true);
    const smaller = new SharedMeans().of(new Float64Array(2_000_000));
    expect([smaller(2), smaller(3)].map((one) => one?.length)).toEqual([2_000_000, 2_000_000]);
  });

  it('include no bars that a later trial has not reached', () => {
    const series = Float64Array.from([1, 2, 3, 4]);
    const shared = new SharedMeans();
    const first = new GrowingColumn(4, Number.POSITIVE_INFINITY, shared.of(series));
    for (const value of series) {
      pushValue(first, value);
      first.mean(2);
    }
    const second = new GrowingColumn(4, Number.POSITIVE_INFINITY, shared.of(series));
    expect(second.mean(2)).toBeNaN();
    pushValue(second, 1);
    expect(second.mean(2)).toBeNaN();
    pushValue(second, 2);
    expect(second.mean(2)).toBe(1.5);
  });
});
