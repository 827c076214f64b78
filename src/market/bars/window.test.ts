import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { simulateMarket } from '../simulate/simulate.ts';
import type { Column } from './column.ts';
import { SeriesCursor } from './window.ts';

const COLUMNS = ['time', 'open', 'high', 'low', 'close', 'volume'] as const;

describe('SeriesCursor and its window', () => {
  it('shows exactly the newest bars through every accessor, with and without a look-back limit', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 120 }),
        fc.option(fc.integer({ min: 1, max: 40 })),
        fc.nat(),
        (bars, limit, part) => {
          const series = simulateMarket({ seed: 2, bars }).series[0]!;
          const lookback = limit ?? Number.POSITIVE_INFINITY;
          const cursor = new SeriesCursor(series, lookback);
          const { window } = cursor;
          const revealed = part % (bars + 1);
          for (let index = 0; index < revealed; index++)
            expect(cursor.advanceTo(series.time[index]!)).toBe(true);
          const length = Math.min(revealed, lookback);
          expect([window.revealed, window.length]).toEqual([revealed, length]);
          for (const name of COLUMNS) {
            const expected = Array.from(series[name].slice(revealed - length, revealed));
            const column: Column = window[name];
            expect(Array.from(column.tail(1000))).toEqual(expected);
            expect(expected.map((_, index) => column.at(index))).toEqual(expected);
            expect(expected.map((_, index) => column.at(index - length))).toEqual(expected);
            expect([column.at(length), column.at(-length - 1)]).toEqual([Number.NaN, Number.NaN]);
            expect(column.last).toBe(expected.at(-1) ?? Number.NaN);
            expect(column.mean(length)).toBe(
              length === 0 ? Number.NaN : expected.reduce((a, b) => a + b, 0) / length,
            );
            expect(column.mean(length + 1)).toBeNaN();
          }
          expect(window.barAt(length)).toBeUndefined();
          expect(window.bar?.close).toBe(revealed === 0 ? undefined : series.close[revealed - 1]);
        },
      ),
    );
  });

  it('contains no number of a later bar', () => {
    const series = simulateMarket({ seed: 2, bars: 50 }).series[0]!;
    const cursor = new SeriesCursor(
      { ...series, close: series.close.map((value, index) => (index < 20 ? value : -7)) },
      8,
    );
    const { window } = cursor;
    for (let index = 0; index < 20; index++) cursor.advanceTo(series.time[index]!);
    const { buffer } = window.close.tail(Number.POSITIVE_INFINITY);
    expect(new Float64Array(buffer)).not.toContain(-7);
  });

  it('does not advance at a time that is not that of its next bar', () => {
    const series = simulateMarket({ seed: 2, bars: 3 }).series[0]!;
    const cursor = new SeriesCursor(series);
    const { window } = cursor;
    expect(cursor.advanceTo(series.time[1]!)).toBe(false);
    expect(cursor.advanceTo(series.time[0]!)).toBe(true);
    expect(cursor.advanceTo(series.time[0]!)).toBe(false);
    expect(window.length).toBe(1);
  });

  it('returns copies', () => {
    const series = simulateMarket({ seed: 2, bars: 3 }).series[0]!;
    const cursor = new SeriesCursor(series);
    const { window } = cursor;
    cursor.advanceTo(series.time[0]!);
    window.close.tail(1)[0] = -1;
    expect(window.close.last).toBe(series.close[0]);
  });
});
