import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatInstant } from '../../kernel/index.ts';
import { isZoned, readDate, readDates } from './date-formats.ts';

const read = (text: string, order?: 'mdy' | 'dmy'): string => {
  const instant = readDate(text, order);
  return Number.isNaN(instant) ? 'no date' : formatInstant(instant);
};

describe('readDates', () => {
  it('reads each stamp of a column like a stamp alone', () => {
    const day = fc.constantFrom(
      '2020-01-15',
      '2020/02/29',
      '2021-02-29',
      '2020-1-15',
      '20200115',
      '15 Jan 2020',
    );
    const clock = fc.constantFrom(
      '',
      ' 09:30',
      'T09:30:15.5Z',
      '09:30',
      '5',
      '-',
      ' 09:30 PM',
      ' 24:00',
      '+02:00',
      'Z',
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(day, clock)), (parts) => {
        const texts = parts.map(([date, time]) => date + time);
        const { times, zoned, mixed } = readDates(texts);
        expect([...times]).toEqual(texts.map((text) => readDate(text)));
        const dated = texts.filter((text) => !Number.isNaN(readDate(text)));
        expect(zoned).toBe(dated[0] !== undefined && isZoned(dated[0]));
        expect(mixed !== undefined).toBe(new Set(dated.map(isZoned)).size > 1);
      }),
    );
  });
});

describe('readDate', () => {
  it.each([
    ['2020-01-15', '2020-01-15'],
    ['2020/01/15', '2020-01-15'],
    ['2020/1/5', '2020-01-05'],
    ['2020.01.15', '2020-01-15'],
    ['20200115', '2020-01-15'],
    ['20200115 0930', '2020-01-15T09:30:00'],
    ['20200115 093015', '2020-01-15T09:30:15'],
    ['20200115093015', '2020-01-15T09:30:15'],
    ['2020-01-15 09:30', '2020-01-15T09:30:00'],
    ['2020-01-15 09:30:15', '2020-01-15T09:30:15'],
    ['2020-01-15 09:30:15.123', '2020-01-15T09:30:15.123'],
    ['2020-01-15 09:30:15.123999', '2020-01-15T09:30:15.123'],
    ['2020-01-15T09:30:00Z', '2020-01-15T09:30:00'],
    ['2020-01-15T09:30:00+02:00', '2020-01-15T07:30:00'],
    ['2020-01-15 00:00:00-05:00', '2020-01-15T05:00:00'],
    ['2020-01-15 00:00:00-0530', '2020-01-15T05:30:00'],
    ['2020-01-15 00:00:00+00', '2020-01-15'],
    ['2020-01-15 09:30:00 UTC', '2020-01-15T09:30:00'],
    ['2020-01-15 9:30 PM', '2020-01-15T21:30:00'],
    ['2020-01-15 12:00 AM', '2020-01-15'],
    ['15 Jan 2020', '2020-01-15'],
    ['15-Jan-2020', '2020-01-15'],
    ['Jan 15, 2020', '2020-01-15'],
    ['Jan 1 2000', '2000-01-01'],
    ['September 3, 2019', '2019-09-03'],
    ['Sept 3, 2019', '2019-09-03'],
    ['15 Jan 2020 16:00', '2020-01-15T16:00:00'],
    ['1579046400', '2020-01-15'],
    ['1579046400.5', '2020-01-15T00:00:00.500'],
    ['1579046400000', '2020-01-15'],
    ['1579046400123', '2020-01-15T00:00:00.123'],
    ['1579046400000000', '2020-01-15'],
    ['1579046400000000000', '2020-01-15'],
    ['2020-02-29', '2020-02-29'],
  ])('reads %s', (text, expected) => {
    expect(read(text)).toBe(expected);
  });

  it.each([
    '',
    'hello',
    '2020',
    '5',
    '2020-02-30',
    '2021-02-29',
    '1900-02-29',
    '2020-13-01',
    '2020-00-10',
    '2020-01-00',
    '20201301',
    '2020-01-15 25:00',
    '2020-01-15 09:60',
    '2020-01-15 13:00 PM',
    '2020-01-15 09:30 EST',
    '2020-01-15x',
    '2020-1-155',
    '15 Foo 2020',
    '15-Jan-20',
    '01/15/2020',
    '2020-01/15',
    '0020-01-15',
  ])('refuses %j', (text) => {
    expect(read(text)).toBe('no date');
  });

  it('reads day and month in the given order', () => {
    expect(read('01/02/2020', 'mdy')).toBe('2020-01-02');
    expect(read('01/02/2020', 'dmy')).toBe('2020-02-01');
    expect(read('01.02.2020 10:00', 'dmy')).toBe('2020-02-01T10:00:00');
  });
});

describe('readDates', () => {
  const column = (...texts: string[]): string[] =>
    Array.from(readDates(texts).times, (time) => new Date(time).toISOString().slice(0, 10));

  it('determines the order of day and month from the whole column', () => {
    expect(column('01/02/2020', '01/13/2020')).toEqual(['2020-01-02', '2020-01-13']);
    expect(column('01/02/2020', '13/02/2020')).toEqual(['2020-02-01', '2020-02-13']);
    expect(column('01.02.2020', '13.02.2020')).toEqual(['2020-02-01', '2020-02-13']);
  });

  it('reports an ambiguous date if the column does not determine the order', () => {
    expect(readDates(['01/02/2020', '02/02/2020']).ambiguous).toBe('01/02/2020');
    expect(readDates(['01/02/2020', '02/02/2020'], 'dmy').ambiguous).toBeUndefined();
  });

  it('returns NaN for a row that contradicts the others', () => {
    const { times } = readDates(['01/13/2020', '14/01/2020']);
    expect(times[0]).toBe(Date.UTC(2020, 0, 13));
    expect(times[1]).toBeNaN();
  });
});
