import { describe, expect, it } from 'vitest';
import { createRandom, DAY, formatInstant } from '../kernel/index.ts';
import { parseInterval } from '../market/index.ts';
import { CalendarMap, readSteps, syntheticCalendar, writeSteps } from './time-map.ts';

const HOUR = DAY / 24;

/** Returns the masked bar times and the session hours of a synthetic calendar. */
function shownOf(
  clock: readonly number[],
  interval: string | undefined,
  barTimes: 'start' | 'end' = 'start',
  seed = 1,
) {
  const market = {
    clock: Float64Array.from(clock),
    interval: interval === undefined ? undefined : parseInterval(interval),
  };
  const { shown, hours, real } = syntheticCalendar(market, { barTimes }, createRandom(seed, 'calendar'));
  expect([...readSteps(real)]).toEqual([...clock]);
  return { shown: [...readSteps(shown)], hours };
}

const hourOf = (time: number): number => (((time % DAY) + DAY) % DAY) / HOUR;
const dayOf = (time: number): number => Math.floor(time / DAY);
const weekdayOf = (time: number): number => new Date(time).getUTCDay();
/** Hourly bars of a number of days from Monday, 2020-01-06. */
const hourly = (days: number, hours: number, from = 0): number[] =>
  Array.from({ length: days }, (_, day) =>
    Array.from({ length: hours }, (__, hour) => Date.UTC(2020, 0, 6 + day, from + hour)),
  ).flat();

describe('a synthetic calendar', () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])('has each daily bar on the next weekday, seed %d', (seed) => {
    // Weekdays from Monday 6 to Tuesday 21 January. Wednesday 8 is missing, as on a holiday.
    const clock = [6, 7, 9, 10, 13, 14, 15, 16, 17, 20, 21].map((day) => Date.UTC(2020, 0, day));
    const { shown, hours } = shownOf(clock, '1d', 'start', seed);
    expect(hours).toBeUndefined();
    for (const [bar, time] of shown.entries()) {
      expect(time % DAY).toBe(0);
      expect([1, 2, 3, 4, 5]).toContain(weekdayOf(time));
      if (bar > 0) expect(time - shown[bar - 1]!).toBe(weekdayOf(time) === 1 ? 3 * DAY : DAY);
    }
    const year = new Date(shown[0]!).getUTCFullYear();
    expect(year).toBeGreaterThanOrEqual(2100);
    expect(year).toBeLessThanOrEqual(2128);
  });

  it('begins each session of at most 14 hours at 09:00, and longer ones at midnight', () => {
    const short = shownOf(hourly(3, 14), '1h');
    expect(short.hours).toBe('09:00-23:00');
    expect(short.shown.filter((_, bar) => bar % 14 === 0).map(hourOf)).toEqual([9, 9, 9]);
    expect(hourOf(short.shown[13]!)).toBe(22);
    const long = shownOf(hourly(3, 15), '1h');
    expect(long.hours).toBe('00:00-24:00');
    expect(long.shown.filter((_, bar) => bar % 15 === 0).map(hourOf)).toEqual([0, 0, 0]);
  });

  it('uses end timestamps if the market does', () => {
    const { shown, hours } = shownOf(hourly(2, 7, 10), '1h', 'end');
    expect(hours).toBe('09:00-23:00');
    expect(shown.map(hourOf)).toEqual([10, 11, 12, 13, 14, 15, 16, 10, 11, 12, 13, 14, 15, 16]);
  });

  it('preserves distances within a day and moves each day to the next weekday', () => {
    const clock = [0, 1, 4].flatMap((day) =>
      [10, 10.5, 13].map((hour) => Date.UTC(2020, 0, 6 + day) + hour * HOUR),
    );
    const { shown } = shownOf(clock, '30min');
    expect(shown.map(hourOf)).toEqual([9, 9.5, 12, 9, 9.5, 12, 9, 9.5, 12]);
    for (const bar of [3, 6]) {
      const days = dayOf(shown[bar]!) - dayOf(shown[bar - 1]!);
      expect(days).toBe(weekdayOf(shown[bar]!) === 1 ? 3 : 1);
    }
  });

  it('preserves months of monthly bars', () => {
    const clock = [0, 1, 2, 3].map((month) => Date.UTC(2020, month, 1));
    const texts = shownOf(clock, '1mo').shown.map(formatInstant);
    expect(texts.every((text) => text.endsWith('-01'))).toBe(true);
    expect(new Set(texts.map((text) => text.slice(0, 7))).size).toBe(4);
  });
});

