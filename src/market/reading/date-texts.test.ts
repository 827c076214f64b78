import { describe, expect, it } from 'vitest';
import { DAY } from '../../kernel/index.ts';
import { isWholeDay, isZoned, readDate, readDates } from './date-formats.ts';
import { stampOf, stampsOf } from './stamps.ts';

const at = (text: string): number => Date.parse(`${text}Z`);
const two = (value: number): string => String(value).padStart(2, '0');

describe('a date as text', () => {
  it('is read in each form for every day of the calendar, and refused for any other day', () => {
    const wrong: string[] = [];
    for (const year of [1000, 1900, 2000, 2023, 2024])
      for (let month = 0; month <= 13; month++)
        for (let day = 0; day <= 32; day++) {
          const date = new Date(Date.UTC(year, month - 1, day));
          const isValid = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
          const expected = isValid ? date.getTime() : Number.NaN;
          const [m, d] = [two(month), two(day)];
          for (const [text, order] of [
            [`${year}-${m}-${d}`],
            [`${year}${m}${d}`],
            [`${year}/${month}/${day}`],
            [`${m}/${d}/${year}`, 'mdy'],
            [`${d}.${m}.${year}`, 'dmy'],
          ] as const)
            if (!Object.is(readDate(text, order), expected)) wrong.push(text);
        }
    expect(wrong).toEqual([]);
    expect(readDate('0999-12-31')).toBeNaN();
  });

  it('may contain the name of its month, in full or as three letters', () => {
    const names =
      'January February March April May June July August September October November December'.split(' ');
    for (const [index, name] of names.entries()) {
      const time = Date.UTC(2021, index, 5);
      for (const month of [name, name.slice(0, 3), name.toUpperCase(), `${name.slice(0, 3).toLowerCase()}.`])
        expect([readDate(`5 ${month} 2021`), readDate(`${month} 05, 2021`)]).toEqual([time, time]);
    }
    expect(readDate('Sept 5, 2021')).toBe(Date.UTC(2021, 8, 5));
    for (const text of [
      '5 Janu 2021',
      '5 Sep 021',
      'Septem 5, 2021',
      '31 Apr 2021',
      '0 May 2021',
      '5 Dece 2021',
    ])
      expect(readDate(text)).toBeNaN();
  });

  it.each([
    ['123456789', 123_456_789_000],
    ['-123456789', -123_456_789_000],
    ['123456789.25', 123_456_789_250],
    ['99999999999', 99_999_999_999_000],
    ['123456789012', 123_456_789_012],
    ['1579046400123.9', 1_579_046_400_123],
    ['-1579046400123.5', -1_579_046_400_124],
    ['100000000000000', 100_000_000_000],
    ['1579046400123999', 1_579_046_400_123],
    ['12345678901234567', 12_345_678_901_234],
    ['100000000000000000', 100_000_000_000],
    ['1579046400123999999', 1_579_046_400_123],
    ['1579132799999999999', at('2020-01-15T23:59:59.999')],
    ['-1579132799999999999', -1_579_132_800_000],
    ['-1579132800000000000', -1_579_132_800_000],
    ['20200115093000', at('2020-01-15T09:30')],
  ])('may be the number %s, whose unit follows from its number of digits', (text, time) => {
    expect(readDate(text)).toBe(time);
  });

  it.each([
    ['00:00', 0],
    ['9:05', 545 * 60_000],
    ['0905', 545 * 60_000],
    ['23:59:59.999', DAY - 1],
    ['090501', 545 * 60_000 + 1_000],
    ['09:05:01.5', 545 * 60_000 + 1_500],
    ['09:05:01.0409', 545 * 60_000 + 1_040],
    ['12:00 AM', 0],
    ['12:30AM', 30 * 60_000],
    ['1:00 am', 60 * 60_000],
    ['12:00 PM', 720 * 60_000],
    ['11:59 pm', 1_439 * 60_000],
    ['09:05 UTC', 545 * 60_000],
    ['09:05 GMT', 545 * 60_000],
    ['09:05+01:30', 455 * 60_000],
    ['09:05-0130', 635 * 60_000],
    ['09:05 UTC+02', 425 * 60_000],
    ['09:05 GMT-02:15', 680 * 60_000],
    ['09:05+23:59', (545 - 1_439) * 60_000],
    ['24:00', Number.NaN],
    ['23:60', Number.NaN],
    ['23:59:60', Number.NaN],
    ['0:30 AM', Number.NaN],
    ['13:00 PM', Number.NaN],
    ['09:05+24:00', Number.NaN],
    ['09:05 CET', Number.NaN],
  ])('with the time of day %s is %d milliseconds after midnight, NaN if invalid', (clock, milliseconds) => {
    expect(readDate(`2020-01-15 ${clock}`) - at('2020-01-15T00:00')).toBe(milliseconds);
  });

  it('may have no separator in its time if all 12-digit stamps of its column are dates', () => {
    const both = ['202001150930', '202001151605'];
    const times = [at('2020-01-15T09:30'), at('2020-01-15T16:05')];
    expect(readDates(both)).toEqual({ times: Float64Array.from(times), zoned: false });
    const stamps = stampsOf(both, 'date', true, () => {}, 'America/New_York');
    expect(stamps.map((stamp) => stamp?.instant)).toEqual([at('2020-01-15T14:30'), at('2020-01-15T21:05')]);
    expect(stampOf(both[0]!)?.instant).toBe(times[0]);
    // Epoch milliseconds of 1976. The first of them could also be a date.
    const epoch = ['197012100000', '197098500000'];
    expect(readDates(epoch)).toMatchObject({ times: Float64Array.from(epoch.map(Number)), zoned: true });
  });

  it('stands for a whole day if it has no time of day', () => {
    const whole = ['2020-01-15', '2020/1/5', '20200115', '15.01.2020', '15 Jan 2020', 'Jan 15, 2020 '];
    const others = ['2020-01-15T00:00', '20200115 0930', '15 Jan 2020 09:30', '1579046400', 'x', ''];
    expect([...whole, ...others].map(isWholeDay)).toEqual([
      ...whole.map(() => true),
      ...others.map(() => false),
    ]);
  });

  it('identifies an instant if it has a zone or an offset, or is an epoch number', () => {
    const zoned = [
      '2020-01-15T09:30Z',
      '2020-01-15 09:30:15.5+01:00',
      '2020-01-15 9:30 PM GMT',
      '123456789',
      '1234567890',
      '1579046400000',
    ];
    const local = [
      '2020-01-15',
      '20200115',
      '2020-01-15 09:30',
      '20200115093000',
      '15 Jan 2020 09:30',
      '',
      '20200115 0930',
    ];
    expect([...zoned, ...local].map(isZoned)).toEqual([...zoned.map(() => true), ...local.map(() => false)]);
  });
});

