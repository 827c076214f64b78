import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { sharedIsHere } from '../../../test/missing.ts';
import { DAY } from '../../kernel/index.ts';
import { type Bar, barSeries } from '../bars/bar-columns.ts';
import { createMarket } from '../market.ts';
import { dayBarFault, dayBarsIn } from './day-bars.ts';
import { loadSeries } from './load.ts';

const HOUR = DAY / 24;
const CLOSES = [10, 11, 12, 11, 13, 12, 14];

/** Hourly bars of a session that does not begin at midnight. */
function hours(day: number, closes: readonly number[] = CLOSES): Bar[] {
  return closes.map((close, hour) => {
    const open = closes[hour - 1] ?? 10;
    const [high, low] = [Math.max(open, close) + 1, Math.min(open, close) - 1];
    return { time: day * DAY + (14 + hour) * HOUR, open, high, low, close, volume: 1 };
  });
}

const DAY_BAR = { open: 10, high: 15, low: 9, close: 14, volume: 7 };
const days = (change: Partial<Bar> = {}, closes?: readonly number[]): Bar[] => [
  ...hours(1),
  { ...DAY_BAR, time: 2 * DAY, ...change },
  ...hours(2, closes),
  ...hours(3),
];
const found = (bars: readonly Bar[]) => dayBarsIn(barSeries('A', bars));

describe('the bar of a whole day among its hourly bars', () => {
  it('is detected', () => {
    expect(found(days())).toEqual([{ index: 7, bars: 7 }]);
    expect(() => createMarket([barSeries('A', days())])).toThrow(
      'A bar 7 (1970-01-03): is a bar of the whole day: its open, high, low and close are those of the 7 following bars',
    );
  });

  it.each([
    ['another open', { open: 11 }],
    ['another high', { high: 16 }],
    ['another low', { low: 8.5 }],
    ['another close', { close: 13 }],
    ['another time', { time: 2 * DAY + HOUR }],
  ])('is not detected with %s', (_, change) => {
    expect(found(days(change))).toEqual([]);
  });

  it('is not detected among three bars, or bars with two closes', () => {
    expect(found(days({ close: 12, high: 13 }, [10, 11, 12]))).toEqual([]);
    expect(found(days({ close: 12, high: 13 }, [10, 11, 11, 12]))).toHaveLength(1);
    expect(found(days({ close: 11, high: 12 }, [10, 11, 10, 11, 11]))).toEqual([]);
  });

  it('is not searched for in daily bars, and requires the hours of its day', () => {
    expect(found(days().filter(({ time }) => time % DAY === 0))).toEqual([]);
    expect(found(days().filter(({ time }) => time <= 2 * DAY))).toEqual([]);
  });
});

describe('bars of whole days in place of their first hours', () => {
  const DAYS = 40;
  /**
   * Hourly bars around the clock. On some days `change` replaces the first hour by a modified bar of the
   * whole day.
   */
  const market = (
    isWhole: (day: number) => boolean,
    change: (whole: Bar, day: number) => Bar = (whole) => whole,
    tick = 0.01,
    seed = 7,
  ): Bar[] => {
    let state = seed;
    const next = (): number => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return state / 2 ** 32 - 0.5;
    };
    const round = (price: number): number => Math.round(price / tick) * tick;
    let price = 100;
    return Array.from({ length: DAYS }, (_, day) => {
      const bars = Array.from({ length: 24 }, (__, hour): Bar => {
        const open = price;
        price = round(open + next());
        const [high, low] = [Math.max(open, price), Math.min(open, price)];
        const spread = Math.abs(next());
        return {
          time: day * DAY + hour * HOUR,
          open,
          high: round(high + spread),
          low: round(low - spread),
          close: price,
          volume: 1,
        };
      });
      if (!isWhole(day)) return bars;
      const [first, ...others] = bars as [Bar, ...Bar[]];
      const high = Math.max(...bars.map((one) => one.high));
      const low = Math.min(...bars.map((one) => one.low));
      return [change({ ...first, high, low, close: price }, day), ...others];
    }).flat();
  };
  const daysFound = (bars: readonly Bar[]) => found(bars).map(({ index }) => index / 24);
  const all = Array.from({ length: DAYS }, (_, day) => day);

  it.each([
    ['as they are', (whole: Bar) => whole],
    ['a tick wider', (whole: Bar) => ({ ...whole, high: whole.high + 0.01, low: whole.low - 0.01 })],
    ['rounded', (whole: Bar) => ({ ...whole, close: whole.close + 0.004, high: whole.high - 0.004 })],
  ])('are detected on every day, %s', (_, change) => {
    expect(daysFound(market(() => true, change))).toEqual(all);
    const [first] = found(market(() => true, change));
    expect(dayBarFault(first!).message).toBe(
      'is a bar of the whole day: its range contains the 23 following bars and its close equals their last close, as on 40 days',
    );
  });

  it('are detected if several of thirty days have one, anywhere in the file', () => {
    const chosen = [21, 24, 27, 30, 33, 36];
    expect(daysFound(market((day) => chosen.includes(day)))).toEqual(chosen);
    expect(daysFound(market((day) => chosen.slice(4).includes(day)))).toEqual([]);
  });

  it('are detected if sessions begin after midnight', () => {
    const bars = market(() => true).map((bar) => ({ ...bar, time: bar.time + HOUR / 2 }));
    expect(daysFound(bars)).toEqual(all);
  });

  it.each([
    ['closing elsewhere', (whole: Bar) => ({ ...whole, close: (whole.high + whole.low) / 2 })],
    [
      'far wider than the day',
      (whole: Bar) => ({ ...whole, high: whole.high * 1.05, low: whole.low * 0.95 }),
    ],
    ['narrower than the day', (whole: Bar) => ({ ...whole, high: Math.max(whole.open, whole.close) })],
  ])('are not detected %s', (_, change) => {
    expect(found(market(() => true, change))).toEqual([]);
  });

  it('are not detected in ordinary markets, also with coarse prices', () => {
    for (let seed = 1; seed <= 60; seed++)
      for (const tick of [0.01, 0.25, 0.5, 1])
        expect(found(market(() => false, undefined, tick, seed))).toEqual([]);
  });
});

const shared = path.join(import.meta.dirname, '../../../../shared/data');
describe.skipIf(!sharedIsHere(shared))('the shared bars (skipped where ../shared is absent)', () => {
  it('contain no bars of whole days', async () => {
    const folders = [shared, path.join(shared, 'djia'), path.join(import.meta.dirname, '../../../data')];
    const { series } = await loadSeries({ paths: folders });
    expect(series.length).toBeGreaterThan(20);
  });
});
