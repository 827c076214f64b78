import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { recordOf } from '../../kernel/index.ts';
import { PRICE_COLUMNS } from './bar-columns.ts';
import { GrowingColumn, pushValue, rebaseEarlier, SharedMeans, showRow } from './column.ts';

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
          const own = new GrowingColumn(limit);
          const sharing = new GrowingColumn(limit, undefined, shared.of(series));
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
    const first = new GrowingColumn(Number.POSITIVE_INFINITY, undefined, shared.of(series));
    for (const value of series) {
      pushValue(first, value);
      first.mean(2);
    }
    const second = new GrowingColumn(Number.POSITIVE_INFINITY, undefined, shared.of(series));
    expect(second.mean(2)).toBeNaN();
    pushValue(second, 1);
    expect(second.mean(2)).toBeNaN();
    pushValue(second, 2);
    expect(second.mean(2)).toBe(1.5);
  });
});

describe('columns of a series', () => {
  const NAMES = ['time', ...PRICE_COLUMNS] as const;
  const columnsOf = (limit: number) => {
    const visible = { count: 0 };
    return recordOf(NAMES, () => new GrowingColumn(limit, visible));
  };

  it('equal columns of the same values pushed one by one, also after adjustments and with a look-back', () => {
    const prices = fc.array(fc.double({ min: 0.01, max: 1e6, noNaN: true }), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(
        prices,
        fc.array(fc.nat(59), { maxLength: 3 }),
        fc.constantFrom(1, 3, 20, Number.POSITIVE_INFINITY),
        (values, adjusted, limit) => {
          const close = Float64Array.from(values);
          const series = { symbol: 'A', ...recordOf(NAMES, () => Float64Array.from(values)), close };
          const shown = columnsOf(limit);
          const pushed = new GrowingColumn(limit);
          values.forEach((value, bar) => {
            showRow(shown, series, bar);
            pushValue(pushed, value);
            if (adjusted.includes(bar))
              for (const column of [...PRICE_COLUMNS.map((name) => shown[name]), pushed])
                rebaseEarlier(column, 0.5, 1);
            const read = (column: GrowingColumn) => ({
              length: column.length,
              last: column.last,
              at: [-70, -3, -1, 0, 2, bar, bar + 1, 0.5].map((index) => column.at(index)),
              tails: [0, 1, 5, 100].map((count) => [...column.tail(count)]),
              means: COUNTS.map((count) => column.mean(count)),
            });
            expect(read(shown.close)).toEqual(read(pushed));
          });
          expect([...close]).toEqual(values);
        },
      ),
    );
  });

  it('show the new arrays of a series that grows', () => {
    const columns = columnsOf(Number.POSITIVE_INFINITY);
    showRow(columns, { symbol: 'A', ...recordOf(NAMES, () => Float64Array.of(1)) }, 0);
    rebaseEarlier(columns.volume, 1);
    showRow(columns, { symbol: 'A', ...recordOf(NAMES, () => Float64Array.of(1, 2)) }, 1);
    expect([...columns.time.tail(9)]).toEqual([1, 2]);
    expect([...columns.open.tail(9)]).toEqual([1, 2]);
  });

  it('pass later values to no method that a strategy could replace', () => {
    const columns = columnsOf(Number.POSITIVE_INFINITY);
    showRow(columns, { symbol: 'A', ...recordOf(NAMES, () => Float64Array.of(1, 2, 77, 77)) }, 0);
    const prototype = Object.getPrototypeOf(Float64Array.prototype) as Record<string, unknown>;
    const names = Object.getOwnPropertyNames(prototype).filter((name) => typeof name === 'string');
    const before = names.map((name) => [name, Object.getOwnPropertyDescriptor(prototype, name)!] as const);
    const received: unknown[] = [];
    for (const [name, { value }] of before)
      if (typeof value === 'function' && name !== 'constructor')
        prototype[name] = function (this: Float64Array, ...given: unknown[]) {
          received.push(this[2], ...given);
          return (value as (...all: unknown[]) => unknown).apply(this, given);
        };
    let tail: Float64Array;
    try {
      tail = columns.close.tail(3);
      columns.close.at(-1);
      columns.close.mean(1);
      showRow(columns, { symbol: 'A', ...recordOf(NAMES, () => Float64Array.of(1, 2, 77, 77)) }, 1);
      rebaseEarlier(columns.close, 2);
    } finally {
      for (const [name, descriptor] of before) Object.defineProperty(prototype, name, descriptor);
    }
    expect(tail).toEqual(Float64Array.of(1));
    expect(tail.buffer.byteLength).toBe(8);
    expect(received).toEqual([]);
  });
});