describe('a column of dates', () => {
  it('shows its order of day and month by the first number above 12', () => {
    const orders = (...texts: string[]) =>
      [...readDates(texts).times].map((time) => new Date(time).toISOString().slice(0, 10));
    expect(orders('05/06/2020', '13/06/2020')).toEqual(['2020-06-05', '2020-06-13']);
    expect(orders('05/06/2020', '06/13/2020')).toEqual(['2020-05-06', '2020-06-13']);
    expect(readDates(['2020-01-01', '12/12/2020'])).toEqual({
      times: Float64Array.of(at('2020-01-01T00:00'), Number.NaN),
      zoned: false,
      ambiguous: '12/12/2020',
    });
    expect(readDates(['x', '2020-01-01'])).toEqual({
      times: Float64Array.of(Number.NaN, at('2020-01-01T00:00')),
      zoned: false,
    });
  });

  it('must have a zone at all times or at none, and the first difference is reported', () => {
    const [local, zoned] = ['2020-01-15 09:30', '2020-01-15 09:30Z'];
    expect(readDates([zoned, zoned])).toMatchObject({ zoned: true });
    expect(readDates([zoned, zoned])).not.toHaveProperty('mixed');
    expect(readDates(['x', local, 'y', local, zoned, local])).toMatchObject({
      zoned: false,
      mixed: { row: 4, before: 3 },
    });
    expect(readDates([zoned, local])).toMatchObject({ zoned: true, mixed: { row: 1, before: 0 } });
  });
});

