import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { DAY, formatInstant } from '../../kernel/index.ts';
import { checkCovers, compareWithCalendar, tradingCalendar, unlikelyYears } from './calendar.ts';

const closedOf = (name: string, year: number): string[] => {
  const calendar = tradingCalendar(name);
  const days: string[] = [];
  for (let day = Date.UTC(year, 0, 1) / DAY; day < Date.UTC(year + 1, 0, 1) / DAY; day++) {
    if (![0, 6].includes(new Date(day * DAY).getUTCDay()) && !calendar.isSession(day))
      days.push(formatInstant(day * DAY).slice(5));
  }
  return days;
};

describe('calendars', () => {
  it('XNYS has the sessions of 20 years of the S&P 500, and no other', () => {
    const text = readFileSync(new URL('../../../data/spx-daily.csv', import.meta.url), 'utf8');
    const days = [...text.matchAll(/^"?(\d{4}-\d{2}-\d{2})/gm)].map(([, date]) => Date.parse(date!) / DAY);
    expect(days.length).toBeGreaterThan(5_000);
    const { missing, closed, sessions } = compareWithCalendar(tradingCalendar('XNYS'), days);
    expect({ missing, closed }).toEqual({ missing: [], closed: [] });
    expect(sessions).toBe(days.length);
  });

  it.each([
    [
      'XNYS',
      2001,
      [
        '01-01',
        '01-15',
        '02-19',
        '04-13',
        '05-28',
        '07-04',
        '09-03',
        '09-11',
        '09-12',
        '09-13',
        '09-14',
        '11-22',
        '12-25',
      ],
    ],
    [
      'XNAS',
      2012,
      ['01-02', '01-16', '02-20', '04-06', '05-28', '07-04', '09-03', '10-29', '10-30', '11-22', '12-25'],
    ],
    [
      'XNYS',
      2018,
      ['01-01', '01-15', '02-19', '03-30', '05-28', '07-04', '09-03', '11-22', '12-05', '12-25'],
    ],
    ['XNYS', 2022, ['01-17', '02-21', '04-15', '05-30', '06-20', '07-04', '09-05', '11-24', '12-26']],
    [
      'XNYS',
      2025,
      ['01-01', '01-09', '01-20', '02-17', '04-18', '05-26', '06-19', '07-04', '09-01', '11-27', '12-25'],
    ],
    ['XLON', 2020, ['01-01', '04-10', '04-13', '05-08', '05-25', '08-31', '12-25', '12-28']],
    [
      'XLON',
      2022,
      ['01-03', '04-15', '04-18', '05-02', '06-02', '06-03', '08-29', '09-19', '12-26', '12-27'],
    ],
    ['XLON', 2023, ['01-02', '04-07', '04-10', '05-01', '05-08', '05-29', '08-28', '12-25', '12-26']],
    [
      'XETR',
      2019,
      ['01-01', '04-19', '04-22', '05-01', '06-10', '10-03', '12-24', '12-25', '12-26', '12-31'],
    ],
    ['XETR', 2024, ['01-01', '03-29', '04-01', '05-01', '12-24', '12-25', '12-26', '12-31']],
    [
      'XTKS',
      2019,
      [
        '01-01',
        '01-02',
        '01-03',
        '01-14',
        '02-11',
        '03-21',
        '04-29',
        '04-30',
        '05-01',
        '05-02',
        '05-03',
        '05-06',
        '07-15',
        '08-12',
        '09-16',
        '09-23',
        '10-14',
        '10-22',
        '11-04',
        '12-31',
      ],
    ],
    [
      'XTKS',
      2021,
      [
        '01-01',
        '01-11',
        '02-11',
        '02-23',
        '04-29',
        '05-03',
        '05-04',
        '05-05',
        '07-22',
        '07-23',
        '08-09',
        '09-20',
        '09-23',
        '11-03',
        '11-23',
        '12-31',
      ],
    ],
    [
      'XTKS',
      2015,
      [
        '01-01',
        '01-02',
        '01-12',
        '02-11',
        '04-29',
        '05-04',
        '05-05',
        '05-06',
        '07-20',
        '09-21',
        '09-22',
        '09-23',
        '10-12',
        '11-03',
        '11-23',
        '12-23',
        '12-31',
      ],
    ],
  ])('%s was closed in %i on the days that are known', (name, year, days) => {
    expect(closedOf(name, year)).toEqual(days);
  });

  it.each([
    ['XNYS', '2002-07-05'],
    ['XNYS', '2013-07-03'],
    ['XNYS', '2019-11-29'],
    ['XNYS', '2024-12-24'],
    ['XLON', '2022-12-23'],
    ['XLON', '2022-12-30'],
    ['XETR', '2024-12-30'],
    ['XETR', '2010-12-30'],
  ])('%s ended early on %s', (name, day) => {
    expect(tradingCalendar(name).closesEarly(Date.parse(day) / DAY)).toBeDefined();
  });

  it('XETR closed on time on the last session of years before 2010', () => {
    const xetr = tradingCalendar('XETR');
    const early = Array.from({ length: 31 }, (_, day) => xetr.closesEarly(Date.UTC(2009, 11, 1 + day) / DAY));
    expect(early.every((minutes) => minutes === undefined)).toBe(true);
  });

  it('suggests the closest calendar', () => {
    expect(() => tradingCalendar('XNYE')).toThrow(/Unknown calendar "XNYE"/);
  });
});

describe('the years of a calendar', () => {
  const days = (...dates: string[]) => [{ time: Float64Array.from(dates, (date) => Date.parse(date)) }];

  it('must include all dates of the data, from its first year to the last of its file', () => {
    const listed = tradingCalendar({
      name: 'own.csv',
      closed: ['2023-12-25'],
      early: { '2024-11-29': '13:00' },
    });
    expect(() => checkCovers(listed, days('2023-01-02', '2024-12-31'))).not.toThrow();
    for (const dates of [
      ['2022-12-29', '2024-12-31'],
      ['2023-01-02', '2025-01-03'],
    ])
      expect(() => checkCovers(listed, days(...dates))).toThrow(
        `it covers 2023-01-01 to 2024-12-31, and the data run from ${dates[0]} to ${dates[1]}`,
      );
  });

  it('cover data of which one symbol has no bar', () => {
    const listed = tradingCalendar({ name: 'own.csv', closed: ['2022-12-26', '2024-12-25'], early: {} });
    const empty = { time: new Float64Array(0) };
    expect(() => checkCovers(listed, [empty, ...days('2022-01-03', '2022-12-30')])).not.toThrow();
    expect(() => checkCovers(listed, [empty, ...days('2019-01-03', '2022-12-30')])).toThrow(
      'the data run from 2019-01-03 to 2022-12-30',
    );
    expect(() => checkCovers(listed, [empty])).not.toThrow();
  });

  it('must include all years of the data between them', () => {
    const listed = tradingCalendar({ name: 'own.csv', closed: ['2022-12-26', '2024-12-25'], early: {} });
    expect(() => checkCovers(listed, days('2022-01-03', '2024-12-31'))).not.toThrow();
    expect(() => checkCovers(listed, days('2022-01-03', '2023-05-02', '2024-12-31'))).toThrow(
      'it covers 2022-01-01 to 2024-12-31 without 2023, and the data run from 2022-01-03 to 2024-12-31',
    );
  });

  it('end when the holidays of an exchange are unknown', () => {
    expect(() => checkCovers(tradingCalendar('XNYS'), days('1998-01-02', '2035-12-31'))).not.toThrow();
    expect(() => checkCovers(tradingCalendar('XNYS'), days('1998-01-02', '2045-01-03'))).toThrow(
      'it covers 1998-01-01 to 2035-12-31, and the data run from 1998-01-02 to 2045-01-03',
    );
    expect(() => checkCovers(tradingCalendar('XNYS'), days('1990-01-02', '2020-01-03'))).toThrow(
      'it covers 1998-01-01 to 2035-12-31, and the data run from 1990-01-02 to 2020-01-03',
    );
    expect(() => checkCovers(tradingCalendar('XNYS'), days('2030-01-02', '2045-01-03'))).toThrow(
      expect.objectContaining({ hint: expect.stringContaining('--from 1998-01-01 --to 2035-12-31') }),
    );
  });

  /** Returns all dates of a year from Monday to Friday. */
  const weekdays = (year: number): string[] =>
    Array.from({ length: 366 }, (_, day) => new Date(Date.UTC(year, 0, 1 + day)))
      .filter((date) => date.getUTCFullYear() === year && date.getUTCDay() % 6 !== 0)
      .map((date) => date.toISOString().slice(0, 10));

  it('are refused with too few sessions in a file that lists the sessions', () => {
    const inverted = tradingCalendar({ name: 'own.csv', closed: weekdays(2023).slice(0, 250), early: {} });
    expect(() => checkCovers(inverted, days('2023-01-02', '2023-12-29'))).toThrow(
      'The calendar own.csv has too few sessions: 10 in 2023. An exchange has 240 to 256 in a year.',
    );
    const summer = tradingCalendar({ name: 'own.csv', closed: weekdays(2023).slice(0, 80), early: {} });
    expect(() => checkCovers(summer, days('2023-01-02', '2023-12-29'))).not.toThrow();
  });

  it('are unlikely with fewer than two closed weekdays', () => {
    const listed = tradingCalendar({
      name: 'own.csv',
      closed: ['2023-01-02', '2023-12-25', '2024-12-25', '2025-12-27'],
      early: {},
    });
    expect(unlikelyYears(listed, days('2023-05-02', '2023-12-29'))).toEqual([]);
    expect(unlikelyYears(listed, [])).toEqual([]);
    expect(unlikelyYears(listed, [{ time: new Float64Array(0) }])).toEqual([]);
    expect(
      unlikelyYears(listed, [{ time: new Float64Array(0) }, ...days('2023-05-02', '2025-02-03')]),
    ).toEqual([
      'The calendar own.csv has 261 sessions in 2024, 261 sessions in 2025. An exchange has 240 to 256 in a year. Check that the file lists every closed day.',
    ]);
    expect(unlikelyYears(tradingCalendar('XNYS'), days('2023-05-02', '2025-02-03'))).toEqual([]);
  });
});
