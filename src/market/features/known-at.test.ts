import { describe, expect, it } from 'vitest';
import { BarBounds } from '../bars/context.ts';
import type { BarTimes } from '../bars/interval.ts';
import type { Stamp } from '../reading/stamps.ts';
import { KnownAt } from './feed.ts';

const DAY = 86_400_000;
const HOUR = DAY / 24;
const hours = (interval: number | undefined, barTimes: BarTimes, ...clock: number[]) => {
  const market = {
    ...{ clock: Float64Array.from(clock, (hour) => hour * HOUR) },
    interval: interval === undefined ? undefined : { milliseconds: interval * HOUR },
  };
  const knownAt = new KnownAt(market, new BarBounds(market, barTimes), barTimes);
  const ofDate = (date: Stamp): number =>
    knownAt.of({ source: '', columns: [], dates: [date], known: [undefined], symbols: undefined }, 0) / HOUR;
  return {
    day: (day: number, over?: number) =>
      ofDate({ instant: day * DAY, wholeDay: true, ...(over === undefined ? {} : { over: over * HOUR }) }),
    instant: (hour: number) => ofDate({ instant: hour * HOUR, wholeDay: false }),
    stamp: (given: Stamp) => knownAt.ofStamp(given) / HOUR,
  };
};

describe('a row about a day', () => {
  it('is known at the end of the daily bar of this day, or when a missing bar would have ended', () => {
    const { day, stamp } = hours(24, 'start', 0, 24, 72);
    expect([day(0), day(1), day(2), day(3), day(4), day(-1)]).toEqual([24, 48, 72, 96, 120, 0]);
    expect(day(1, 55)).toBe(48);
    expect(stamp({ instant: DAY, wholeDay: true })).toBe(48);
    expect(stamp({ instant: DAY, wholeDay: false })).toBe(24);
  });

  it('is known at the time of the daily bar with this date if bars have end times', () => {
    const { day } = hours(24, 'end', 24, 48, 72);
    expect([day(0), day(1), day(2), day(3), day(4)]).toEqual([24, 24, 48, 72, 120]);
  });

  it('is known at the end of a longer bar that contains the day', () => {
    const weeks = hours(7 * 24, 'start', 0, 168, 336);
    expect([weeks.day(0), weeks.day(3), weeks.day(6), weeks.day(7), weeks.day(30)]).toEqual([
      168, 168, 168, 336, 744,
    ]);
  });

  it('is known at the end of the day in its time zone if bars are shorter than a day', () => {
    const hourly = hours(1, 'start', 10, 11, 12);
    expect([hourly.day(0), hourly.day(0, 29), hourly.day(5)]).toEqual([24, 29, 144]);
    expect(hours(undefined, 'start', 10).day(0)).toBe(24);
    // Bars of at least 0.8 days (19.2 hours) count as daily bars.
    expect(hours(19.2, 'start', 0, 30).day(0)).toBe(19.2);
    expect(hours(19.1, 'start', 0, 30).day(0)).toBe(24);
  });
});

describe('a row about an instant', () => {
  it('is known at the end of the bar that contains it, or one bar length later outside of bars', () => {
    const { instant } = hours(1, 'start', 10, 11, 13);
    expect([10, 10.5, 11, 11.5, 12, 13, 13.5, 14].map(instant)).toEqual([11, 11, 12, 12, 12, 14, 14, 14]);
    expect([9, 12.5, 14.5].map(instant)).toEqual([10, 13.5, 15.5]);
  });

  it('is known immediately outside of bars with end times, or if the bar length is unknown', () => {
    const { instant } = hours(1, 'end', 10, 11, 13);
    expect([9.5, 10, 10.5, 11, 12.5, 13].map(instant)).toEqual([10, 10, 11, 11, 13, 13]);
    expect([9, 8, 11.5, 12, 13.5].map(instant)).toEqual([9, 8, 11.5, 12, 13.5]);
    expect([9, 10.5].map(hours(undefined, 'start', 10, 11).instant)).toEqual([9, 10.5]);
  });
});
