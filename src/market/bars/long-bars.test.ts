import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Bar, barSeries } from './bar-columns.ts';
import { GrowingColumn, pushValue, rebaseEarlier, roundedPrice } from './column.ts';
import { groupingBy } from './interval.ts';
import { Resampler, resample } from './resampled.ts';

const HOUR = 3_600_000;
const bar = (hour: number, open: number, high: number, low: number, close: number, volume: number): Bar => ({
  time: hour * HOUR,
  open,
  high,
  low,
  close,
  volume,
});
const HOURS = [
  bar(0, 10, 12, 9, 11, 100),
  bar(1, 11, 11, 8, 9, 50),
  bar(2, 9, 15, 9, 14, 30),
  bar(5, 14, 14, 13, 13, 20),
];

describe('long bars that grow', () => {
  const resamplerOf = (count: number, barLength: number | undefined): Resampler => {
    const length = barLength === undefined ? undefined : { milliseconds: barLength };
    const resampler = new Resampler(' 2H ', groupingBy('2h'), length);
    for (const one of HOURS.slice(0, count)) resampler.take(one);
    return resampler;
  };
  const taken = (count: number): Resampler => resamplerOf(count, HOUR);
  const first: Bar = { time: HOUR, open: 10, high: 12, low: 8, close: 9, volume: 150 };

  it('are finished by the bar that ends with the group, or by the first bar after it', () => {
    const lengths = (barLength: number | undefined) =>
      [0, 1, 2, 3, 4].map((count) => {
        const resampler = resamplerOf(count, barLength);
        return [resampler.taken, resampler.bars(false).length, resampler.bars(true).length];
      });
    expect(lengths(HOUR)).toEqual([
      [0, 0, 0],
      [1, 0, 1],
      [2, 1, 1],
      [3, 1, 2],
      [4, 3, 3],
    ]);
    expect(lengths(undefined)).toEqual([
      [0, 0, 0],
      [1, 0, 1],
      [2, 0, 1],
      [3, 1, 2],
      [4, 2, 3],
    ]);
  });

  it('have the first open, the extremes, the last close, the summed volume and the last time', () => {
    const bars = taken(4).bars(false);
    expect(bars.rule).toBe('2h');
    expect([0, 1, 2].map(bars.barAt)).toEqual([first, HOURS[2], HOURS[3]]);
    expect([-1, -2, -3].map(bars.barAt)).toEqual([HOURS[3], HOURS[2], first]);
    expect([3, -4, Number.NaN].map((index) => bars.barAt(index))).toEqual([undefined, undefined, undefined]);
    expect(bars.bar).toEqual(HOURS[3]);
    expect(taken(0).bars(true).bar).toBeUndefined();
  });

  it('include the unfinished bar on request', () => {
    const { close, length, bar: newest, barAt } = taken(3).bars(true);
    expect([length, newest, barAt(0), barAt(1)]).toEqual([2, HOURS[2], first, HOURS[2]]);
    expect([close.length, close.last]).toEqual([2, 14]);
    expect([0, 1, 2, -1, -2, -3].map((index) => close.at(index))).toEqual([
      9,
      14,
      Number.NaN,
      14,
      9,
      Number.NaN,
    ]);
    const tails = [0, 1, 2, 3, 1.9, -1, Number.NaN, Number.POSITIVE_INFINITY];
    expect(tails.map((count) => [...close.tail(count)])).toEqual([
      [],
      [14],
      [9, 14],
      [9, 14],
      [14],
      [],
      [],
      [9, 14],
    ]);
    expect([0, 1, 2, 3, 0.5, Number.NaN].map((count) => close.mean(count))).toEqual([
      Number.NaN,
      14,
      11.5,
      Number.NaN,
      Number.NaN,
      Number.NaN,
    ]);
  });

  it('that were returned earlier do not change when later bars arrive', () => {
    const resampler = taken(3);
    const { close } = resampler.bars(true);
    resampler.take(HOURS[3]!);
    expect([close.length, ...close.tail(9)]).toEqual([2, 9, 14]);
  });
});

describe('long bars of a whole series', () => {
  it('include the last group, and have the rule as their interval', () => {
    const long = resample(barSeries('A', HOURS), ' 2H ');
    expect(long).toEqual({
      ...barSeries('A', [
        { time: HOUR, open: 10, high: 12, low: 8, close: 9, volume: 150 },
        HOURS[2]!,
        HOURS[3]!,
      ]),
      interval: '2h',
    });
    expect(resample(barSeries('A', []), '1d').time).toHaveLength(0);
  });

  it('use the sessions of a calendar, and otherwise UTC', () => {
    // The session of 1970-01-01 closes at 02:00, so hours from 02:00 on belong to the next day.
    const long = resample({ ...barSeries('A', HOURS), interval: '1h' }, '1d', { session: '00:00-02:00' });
    expect([[...long.close], [...long.volume]]).toEqual([
      [9, 13],
      [150, 50],
    ]);
    const ends = { session: '00:00-02:00', barTimes: 'end' as const };
    expect([...resample({ ...barSeries('A', HOURS), interval: '1h' }, '1d', ends).volume]).toEqual([180, 20]);
    const zone = { session: '00:00-02:00', timezone: 'Asia/Tokyo' };
    expect([...resample({ ...barSeries('A', HOURS), interval: '1h' }, '1d', zone).volume]).toEqual([200]);
  });
});

describe('a column', () => {
  const columnOf = (limit: number, ...values: number[]): GrowingColumn => {
    const column = new GrowingColumn(limit);
    for (const value of values) pushValue(column, value);
    return column;
  };

  it('is indexed from both ends, up to the look-back limit', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 99 }), { maxLength: 50 }),
        fc.constantFrom(1, 2, 7, 16, Number.POSITIVE_INFINITY),
        (values, limit) => {
          const column = columnOf(limit, ...values);
          const readable = values.slice(Math.max(0, values.length - limit));
          expect(column.length).toBe(readable.length);
          expect(column.last).toBe(readable.at(-1) ?? Number.NaN);
          for (let index = -9; index <= 9; index++)
            expect(column.at(index)).toBe(readable.at(index) ?? Number.NaN);
          for (let count = 0; count <= 9; count++)
            expect([...column.tail(count)]).toEqual(readable.slice(Math.max(0, readable.length - count)));
          for (let count = 1; count <= 9; count++) {
            const mean = readable.slice(-count).reduce((sum, value) => sum + value, 0) / count;
            expect(column.mean(count)).toBe(count > readable.length ? Number.NaN : mean);
          }
        },
      ),
    );
  });

  it('is adjusted except for its newest value, and rounded to twelve digits', () => {
    const column = columnOf(Number.POSITIVE_INFINITY, 3, 6, 9);
    rebaseEarlier(column, 1 / 3, 1);
    expect([...column.tail(3)]).toEqual([2, 3, 9]);
    rebaseEarlier(column, 0.1);
    expect([...column.tail(3)]).toEqual([0.2, 0.3, 9]);
    pushValue(column, 10);
    expect([...column.tail(4)]).toEqual([0.2, 0.3, 9, 10]);
    expect([0.1 + 0.2, 1_234_567.890_123_4, 2 / 3].map(roundedPrice)).toEqual([
      0.3, 1_234_567.890_12, 0.666_666_666_667,
    ]);
  });
});