describe('the maps between two calendars', () => {
  const real = [0, 1, 2, 24, 25, 26].map((hour) => Date.UTC(2020, 0, 6, 10 + hour));
  // In the masked calendar, the second session begins two hours after the last bar of the first session. In
  // the real calendar, the difference is 22 hours.
  const shown = [0, 1, 2, 4, 5, 6].map((hour) => Date.UTC(2100, 0, 4, 9 + hour));
  const map = (barTimes: 'start' | 'end') =>
    new CalendarMap({ real: writeSteps(real), shown: writeSteps(shown), interval: '1h', barTimes });

  it.each([
    // Columns: map of the `CalendarMap`, meaning of the bars' time stamps, hours from the stamp to the mapped
    // instant.
    ['stamps', 'start', 0],
    ['starts', 'start', 0],
    ['ends', 'start', 1],
    ['stamps', 'end', 0],
    ['starts', 'end', -1],
    ['ends', 'end', 0],
  ] as const)('assign the %s of bars with a stamp of their %s', (kind, barTimes, hours) => {
    const own = map(barTimes)[kind];
    for (const [bar, time] of real.entries()) {
      expect(own.shown(time + hours * HOUR)).toBe(shown[bar]! + hours * HOUR);
      expect(own.real(shown[bar]! + hours * HOUR)).toBe(time + hours * HOUR);
    }
  });

  it('preserve the distance before the first bar and after the last', () => {
    const { stamps } = map('start');
    expect(stamps.shown(real[0]! - DAY)).toBe(shown[0]! - DAY);
    expect(stamps.shown(real[5]! + DAY)).toBe(shown[5]! + DAY);
    expect(stamps.real(shown[0]! - 7)).toBe(real[0]! - 7);
    expect(stamps.real(shown[5]! + 7)).toBe(real[5]! + 7);
  });

  it('interpolate between two bars, and return the whole second that an instant stands for', () => {
    const { stamps, inside } = map('start');
    // Between two bars, 22 real hours become 2 masked hours. One real hour is therefore 327,272.7 masked
    // milliseconds.
    expect(stamps.shown(real[2]! + HOUR)).toBe(shown[2]! + 327_273);
    expect(stamps.shown(real[2]! + HOUR, Math.floor)).toBe(shown[2]! + 327_272);
    expect(stamps.real(shown[2]! + 327_273)).toBe(real[2]! + HOUR);
    expect(stamps.real(shown[2]! + 327_272)).toBe(real[2]! + HOUR);
    // Instants within a bar keep their distance to its start and end. Only the 21 hours between the sessions
    // shrink, to one hour.
    expect(inside.shown(real[2]! + HOUR / 4)).toBe(shown[2]! + HOUR / 4);
    expect(inside.shown(real[2]! + HOUR + 10.5 * HOUR)).toBe(shown[2]! + 1.5 * HOUR);
    expect(inside.shown(real[3]! + HOUR / 2)).toBe(shown[3]! + HOUR / 2);
  });

  it('apply a setting from the same bar, at its start or after the end of the bar before', () => {
    expect(map('start').inForce(real[2]! + HOUR)).toBe(shown[2]! + 327_273);
    expect(map('end').inForce(real[2]! + HOUR)).toBe(shown[2]! + 327_272);
  });

  it('leave every instant unchanged without bars', () => {
    const none = new Float64Array();
    const empty = syntheticCalendar(
      { clock: none, interval: parseInterval('1d') },
      { barTimes: 'start' },
      createRandom(1, 'c'),
    );
    expect(readSteps(empty.shown)).toHaveLength(1);
  });
});
