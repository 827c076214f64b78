import { describe, expect, it } from 'vitest';
import { createRandom, DAY } from '../kernel/index.ts';
import { readSteps, syntheticCalendar } from './time-map.ts';

const HOUR = DAY / 24;
const START = Date.UTC(2020, 0, 6);

/** Returns a calendar whose drawn first day is `drawn` days after 2100-01-01. */
function calendarOf(hours: readonly number[], interval: number | undefined, drawn = 0, own: object = {}) {
  const draws: unknown[] = [];
  const random = {
    ...createRandom(1),
    integer: (low: number, high: number) => {
      draws.push([low, high]);
      return drawn;
    },
  };
  const market = {
    clock: Float64Array.from(hours, (hour) => START + hour * HOUR),
    interval: interval === undefined ? undefined : { milliseconds: interval * HOUR },
  };
  const { shown, ...rest } = syntheticCalendar(market, { barTimes: 'start', ...own }, random);
  return { ...rest, draws, times: [...readSteps(shown)], real: [...readSteps(rest.real)] };
}
const iso = (times: readonly number[]): string[] =>
  times.map((time) => new Date(time).toISOString().slice(0, 16));

describe('a synthetic calendar', () => {
  it('begins on a weekday in the 28 years from 2100 on', () => {
    // 2100-01-01 is a Friday. The next two days are a weekend.
    for (const [drawn, first] of [
      [0, '2100-01-01'],
      [1, '2100-01-04'],
      [2, '2100-01-04'],
      [3, '2100-01-04'],
      [4, '2100-01-05'],
    ] as const) {
      const { times, draws, interval, hours } = calendarOf([0, 24], 24, drawn);
      expect([iso(times)[0]!.slice(0, 10), draws, interval, hours]).toEqual([
        first,
        [[0, 10_220]],
        '1d',
        undefined,
      ]);
    }
  });

  it('ends before 2255, so a long history begins earlier', () => {
    const century = [0, 100 * 365 * 24];
    const limit = Math.floor((Date.UTC(2255, 0, 1) - 1.5 * century[1]! * HOUR) / DAY) * DAY;
    const day = new Date(limit).getUTCDay();
    const first = limit + (day === 6 ? 2 : day === 0 ? 1 : 0) * DAY;
    expect(calendarOf(century, 24, 10_220).times[0]).toBe(first);
    expect(calendarOf([0, 24], 24, 10_220).times[0]).toBeGreaterThan(first);
  });

  it('has daily bars on weekdays, and weekly bars a week apart', () => {
    expect(iso(calendarOf([0, 24, 48, 96], 24).times)).toEqual([
      ...['2100-01-01T00:00', '2100-01-04T00:00', '2100-01-05T00:00', '2100-01-06T00:00'],
    ]);
    expect(iso(calendarOf([0, 168, 600], 168).times)).toEqual([
      '2100-01-01T00:00',
      '2100-01-08T00:00',
      '2100-01-15T00:00',
    ]);
    expect(iso(calendarOf([0, 20, 40], 20).times)).toEqual([
      '2100-01-01T00:00',
      '2100-01-01T20:00',
      '2100-01-02T16:00',
    ]);
  });

  it('shows intraday bars from 09:00, or from midnight if days are longer than 14 hours', () => {
    const { times, hours, real } = calendarOf([10, 11, 13, 34, 35], 1);
    expect(iso(times)).toEqual([
      ...['2100-01-01T09:00', '2100-01-01T10:00', '2100-01-01T12:00', '2100-01-04T09:00', '2100-01-04T10:00'],
    ]);
    expect([hours, real.length]).toEqual(['09:00-23:00', 5]);
    expect(calendarOf([0, 19], 19).hours).toBe('00:00-24:00');
    expect(calendarOf([0, 13], 1).hours).toBe('09:00-23:00');
    expect(calendarOf([0, 13.5], 1).hours).toBe('00:00-24:00');
    const one = calendarOf([5], undefined);
    expect([iso(one.times), one.hours, 'interval' in one]).toEqual([
      ['2100-01-01T09:00'],
      '09:00-23:00',
      false,
    ]);
  });

  it('is one bar later if bars have end times', () => {
    expect(iso(calendarOf([11, 12, 35], 1, 0, { barTimes: 'end' }).times)).toEqual([
      ...['2100-01-01T10:00', '2100-01-01T11:00', '2100-01-04T10:00'],
    ]);
    expect(calendarOf([11], 1, 0, { barTimes: 'end' }).barTimes).toBe('end');
  });
});