describe('a column of stamps', () => {
  const read = (cells: readonly (string | null)[], isNeeded = false, timezone?: string) => {
    const faults: [number, string][] = [];
    const stamps = stampsOf(cells, 'date', isNeeded, (row, message) => faults.push([row, message]), timezone);
    return { stamps, faults };
  };

  it('contains instants and whole days, and empty cells are faults if a date is required', () => {
    const cells = ['2020-01-15', null, ' 2020-01-15 09:30 ', ''];
    const stamps = [
      { instant: at('2020-01-15T00:00'), wholeDay: true },
      undefined,
      { instant: at('2020-01-15T09:30'), wholeDay: false },
      undefined,
    ];
    expect(read(cells)).toEqual({ stamps, faults: [] });
    expect(read(cells, true)).toEqual({
      stamps,
      faults: [
        [1, 'the date is empty'],
        [3, 'the date is empty'],
      ],
    });
  });

  it('contains whole days if all times are midnight', () => {
    expect(read(['2020-01-15 00:00:00', '', '2020-01-16T00:00']).stamps).toEqual([
      { instant: at('2020-01-15T00:00'), wholeDay: true },
      undefined,
      { instant: at('2020-01-16T00:00'), wholeDay: true },
    ]);
    expect(read(['2020-01-15 00:00:00', '2020-01-16 00:01']).stamps[0]).toMatchObject({ wholeDay: false });
  });

  it('is refused with an invalid or ambiguous date, and shows its first forty characters', () => {
    const long = 'x'.repeat(50);
    expect(read(['soon', long, '2020-01-15'])).toEqual({
      stamps: [undefined, undefined, { instant: at('2020-01-15T00:00'), wholeDay: true }],
      faults: [
        [0, 'date "soon" is not a date'],
        [1, `date "${'x'.repeat(40)}" is not a date`],
      ],
    });
    expect(read(['01/02/2020']).faults).toEqual([
      [0, 'date "01/02/2020" could be two dates: write it as 2020-03-31'],
    ]);
  });

  it('is refused once if only some times have an offset', () => {
    expect(read(['2020-01-15 09:30Z', '2020-01-16', '2020-01-17 09:30', '2020-01-18 09:30Z'])).toMatchObject({
      stamps: [{}, {}, undefined, {}],
      faults: [
        [
          2,
          'date "2020-01-17 09:30" and "2020-01-15 09:30Z" above it: one has a UTC offset and the other does not; write every time with its offset, or none',
        ],
      ],
    });
  });

  it('uses local times in a given time zone, and days that end at local midnight', () => {
    expect(read(['2020-01-15', '2020-01-15 09:30'], true, 'Asia/Tokyo').stamps).toEqual([
      { instant: at('2020-01-15T00:00'), wholeDay: true, over: at('2020-01-15T15:00') },
      { instant: at('2020-01-15T00:30'), wholeDay: false },
    ]);
  });
});

describe('a single stamp', () => {
  it('is a whole day only without a time of day, and undefined if it is ambiguous or invalid', () => {
    expect(stampOf('2020-01-15')).toEqual({ instant: at('2020-01-15T00:00'), wholeDay: true });
    expect(stampOf('2020-01-15 00:00')).toEqual({ instant: at('2020-01-15T00:00'), wholeDay: false });
    expect(stampOf('2020-01-15 09:30', 'Asia/Tokyo')).toEqual({
      instant: at('2020-01-15T00:30'),
      wholeDay: false,
    });
    expect(stampOf('2020-01-15 09:30Z', 'Asia/Tokyo')?.instant).toBe(at('2020-01-15T09:30'));
    const none = ['01/02/2020', 'soon', ''].map((text) => stampOf(text));
    expect([...none, stampOf('2020-03-29 02:30', 'Europe/Berlin')]).toEqual(new Array(4).fill(undefined));
    expect(stampOf('13/02/2020')?.instant).toBe(at('2020-02-13T00:00'));
  });
});
