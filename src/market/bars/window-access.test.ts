import { describe, expect, it } from 'vitest';
import { errorOf } from '../../../test/support/error-of.ts';
import { DAY } from '../../kernel/index.ts';
import { type Bar, type BarSeries, barSeries } from './bar-columns.ts';
import { SharedMeans } from './column.ts';
import { beforeForgetting, SeriesCursor } from './window.ts';
import { endOfLocalDay, instantsAt, isZone, localTime } from './zones.ts';

const HOUR = DAY / 24;
const barAt = (hour: number): Bar => ({
  time: hour * HOUR,
  open: 10 + hour,
  high: 20 + hour,
  low: 5 + hour,
  close: 12 + hour,
  volume: 100 + hour,
});
const series = (...hours: number[]): BarSeries => barSeries('A', hours.map(barAt));

function revealed(of: BarSeries, lookback?: number, extras?: ConstructorParameters<typeof SeriesCursor>[2]) {
  const cursor = new SeriesCursor(of, lookback, extras);
  for (const time of of.time) cursor.advanceTo(time);
  return cursor;
}

describe('a window of bars', () => {
  it('is empty and stale before the first bar', () => {
    const { window } = new SeriesCursor(series(1));
    expect([window.symbol, window.length, window.revealed, window.isStale, window.bar]).toEqual([
      'A',
      0,
      0,
      true,
      undefined,
    ]);
    expect([window.barAt(0), window.barAt(-1)]).toEqual([undefined, undefined]);
  });

  it('is stale at times without a bar of the series', () => {
    const cursor = new SeriesCursor(series(1, 3));
    const stale = [1, 2, 3].map((hour) => [cursor.advanceTo(hour * HOUR), cursor.window.isStale]);
    expect(stale).toEqual([
      [true, false],
      [false, true],
      [true, false],
    ]);
    cursor.rest();
    expect([cursor.window.isStale, cursor.window.bar]).toEqual([true, barAt(3)]);
  });

  it('returns whole bars by position from both ends', () => {
    const { window } = revealed(series(1, 2, 3), 2);
    expect([0, 1, -1, -2].map((index) => window.barAt(index))).toEqual([
      barAt(2),
      barAt(3),
      barAt(3),
      barAt(2),
    ]);
    expect([2, -3].map((index) => window.barAt(index))).toEqual([undefined, undefined]);
  });

  it('resamples only readable bars, and omits a group whose first bars are beyond the look-back', () => {
    const long = (lookback: number | undefined, partial: boolean) => {
      const { window } = revealed(series(0, 1, 2, 3, 4), lookback, { barLength: { milliseconds: HOUR } });
      return [...window.resample('2h', { partial }).volume.tail(9)];
    };
    expect([long(undefined, false), long(undefined, true)]).toEqual([
      [201, 205],
      [201, 205, 104],
    ]);
    // 01:00 is the oldest readable bar, and its group began at 00:00.
    expect([long(4, false), long(4, true)]).toEqual([[205], [205, 104]]);
    expect([long(5, false), long(3, true)]).toEqual([[201, 205], [104]]);
  });

  it('adjusts earlier bars after a split or roll, and resamples the adjusted bars', () => {
    const cursor = revealed(series(0, 1, 2), undefined, { barLength: { milliseconds: HOUR } });
    const { window } = cursor;
    expect(window.resample('2h').bar).toMatchObject({ close: 13, volume: 201 });
    cursor.rebase({ price: 0.5, volume: 2, shift: 1 });
    cursor.rebase({ price: 2, volume: 1 });
    expect([0, 1, 2].map((index) => window.barAt(index))).toEqual([
      { time: 0, open: 12, high: 22, low: 7, close: 14, volume: 200 },
      { time: HOUR, open: 13, high: 23, low: 8, close: 15, volume: 202 },
      barAt(2),
    ]);
    expect(window.resample('2h').bar).toEqual({
      time: HOUR,
      open: 12,
      high: 23,
      low: 7,
      close: 15,
      volume: 402,
    });
    expect(window.rebasings).toEqual([
      { price: 0.5, volume: 2, shift: 1 },
      { price: 2, volume: 1 },
    ]);
  });

  it('calls its listeners before the look-back limit makes a bar unreadable', () => {
    const given = series(0, 1, 2, 3, 4);
    const cursor = new SeriesCursor(given, 3);
    const lost: string[] = [];
    expect(beforeForgetting(cursor.window, () => lost.push(`first ${cursor.window.time.at(0) / HOUR}`))).toBe(
      3,
    );
    expect(beforeForgetting(cursor.window, () => lost.push('second'))).toBe(3);
    for (const time of given.time) cursor.advanceTo(time);
    expect(lost).toEqual(['first 0', 'second', 'first 1', 'second']);
    expect(beforeForgetting(new SeriesCursor(given).window, () => lost.push('never'))).toBe(
      Number.POSITIVE_INFINITY,
    );
  });

  it('reads the stored means of closes of its series from a shared cache', () => {
    const means = new SharedMeans();
    const given = series(0, 1, 2);
    const stored = means.of(given.close)(2)!;
    const { window } = revealed(given, undefined, { means });
    expect([window.close.mean(2), stored[2]]).toEqual([13.5, 13.5]);
    stored[2] = 99;
    expect([window.close.mean(2), window.open.mean(2)]).toEqual([99, 11.5]);
  });

  it('returns context series by name, and reports unknown names of series and features', () => {
    const context = revealed({ ...series(5), symbol: 'SPX' }).window;
    const { window } = revealed(series(1), undefined, { contexts: new Map([['SPX', context]]) });
    expect(window.context('SPX')).toBe(context);
    expect(errorOf(() => window.context('SPY')).hint).toBe('There is SPX; did you mean SPX?');
    expect([window.features, window.barLength, window.sessions]).toEqual([[], undefined, undefined]);
    expect(errorOf(() => window.feature('gdp')).code).toBe('unknown_feature');
    expect(errorOf(() => revealed(series(1)).window.context('SPY')).code).toBe('unknown_context');
  });
});

