import { describe, expect, it } from 'vitest';
import { errorOf } from '../../../test/support/error-of.ts';
import { DAY } from '../../kernel/index.ts';
import { type BarSeries, barSeries } from './bar-columns.ts';
import { BarBounds, ContextFeed, EndedBars } from './context.ts';
import { parseInterval } from './interval.ts';

const HOUR = DAY / 24;

/** Returns bars at the given hours. The open is the hour plus 1.25 and the close is the hour plus 1.75. */
function series(symbol: string, hours: readonly number[], more: Partial<BarSeries> = {}): BarSeries {
  const bars = hours.map((hour) => ({
    time: hour * HOUR,
    open: hour + 1.25,
    high: hour + 2,
    low: hour + 1,
    close: hour + 1.75,
    volume: 1,
  }));
  return { ...barSeries(symbol, bars), ...more };
}

const market = (
  hours: readonly number[],
  symbols: readonly string[] = ['M'],
  interval: string | undefined = '1h',
) => ({
  clock: Float64Array.from(hours, (hour) => hour * HOUR),
  interval: interval === undefined ? undefined : parseInterval(interval),
  symbols,
});

describe('the start and end of a bar', () => {
  const bounds = (barTimes: 'start' | 'end', interval?: string) => {
    const found = new BarBounds(
      {
        ...market([10, 11, 11.5, 15]),
        interval: interval === undefined ? undefined : parseInterval(interval),
      },
      barTimes,
    );
    return [0, 1, 2, 3].map((bar) => [found.startOf(bar) / HOUR, found.endOf(bar) / HOUR]);
  };

  it('are one interval apart, but bars do not overlap', () => {
    expect(bounds('start', '1h')).toEqual([
      [10, 11],
      [11, 11.5],
      [11.5, 12.5],
      [15, 16],
    ]);
    expect(bounds('end', '1h')).toEqual([
      [9, 10],
      [10, 11],
      [11, 11.5],
      [14, 15],
    ]);
  });

  it('are both the time of the bar if its length is unknown', () => {
    const times = [10, 11, 11.5, 15].map((hour) => [hour, hour]);
    expect([bounds('start'), bounds('end')]).toEqual([times, times]);
  });
});

describe('bars at other times than those of the market', () => {
  const at = (bars: EndedBars, ...hours: number[]): number[] =>
    hours.map((hour) => bars.endedAt(hour * HOUR));

  it('have ended one interval after a start timestamp, or at an end timestamp', () => {
    const hours = [10, 11, 13];
    expect(
      at(new EndedBars(series('C', hours, { interval: '1h' }), 'start'), 10, 10.9, 11, 12, 13, 14, 20),
    ).toEqual([0, 0, 1, 2, 2, 3, 3]);
    expect(at(new EndedBars(series('C', hours), 'end'), 9.9, 10, 10.9, 11, 13)).toEqual([0, 1, 1, 2, 3]);
  });

  it('of unknown length end at an end timestamp, and never with a start timestamp', () => {
    const single = series('C', [10]);
    expect(at(new EndedBars(single, 'end'), 9, 10)).toEqual([0, 1]);
    const started = new EndedBars(single, 'start');
    expect([at(started, 10, 999), started.endOf(0)]).toEqual([[0, 0], Number.POSITIVE_INFINITY]);
  });

  it('end at their given ends', () => {
    const ends = Float64Array.of(10.5 * HOUR, 12 * HOUR);
    const bars = new EndedBars(series('C', [10, 11], { ends }), 'start');
    expect([0, 1, 2].map((bar) => bars.endOf(bar) / HOUR)).toEqual([10.5, 12, Number.POSITIVE_INFINITY]);
    expect(at(bars, 10.4, 10.5, 11.9, 12)).toEqual([0, 1, 1, 2]);
  });

  it('have the open of the bar in progress as their price, otherwise the last close', () => {
    const prices = (moment: 'open' | 'close', ...hours: number[]): number[] => {
      const bars = new EndedBars(series('C', [10, 12], { interval: '1h' }), 'start');
      return hours.map((hour) => bars.priceAt(hour * HOUR, moment));
    };
    expect(prices('open', 9, 10, 10.5, 11, 11.9, 12, 12.5, 13, 20)).toEqual([
      Number.NaN,
      11.25,
      11.25,
      11.75,
      11.75,
      13.25,
      13.25,
      13.75,
      13.75,
    ]);
    expect(prices('close', 10, 10.5, 11, 12, 12.5)).toEqual([Number.NaN, 11.25, 11.75, 11.75, 13.25]);
  });
});

