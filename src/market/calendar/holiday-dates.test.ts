import { describe, expect, it } from 'vitest';
import { DAY } from '../../kernel/index.ts';
import { dayOf, daysOf, easter, isWeekend, last, nth, weekdayOf } from './holiday-dates.ts';

/**
 * Easter Sunday by Lichtenberg's version of Gauss's formula: a second algorithm, which counts days from
 * 1 March.
 */
function gaussEaster(year: number): number {
  const century = Math.floor(year / 100);
  const skipped = Math.floor((3 * century + 3) / 4);
  const moon = 15 + skipped - Math.floor((8 * century + 13) / 25);
  const cycle = year % 19;
  const seed = (19 * cycle + moon) % 30;
  const limit = 21 + seed - Math.floor((seed + Math.floor(cycle / 11)) / 29);
  const sunday = 7 - ((year + Math.floor(year / 4) + 2 - skipped) % 7);
  return limit + 7 - ((limit - sunday) % 7);
}

/** Returns the number of days of a month. Months count from 1. */
const daysIn = (year: number, month: number): number => new Date(Date.UTC(year, month, 0)).getUTCDate();

describe('dates of holidays', () => {
  it('are counted in days from 1970-01-01, negative before it', () => {
    expect([dayOf(1970, 1, 1), dayOf(1970, 2, 1), dayOf(1969, 12, 31), dayOf(2024, 3, 1)]).toEqual([
      0, 31, -1, 19_783,
    ]);
    expect(daysOf('1970-01-02', '2024-03-01')).toEqual([1, 19_783]);
    expect(daysOf()).toEqual([]);
  });

  it('have the weekday of the calendar', () => {
    const days = Array.from({ length: 800 }, (_, index) => index - 400);
    const weekdays = days.map((day) => new Date(day * DAY).getUTCDay());
    expect(days.map(weekdayOf)).toEqual(weekdays);
    expect(days.map(isWeekend)).toEqual(weekdays.map((weekday) => [0, 6].includes(weekday)));
  });

  it('include the first to fourth and the last occurrence of a weekday in each month', () => {
    for (let year = 1998; year < 2012; year++)
      for (let month = 1; month <= 12; month++)
        for (let weekday = 0; weekday < 7; weekday++) {
          const all = Array.from({ length: daysIn(year, month) }, (_, index) =>
            dayOf(year, month, index + 1),
          ).filter((day) => new Date(day * DAY).getUTCDay() === weekday);
          expect([1, 2, 3, 4].map((count) => nth(year, month, weekday, count))).toEqual(all.slice(0, 4));
          expect(last(year, month, weekday)).toBe(all.at(-1));
        }
  });

  it('include Easter Sunday of every year from 1583 to 4000', () => {
    const differing: number[] = [];
    for (let year = 1583; year <= 4000; year++)
      if (easter(year) !== dayOf(year, 3, gaussEaster(year))) differing.push(year);
    expect(differing).toEqual([]);
  });

  it('agree with published Easter Sundays', () => {
    const dates = ['1961-04-02', '1981-04-19', '2000-04-23', '2008-03-23', '2011-04-24', '2024-03-31'];
    expect(dates.map((date) => easter(Number(date.slice(0, 4))))).toEqual(daysOf(...dates));
  });
});
