import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY, dayOfBar, formatInstant, minuteText, parseInstant, utcDays } from './instants.ts';

const instant = fc.integer({ min: Date.UTC(1, 0, 1), max: Date.UTC(9999, 11, 31, 23, 59, 59, 999) });

describe('formatInstant and parseInstant', () => {
  it('convert every instant to a text and back, to the millisecond', () => {
    fc.assert(fc.property(instant, (value) => parseInstant(formatInstant(value)) === value));
  });

  it('format dates like `Date`', () => {
    const day = fc.integer({ min: Date.UTC(999, 0, 1) / DAY, max: Date.UTC(9999, 11, 31) / DAY });
    const expectDate = (value: number): void => {
      const text = new Date(value * DAY).toISOString();
      expect(formatInstant(value * DAY)).toBe(text.slice(0, 10));
      expect(formatInstant(value * DAY + 3_723_000)).toBe(`${text.slice(0, 10)}T01:02:03`);
    };
    fc.assert(fc.property(day, expectDate), { numRuns: 3000 });
    for (let value = Date.UTC(1899, 11, 1) / DAY; value < Date.UTC(2101, 2, 1) / DAY; value++)
      if (formatInstant(value * DAY) !== new Date(value * DAY).toISOString().slice(0, 10)) expectDate(value);
  });

  it('use the shortest complete form', () => {
    expect(formatInstant(Date.UTC(2020, 2, 9))).toBe('2020-03-09');
    expect(formatInstant(Date.UTC(2020, 2, 9, 14, 30))).toBe('2020-03-09T14:30:00');
    expect(formatInstant(Date.UTC(2020, 2, 9, 0, 0, 1))).toBe('2020-03-09T00:00:01');
    expect(formatInstant(Date.UTC(2020, 2, 9, 0, 0, 0, 7))).toBe('2020-03-09T00:00:00.007');
    expect(formatInstant(-DAY)).toBe('1969-12-31');
  });
});

describe('parseInstant', () => {
  it.each([
    ['2020-03-09', Date.UTC(2020, 2, 9)],
    [' 2020-03-09 ', Date.UTC(2020, 2, 9)],
    ['2020-03-09T14:30', Date.UTC(2020, 2, 9, 14, 30)],
    ['2020-03-09 14:30:05', Date.UTC(2020, 2, 9, 14, 30, 5)],
    ['2020-03-09T14:30:05.1', Date.UTC(2020, 2, 9, 14, 30, 5, 100)],
    ['2020-03-09T14:30:05.123Z', Date.UTC(2020, 2, 9, 14, 30, 5, 123)],
    ['2020-03-09T14:30+05:30', Date.UTC(2020, 2, 9, 9, 0)],
    ['2020-03-09T14:30:00-0500', Date.UTC(2020, 2, 9, 19, 30)],
    ['2020-03-01T01:00+02:00', Date.UTC(2020, 1, 29, 23, 0)],
    ['2020-02-29', Date.UTC(2020, 1, 29)],
    ['1900-02-28T23:59:59', Date.UTC(1900, 1, 28, 23, 59, 59)],
  ])('reads %s', (text, expected) => {
    expect(parseInstant(text)).toBe(expected);
  });

  it.each([
    '2021-02-29',
    '2021-02-30',
    '1900-02-29',
    '2021-04-31',
    '2021-02-30T10:00',
    '2021-00-10',
    '2021-13-01',
    '2021-01-00',
    '2021-01-32',
    '2020-01-01T25:00',
    '2020-01-01T23:60',
    '2020-01-01T23:59:60',
    '2020-01-01T10:00+99:99',
    '2020-1-1',
    '20200101',
    '2020-01-01T',
    '2020-01-01 10',
    '2020-01-01T10:00:00.1234',
    '03/04/2020',
    '1583712000000',
    'yesterday',
    '',
  ])('refuses %j', (text) => {
    expect(parseInstant(text)).toBeUndefined();
  });

  it('accepts a date only if the day exists, and returns this day', () => {
    const part = (max: number): fc.Arbitrary<string> =>
      fc.integer({ min: 0, max }).map((n) => String(n).padStart(2, '0'));
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9999 }), part(14), part(33), (year, month, day) => {
        const text = `${String(year).padStart(4, '0')}-${month}-${day}`;
        const read = parseInstant(text);
        if (read !== undefined) expect(formatInstant(read)).toBe(text);
        const daysInMonth = new Date(Date.UTC(2000 + (year % 400), Number(month), 0)).getUTCDate();
        const possible =
          Number(month) >= 1 && Number(month) <= 12 && Number(day) >= 1 && Number(day) <= daysInMonth;
        expect(read !== undefined).toBe(possible);
      }),
    );
  });
});

describe('the limits of a date and a time', () => {
  it.each([
    ['2020-03-09T23:59:59', Date.UTC(2020, 2, 9, 23, 59, 59)],
    ['2000-02-29', Date.UTC(2000, 1, 29)],
    ['2019-12-31', Date.UTC(2019, 11, 31)],
    ['0100-01-01', Date.UTC(100, 0, 1)],
  ])('%s is valid', (text, expected) => {
    expect(parseInstant(text)).toBe(expected);
  });

  it.each([
    '2020-03-09T24:00:01',
    '2020-03-09T25:00:00',
    '2020-03-09T23:60:00',
    '2020-03-09T23:59:60',
    '2020-13-01',
    '2020-00-01',
    '2020-01-00',
    '2020-04-31',
  ])('%s is invalid', (text) => {
    expect(parseInstant(text)).toBeUndefined();
  });
});

describe('days and times of bars', () => {
  it('start at midnight, and a bar that ends at midnight belongs to the day before', () => {
    expect([0, DAY - 1, DAY, -1].map((time) => dayOfBar(time))).toEqual([0, 0, 1, -1]);
    expect([0, 1, DAY, DAY + 1].map((time) => dayOfBar(time, 'end'))).toEqual([-1, 0, 0, 1]);
    expect([utcDays().dayOf(DAY), utcDays('end').dayOf(DAY), utcDays().lastOf(0)]).toEqual([1, 0, DAY - 1]);
    expect(utcDays().lastOf(3)).toBe(4 * DAY - 1);
  });

  it('are shown to the minute', () => {
    expect(minuteText(Date.UTC(2020, 2, 9, 14, 30, 59))).toBe('2020-03-09 14:30');
    expect(minuteText('2020-03-09T14:30:59Z')).toBe('2020-03-09 14:30');
  });

  it('are formatted before the year 1000 and after 9999', () => {
    for (const time of [Date.UTC(999, 11, 31), Date.UTC(1000, 0, 1), Date.UTC(9999, 11, 31)])
      expect(formatInstant(time)).toBe(new Date(time).toISOString().slice(0, 10));
    const late = Date.UTC(10_000, 0, 1);
    expect(formatInstant(late + 3_600_000)).toBe(`${new Date(late).toISOString().slice(0, 10)}T01:00:00`);
    expect(formatInstant(Date.UTC(2020, 0, 1) + 7)).toBe('2020-01-01T00:00:00.007');
  });
});