describe('context series', () => {
  const feedOf = (
    given: readonly BarSeries[],
    clock: readonly number[],
    barTimes: 'start' | 'end' = 'start',
    lookback = 9,
  ) => new ContextFeed(given, market(clock), barTimes, lookback);

  it('show each bar at the end of the first market bar that ends at the same time or later', () => {
    const feed = feedOf(
      [series('B', [10, 11, 12, 13], { interval: '1h' }), series('A', [10.5, 12.5], { interval: '1h' })],
      [10, 12, 13],
    );
    expect([...feed.windows.keys()]).toEqual(['A', 'B']);
    const seen = (bar: number) =>
      feed
        .endOf(bar)
        .map(({ symbol, count, bar: { close }, availableAt }) => [symbol, count, close, availableAt / HOUR]);
    expect(seen(0)).toEqual([['B', 1, 11.75, 11]]);
    expect([feed.windows.get('A')!.isStale, feed.windows.get('B')!.isStale]).toEqual([true, false]);
    // The bar from 12:00 ends at 13:00.
    expect(seen(1)).toEqual([
      ['A', 1, 12.25, 11.5],
      ['B', 2, 13.75, 13],
    ]);
    expect(feed.windows.get('B')!.length).toBe(3);
    expect(seen(2)).toEqual([
      ['A', 1, 14.25, 13.5],
      ['B', 1, 14.75, 14],
    ]);
    expect(feed.endOf(2)).toEqual([]);
    expect(feed.windows.get('B')!.isStale).toBe(true);
  });

  it('have the look-back limit, and a bar length only with start timestamps', () => {
    const start = feedOf([series('B', [1, 2, 3], { interval: '1h' })], [1, 2, 3], 'start', 2);
    for (const bar of [0, 1, 2]) start.endOf(bar);
    const window = start.windows.get('B')!;
    expect([window.length, window.revealed, window.barLength, window.sessions]).toEqual([
      2,
      3,
      { milliseconds: HOUR },
      undefined,
    ]);
    const end = feedOf([series('B', [1, 2, 3], { interval: '1h' })], [1, 2, 3], 'end');
    expect(end.windows.get('B')!.barLength).toBeUndefined();
    expect(end.endOf(0).map(({ availableAt }) => availableAt / HOUR)).toEqual([1]);
  });

  it('are resampled by the sessions of the run', () => {
    const session = { hours: '00:00-02:00', timezone: 'UTC' };
    const feed = new ContextFeed(
      [series('B', [1, 2, 3], { interval: '1h' })],
      market([1, 2, 3]),
      'start',
      9,
      session,
    );
    for (const bar of [0, 1, 2]) feed.endOf(bar);
    expect(feed.windows.get('B')!.resample('1d', { partial: true }).length).toBe(2);
  });

  it('are refused if they are traded, duplicate, empty or invalid', () => {
    const { code, message } = errorOf(
      () =>
        new ContextFeed(
          [series('M', [1]), series('B', [1]), series('B', [2]), series('E', [])],
          market([1]),
          'start',
          9,
        ),
    );
    expect([code, ...message.split('\n')]).toEqual([
      'bad_context',
      'The context series cannot be used: 3 faults',
      '  M: is traded, so it cannot also be context',
      '  B: was given twice',
      '  E: has no bar',
    ]);
    expect(errorOf(() => feedOf([{ ...series('B', [1, 2]), low: Float64Array.of(-1, 1) }], [1])).code).toBe(
      'bad_data',
    );
  });
});