describe('local times', () => {
  const at = (text: string): number => Date.parse(`${text}Z`);

  it('differ from UTC by the offset of the zone, to the second', () => {
    expect(localTime('Asia/Kathmandu', at('2024-01-01T00:00:01.250'))).toBe(at('2024-01-01T05:45:01.250'));
    expect(localTime('America/New_York', at('1969-12-31T23:59'))).toBe(at('1969-12-31T18:59'));
    expect(localTime('Europe/Berlin', at('2024-03-31T00:59:59'))).toBe(at('2024-03-31T01:59:59'));
    expect(localTime('Europe/Berlin', at('2024-03-31T01:00'))).toBe(at('2024-03-31T03:00'));
    expect([isZone('Europe/Berlin'), isZone('Europe/Bern')]).toEqual([true, false]);
  });

  it('occur at two instants when clocks go back, and at no instant when clocks go forward', () => {
    expect(instantsAt('Europe/Berlin', at('2024-10-27T02:30'))).toEqual([
      at('2024-10-27T00:30'),
      at('2024-10-27T01:30'),
    ]);
    expect(instantsAt('Europe/Berlin', at('2024-03-31T02:30'))).toEqual([]);
    expect(instantsAt('UTC', at('2024-03-31T02:30'))).toEqual([at('2024-03-31T02:30')]);
  });

  it('end a day at midnight, at the later of two midnights, or when clocks skip midnight', () => {
    expect(endOfLocalDay('Europe/Berlin', at('2024-03-31T00:00'))).toBe(at('2024-03-31T22:00'));
    expect(endOfLocalDay('UTC', at('2024-03-31T00:00'))).toBe(at('2024-04-01T00:00'));
    // Clocks in Beirut went from 00:00 to 01:00 on 2022-03-27, which was 22:00 UTC of the day before.
    expect(endOfLocalDay('Asia/Beirut', at('2022-03-26T00:00'))).toBe(at('2022-03-26T22:00'));
    // Clocks in Havana go from 01:00 back to 00:00, so midnight occurs twice.
    expect(endOfLocalDay('America/Havana', at('2023-11-04T00:00'))).toBe(at('2023-11-05T05:00'));
  });
});
