import { describe, expect, it } from 'vitest';
import { faultsOf, validated } from '../../../test/support/validated-rows.ts';

const at = (text: string): number => Date.parse(`${text}Z`);

describe('the order of rows', () => {
  const dated = (...dates: string[]): string[] => dates.map((date, index) => `${date},2,4,1,3,${index},0`);

  it('must be by time, and each row that is not later than the row before is reported', () => {
    expect(faultsOf(dated('2020-01-15', '2020-01-15', '2020-01-14', '2020-01-16'))).toEqual([
      'x.csv line 3: 2020-01-15 repeats the time 2020-01-15 of line 2',
      'x.csv line 4: 2020-01-14 comes after the later 2020-01-15 of line 3',
    ]);
    // A row without a date does not interrupt the order.
    expect(faultsOf(dated('2020-01-15', 'soon', '2020-01-14'))).toEqual([
      'x.csv line 3: "soon" is not a date that can be read',
      'x.csv line 4: 2020-01-14 comes after the later 2020-01-15 of line 2',
    ]);
  });

  it('is reported once if all rows are in the reverse order', () => {
    expect(faultsOf(dated('2020-01-16', '2020-01-15', '2020-01-14'))).toEqual([
      "x.csv: X's rows run from the newest to the oldest (reverse them, or add --sort)",
    ]);
    expect(faultsOf(dated('2020-01-16', '2020-01-15', '2020-01-15'))).toHaveLength(2);
  });

  it('is corrected on request, for each symbol that needs it', () => {
    const lines = dated('2020-01-16', '2020-01-14', '2020-01-15', '2020-01-15');
    const { series, adjustments, faults } = validated(lines, {
      rules: { sortRows: true },
      symbols: ['A', 'A', 'A', 'B'],
    });
    expect([series.map(({ volume }) => [...volume]), adjustments, faults]).toEqual([
      [[1, 2, 0], [3]],
      ["x.csv: A's 3 rows were sorted by time"],
      [],
    ]);
    expect(faultsOf(dated('2020-01-16', '2020-01-15', '2020-01-16'), { rules: { sortRows: true } })).toEqual([
      'x.csv line 4: 2020-01-16 repeats the time 2020-01-16 of line 2',
    ]);
  });

  it('may differ between symbols', () => {
    expect(faultsOf(dated('2020-01-16', '2020-01-15'), { symbols: ['A', 'B'] })).toEqual([]);
  });
});

describe('the dates of a file', () => {
  const line = (date: string): string => `${date},2,4,1,3,7,0`;

  it('must show the order of day and month, unless the user states the order', () => {
    expect(validated([line('01/02/2020')])).toEqual({
      series: [],
      times: Float64Array.of(Number.NaN),
      adjustments: [],
      faults: [
        {
          where: 'x.csv',
          message: 'the dates, such as "01/02/2020", can be month/day or day/month',
          hint: 'write them as YYYY-MM-DD, or add --date-order mdy or dmy',
        },
      ],
    });
    expect([...validated([line('01/02/2020')], { rules: { dateOrder: 'dmy' } }).times]).toEqual([
      at('2020-02-01T00:00'),
    ]);
  });

  it('must all have an offset, or none', () => {
    expect(validated([line('2020-01-15 09:30'), line('2020-01-15 10:30Z')])).toMatchObject({
      series: [],
      adjustments: [],
      faults: [
        {
          where: 'x.csv line 3',
          message:
            '"2020-01-15 10:30Z" and "2020-01-15 09:30" of line 2: one has a UTC offset and the other does not',
          hint: 'write every stamp of a file with its offset, or none',
        },
      ],
    });
  });

  it('are local times of the given zone', () => {
    const rules = { timezone: 'Europe/Berlin' };
    expect([...validated([line('2020-01-15 09:30'), line('2020-07-15 09:30')], { rules }).times]).toEqual([
      at('2020-01-15T08:30'),
      at('2020-07-15T07:30'),
    ]);
    expect(
      faultsOf([line('2020-03-29 01:30'), line('2020-03-29 02:30'), line('2020-03-29 03:30')], { rules }),
    ).toEqual([
      'x.csv line 3: "2020-03-29 02:30" does not exist in Europe/Berlin: the clocks were put forward at this time',
    ]);
    expect([...validated([line('2020-01-15 09:30Z')], { rules }).times]).toEqual([at('2020-01-15T09:30')]);
  });

  it('may not include a bar of the whole day among shorter bars', () => {
    const hours = [10, 11, 12, 11, 13].map((close, hour) => `2020-01-15 1${hour}:00,10,15,9,${close},7,0`);
    const day = '2020-01-15,10,15,9,13,35,0';
    expect(faultsOf([day, ...hours])).toEqual([
      'x.csv line 2: is a bar of the whole day: its open, high, low and close are those of the 5 following bars (remove such rows, because all bars of a series have the same length)',
    ]);
    expect(validated([day, ...hours]).series).toEqual([]);
  });
});
