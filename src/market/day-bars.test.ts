import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { DAY } from '../kernel/index.ts';
import { type Bar, barSeries } from './bar-series.ts';
import { dayBarsIn } from './day-bars.ts';
import { loadSeries } from './load.ts';
import { createMarket } from './market.ts';

const HOUR = DAY / 24;
const CLOSES = [10, 11, 12, 11, 13, 12, 14];

/** Hours of a session that does not begin at midnight. */
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

describe('the bar of a whole day among its hours', () => {
  it('is found', () => {
    expect(found(days())).toEqual([{ index: 7, bars: 7 }]);
    expect(() => createMarket([barSeries('A', days())])).toThrow(
      'A bar 7 (1970-01-03): is the bar of the whole day: its open, high, low and close are those of the 7 bars behind it',
    );
  });

  it.each([
    ['another open', { open: 11 }],
    ['another high', { high: 16 }],
    ['another low', { low: 8.5 }],
    ['another close', { close: 13 }],
    ['another time', { time: 2 * DAY + HOUR }],
  ])('is none with %s', (_, change) => {
    expect(found(days(change))).toEqual([]);
  });

  it('is none beside three bars, or beside bars of two closes', () => {
    expect(found(days({ close: 12, high: 13 }, [10, 11, 12]))).toEqual([]);
    expect(found(days({ close: 12, high: 13 }, [10, 11, 11, 12]))).toHaveLength(1);
    expect(found(days({ close: 11, high: 12 }, [10, 11, 10, 11, 11]))).toEqual([]);
  });

  it('is not looked for in days, and none is a day without its hours', () => {
    expect(found(days().filter(({ time }) => time % DAY === 0))).toEqual([]);
    expect(found(days().filter(({ time }) => time <= 2 * DAY))).toEqual([]);
  });
});

const shared = path.join(import.meta.dirname, '../../../shared/data');
describe.skipIf(!existsSync(shared))('the shared bars (skipped where ../shared is absent)', () => {
  it('have none', async () => {
    const folders = [shared, path.join(shared, 'djia'), path.join(import.meta.dirname, '../../data')];
    const { series } = await loadSeries({ paths: folders });
    expect(series.length).toBeGreaterThan(20);
  });
});
