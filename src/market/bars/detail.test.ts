import { describe, expect, it } from 'vitest';
import { DAY } from '../../kernel/index.ts';
import { createMarket } from '../market.ts';
import { simulateMarket } from '../simulate/simulate.ts';
import { type Bar, type BarSeries, barSeries } from './bar-columns.ts';
import { DetailBars } from './detail.ts';
import { resample } from './resampled.ts';

const HOUR = DAY / 24;
const bar = (time: number, low = 90, high = 110): Bar => ({
  time,
  open: 100,
  high,
  low,
  close: 100,
  volume: 1,
});
const series = (symbol: string, times: readonly number[], low?: number, high?: number): BarSeries =>
  barSeries(
    symbol,
    times.map((time) => bar(time, low, high)),
  );

function hoursOf(details: DetailBars, index: number): number[] {
  return details.barsOf(0, index).map(({ time }) => time / HOUR);
}

describe('finer bars', () => {
  it('of a bar dated at midnight are those of its day', () => {
    // Bars on Thursday 1970-01-01, on Friday and on Monday.
    const market = createMarket([series('A', [0, DAY, 4 * DAY])]);
    const details = new DetailBars(market, [
      series(
        'A',
        [-1, 0, 12, 23, 24, 30, 48, 95, 96, 119, 120].map((hour) => hour * HOUR),
        95,
        105,
      ),
    ]);
    expect([0, 1, 2].map((index) => hoursOf(details, index))).toEqual([
      [0, 12, 23],
      [24, 30],
      [96, 119],
    ]);
    expect(details.adjustments).toEqual(['4 finer bars of A are outside its bars and are ignored']);
  });

  it('of a bar with an end timestamp are those since the previous bar', () => {
    const market = createMarket([series('A', [23 * HOUR, 47 * HOUR])]);
    const details = new DetailBars(
      market,
      [
        series(
          'A',
          [5, 23, 24, 47, 48].map((hour) => hour * HOUR),
          95,
          105,
        ),
      ],
      'end',
    );
    expect([0, 1].map((index) => hoursOf(details, index))).toEqual([[], [24, 47]]);
  });

  it('of a monthly bar are those of the calendar month', () => {
    const months = [0, 31, 59, 90].map((day) => day * DAY);
    const market = createMarket([series('A', months)]);
    const details = new DetailBars(market, [
      series(
        'A',
        [30, 31, 58, 59, 89, 90, 119, 120].map((day) => day * DAY),
        95,
        105,
      ),
    ]);
    expect([0, 1, 2, 3].map((index) => hoursOf(details, index).map((hour) => hour / 24))).toEqual([
      [30],
      [31, 58],
      [59, 89],
      [90, 119],
    ]);
  });

  it('of bars resampled from them fit, and are complete', () => {
    const minutes = simulateMarket({ seed: 3, bars: 2_000, interval: '15min' }).series[0]!;
    const days = resample(minutes, '1d');
    const details = new DetailBars(createMarket([days]), [minutes], 'end');
    for (let index = 1; index < days.time.length; index++) {
      const own = details.barsOf(0, index);
      expect(own[0]!.open).toBe(days.open[index]);
      expect(own.at(-1)!.close).toBe(days.close[index]);
      expect(Math.max(...own.map(({ high }) => high))).toBe(days.high[index]);
      expect(Math.min(...own.map(({ low }) => low))).toBe(days.low[index]);
    }
  });

  it('are refused with every fault: an unknown symbol, prices outside the bar, two series of a symbol', () => {
    const market = createMarket([series('A', [0, DAY], 95, 105)]);
    const refused =
      (...detail: BarSeries[]) =>
      () =>
        new DetailBars(market, detail);
    expect(refused(series('A', [HOUR, 2 * HOUR], 94, 106), series('B', [0]))).toThrow(
      expect.objectContaining({
        code: 'bad_detail',
        message: [
          'The finer bars cannot be used: 5 faults',
          '  B: has finer bars and no bars (name it like one of A)',
          '  A 1970-01-01T01:00:00: high 106 is above 105, the high of its bar 1970-01-01',
          '  A 1970-01-01T01:00:00: low 94 is below 95, the low of its bar 1970-01-01',
          '  A 1970-01-01T02:00:00: high 106 is above 105, the high of its bar 1970-01-01',
          '  A 1970-01-01T02:00:00: low 94 is below 95, the low of its bar 1970-01-01',
        ].join('\n'),
      }),
    );
    expect(refused(series('A', [0], 95, 105), series('A', [0], 95, 105))).toThrow(/twice/);
    expect(refused(series('A', [99 * DAY]))).toThrow(/no finer bar is inside one of its bars/);
  });
});
