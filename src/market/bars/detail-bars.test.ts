import { describe, expect, it } from 'vitest';
import { errorOf } from '../../../test/support/error-of.ts';
import { DAY } from '../../kernel/index.ts';
import { createMarket } from '../market.ts';
import { type Bar, type BarSeries, barSeries } from './bar-columns.ts';
import { DetailBars } from './detail.ts';

const HOUR = DAY / 24;
const bar = (hour: number, low = 90, high = 110): Bar => ({
  time: hour * HOUR,
  open: 100 + hour / 100,
  high,
  low,
  close: 101 + hour / 100,
  volume: 7 + hour,
});
const series = (symbol: string, hours: readonly number[], low?: number, high?: number): BarSeries =>
  barSeries(
    symbol,
    hours.map((hour) => bar(hour, low, high)),
  );

describe('finer bars of a market', () => {
  const market = createMarket([series('A', [0, 24, 48]), series('B', [0, 24, 48])]);

  it('are returned as whole bars, and a symbol may have none', () => {
    const details = new DetailBars(market, [series('B', [1, 25, 26])]);
    expect(details.adjustments).toEqual([]);
    expect(details.barsOf(1, 1)).toEqual([bar(25), bar(26)]);
    expect([details.barsOf(1, 2), details.barsOf(0, 1), details.barsOf(7, 0)]).toEqual([[], [], []]);
  });

  it('before the first bar and in gaps are ignored, and their number is reported', () => {
    const weekend = createMarket([series('A', [24, 48, 120, 144])]);
    const details = new DetailBars(weekend, [series('A', [1, 2, 24, 71, 72, 100, 143, 144, 167, 168])]);
    expect([0, 1, 2, 3].map((index) => details.barsOf(0, index).map(({ time }) => time / HOUR))).toEqual([
      [24],
      [71],
      [143],
      [144, 167],
    ]);
    expect(details.adjustments).toEqual(['5 finer bars of A are outside its bars and are ignored']);
  });

  it('of a bar that the next bar cuts short end where the next bar begins', () => {
    const short = createMarket([{ ...series('A', [0, 24, 30, 54, 78]), interval: '1d' }]);
    const details = new DetailBars(short, [series('A', [24, 29, 30, 53])]);
    expect([1, 2].map((index) => details.barsOf(0, index).map(({ time }) => time / HOUR))).toEqual([
      [24, 29],
      [30, 53],
    ]);
  });

  it('with end timestamps belong to the bar that ends at the same time or later', () => {
    const details = new DetailBars(market, [series('A', [-1, 0, 1, 24, 25, 48, 49])], 'end');
    expect([0, 1, 2].map((index) => details.barsOf(0, index).map(({ time }) => time / HOUR))).toEqual([
      [],
      [1, 24],
      [25, 48],
    ]);
    expect(details.adjustments).toEqual(['3 finer bars of A are outside its bars and are ignored']);
  });

  it('may reach the extremes of their bar, and not beyond', () => {
    const narrow = createMarket([series('A', [0, 24], 95, 105)]);
    expect(() => new DetailBars(narrow, [series('A', [1], 95, 105)])).not.toThrow();
    const { message } = errorOf(() => new DetailBars(narrow, [series('A', [1], 94.5, 105)]));
    expect(message.split('\n').slice(1)).toEqual([
      '  A 1970-01-01T01:00:00: low 94.5 is below 95, the low of its bar 1970-01-01',
    ]);
    expect(errorOf(() => new DetailBars(narrow, [series('A', [1], 95, 105.5)])).message).toContain(
      'high 105.5 is above 105, the high of its bar 1970-01-01',
    );
  });

  it('are refused for a second series or an unknown symbol', () => {
    const { code, message } = errorOf(
      () => new DetailBars(market, [series('A', [1]), series('C', [1]), series('A', [2])]),
    );
    expect([code, ...message.split('\n').slice(1)]).toEqual([
      'bad_detail',
      '  C: has finer bars and no bars (name it like one of A, B)',
      '  A: was given finer bars twice',
    ]);
  });

  it('stay in their bars when times and the order of symbols change', () => {
    const details = new DetailBars(market, [series('A', [1, 25]), series('B', [2, 26, 27])]);
    const shifted = (one: BarSeries): BarSeries => ({
      ...one,
      time: one.time.map((time) => time + 1000 * HOUR),
    });
    const hours = (seen: DetailBars, symbol: number): number[] =>
      seen.barsOf(symbol, 1).map(({ time }) => time / HOUR);
    const same = details.seenThrough(shifted);
    expect([hours(same, 0), hours(same, 1)]).toEqual([[1025], [1026, 1027]]);
    const swapped = details.seenThrough(shifted, [1, 0]);
    expect([hours(swapped, 0), hours(swapped, 1)]).toEqual([[1026, 1027], [1025]]);
    expect([hours(details, 0), swapped.adjustments]).toEqual([[25], []]);
    const partly = new DetailBars(market, [series('B', [26])]).seenThrough(shifted);
    expect([hours(partly, 0), hours(partly, 1)]).toEqual([[], [1026]]);
  });
});
