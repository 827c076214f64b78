import { describe, expect, it } from 'vitest';
import { errorOf } from '../../../test/support/error-of.ts';
import { DAY } from '../../kernel/index.ts';
import {
  checkCovers,
  compareWithCalendar,
  type TradingCalendar,
  tradingCalendar,
  unlikelyYears,
} from './calendar.ts';

const dayOf = (date: string): number => Date.parse(date) / DAY;
const series = (...dates: string[]) => ({ time: Float64Array.from(dates, (date) => Date.parse(date)) });

/** Returns all dates of a year from Monday to Friday. */
const weekdays = (year: number): string[] =>
  Array.from({ length: 366 }, (_, day) => new Date(Date.UTC(year, 0, 1 + day)))
    .filter((date) => date.getUTCFullYear() === year && date.getUTCDay() % 6 !== 0)
    .map((date) => date.toISOString().slice(0, 10));

const listed = (...closed: string[]): TradingCalendar =>
  tradingCalendar({ name: 'days.csv', closed, early: {} });

describe('a calendar that is checked against the data', () => {
  it('tolerates one day outside its years, because local dates differ from UTC dates', () => {
    const calendar = listed('2023-12-25');
    const accepts = (first: string, last: string): boolean => {
      try {
        checkCovers(calendar, [series(first, last)]);
        return true;
      } catch {
        return false;
      }
    };
    expect(accepts('2022-12-31T00:00Z', '2024-01-01T23:59Z')).toBe(true);
    expect(accepts('2022-12-30T23:59Z', '2023-06-01T00:00Z')).toBe(false);
    expect(accepts('2023-06-01T00:00Z', '2024-01-02T00:00Z')).toBe(false);
  });

  it('must cover the earliest and the latest bar among all symbols', () => {
    const calendar = listed('2022-12-26', '2023-12-25');
    const [early, late] = [series('2021-06-01', '2022-02-01'), series('2023-02-01', '2024-06-03')];
    for (const given of [
      [early, late],
      [late, early],
    ])
      expect(() => checkCovers(calendar, given)).toThrow('the data run from 2021-06-01 to 2024-06-03');
  });

  it('reports a year without listed days if any symbol has a bar in it', () => {
    const calendar = listed('2022-12-26', '2024-12-25');
    const { code, hint, message } = errorOf(() =>
      checkCovers(calendar, [series('2022-02-01', '2024-02-01'), series('2023-02-01')]),
    );
    expect(code).toBe('bad_calendar');
    expect(message).toBe(
      'The calendar days.csv does not cover the data: it covers 2022-01-01 to 2024-12-31 without 2023, and the data run from 2022-02-01 to 2024-02-01.',
    );
    expect(hint).toContain('Add the missing years to the calendar file');
  });

  it('of a file without days covers any data from the year 1', () => {
    expect(() => checkCovers(listed(), [series('1005-01-03', '2999-01-03')])).not.toThrow();
    expect(() => checkCovers(listed(), [{ time: Float64Array.of(-7e13) }])).toThrow(
      'it covers 1-01-01 onwards',
    );
  });

  it('needs at least 180 sessions in each year, except for built-in exchanges', () => {
    // 2023 had 260 weekdays.
    const closed = (count: number): TradingCalendar => listed(...weekdays(2023).slice(0, count));
    expect(() => checkCovers(closed(80), [series('2023-12-01')])).not.toThrow();
    expect(() => checkCovers(closed(81), [series('2023-12-01')])).toThrow(
      'The calendar days.csv has too few sessions: 179 in 2023. An exchange has 240 to 256 in a year.',
    );
    const sparse = listed(...weekdays(2022).slice(0, 200), ...weekdays(2023).slice(0, 100));
    expect(() => checkCovers(sparse, [series('2022-12-01', '2023-12-01')])).toThrow(
      '60 in 2022, 160 in 2023',
    );
    const exchange: TradingCalendar = { ...tradingCalendar('XNYS'), isSession: () => false };
    expect(() => checkCovers(exchange, [series('2023-12-01')])).not.toThrow();
  });

  it('is reported as unlikely with one closed weekday in a year, and accepted with two', () => {
    const calendar = listed('2022-12-26', '2023-01-02', '2023-12-25', '2024-12-25', '2024-12-28');
    expect(unlikelyYears(calendar, [series('2023-02-01'), series('2023-12-01')])).toEqual([]);
    expect(unlikelyYears(calendar, [series('2023-06-01', '2024-06-03'), series('2022-02-01')])).toEqual([
      'The calendar days.csv has 259 sessions in 2022, 261 sessions in 2024. An exchange has 240 to 256 in a year. Check that the file lists every closed day.',
    ]);
  });
});

describe('days compared with a calendar', () => {
  const calendar = tradingCalendar({
    name: 'days.csv',
    closed: ['2024-01-01', '2024-01-04'],
    early: { '2024-01-03': '13:00', '2024-01-06': '12:00', '2024-01-10': '12:00' },
  });

  it('are reported as missing sessions, bars on closed days and half days', () => {
    const days = ['2024-01-02', '2024-01-03', '2024-01-04', '2024-01-07', '2024-01-09'].map(dayOf);
    expect(compareWithCalendar(calendar, days)).toEqual({
      calendar: 'days.csv',
      sessions: 6,
      missing: ['2024-01-05', '2024-01-06', '2024-01-08'],
      closed: ['2024-01-04', '2024-01-07'],
      halfDays: ['2024-01-03', '2024-01-06'],
    });
  });

  it('are compared from the first year of the calendar on', () => {
    const days = ['2023-12-29', '2023-12-30', '2024-01-01', '2024-01-03'].map(dayOf);
    expect(compareWithCalendar(calendar, days)).toEqual({
      calendar: 'days.csv',
      sessions: 2,
      missing: ['2024-01-02'],
      closed: ['2024-01-01'],
      halfDays: ['2024-01-03'],
    });
  });

  it('give an empty comparison if the list is empty', () => {
    const nothing = { sessions: 0, missing: [], closed: [], halfDays: [] };
    expect(compareWithCalendar(calendar, [])).toEqual({ calendar: 'days.csv', ...nothing });
    expect(compareWithCalendar(listed(), [])).toEqual({ calendar: 'days.csv', ...nothing });
  });
});
