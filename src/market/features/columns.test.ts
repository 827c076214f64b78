import { describe, expect, it } from 'vitest';
import { faultsOf } from '../../../test/support/error-of.ts';
import { type FeatureTable, featureSchema, furtherColumns, nameFault, sameTypes } from './bar-columns.ts';
import { featureTable } from './read.ts';

const DAY = 86_400_000;
const HOUR = DAY / 24;
const day = (number: number): number => Date.UTC(2024, 0, 1) + number * DAY;

describe('values of a feature table', () => {
  const columnOf = (...values: (string | number | boolean | null)[]) => {
    const { columns } = featureTable(values.map((x, at) => ({ date: day(at), x })));
    return [columns[0]!.type, columns[0]!.values];
  };
  const columnFaults = (...values: (string | number | boolean | null)[]): string[] =>
    faultsOf(() => columnOf(...values));

  it('are numbers, booleans or texts', () => {
    expect(columnOf('1', '-.5', '+2.', '1e3', 'n/a', '')).toEqual(['number', [1, -0.5, 2, 1000, null, null]]);
    expect(columnOf('true', 'FALSE', 'nan', true)).toEqual(['boolean', [true, false, null, true]]);
    expect(columnOf('up', ' down ', '1', '', 'NaN')).toEqual(['text', ['up', ' down ', '1', null, 'NaN']]);
    expect(columnOf('', null, '-')).toEqual(['number', [null, null, null]]);
    // Exactly half of the cells are numbers or booleans, so the column is text.
    expect(columnOf('1', 'x')[0]).toBe('text');
    expect(columnOf('true', 'x')[0]).toBe('text');
  });

  it('that do not have the type of their column are faults', () => {
    expect(columnFaults('1', '2', 'x', '1,000', 'inf', '1e999', '4', '5', '6')).toEqual([
      'row 3: x: "x" is not a number, as most of its column are',
      'row 4: x: "1,000" has thousands separators; write it without',
      'row 5: x: "inf" is not a finite number',
      'row 6: x: "1e999" is not a finite number',
    ]);
    expect(columnFaults('true', 'false', '1')).toEqual(['row 3: x: "1" is neither true nor false']);
    expect(columnFaults('1', '2', 'y'.repeat(50))).toEqual([
      `row 3: x: "${'y'.repeat(40)}" is not a number, as most of its column are`,
    ]);
    expect(columnFaults('true', 'true', 'z'.repeat(50))).toEqual([
      `row 3: x: "${'z'.repeat(40)}" is neither true nor false`,
    ]);
  });

  const tableFaults = (...rows: object[]): string[] => faultsOf(() => featureTable(rows as never));

  it('may repeat a date only with another publication time or symbol', () => {
    const row = { date: '2024-01-01', x: 1 };
    expect(tableFaults(row, row)).toEqual([
      'row 2: repeats the date 2024-01-01 of row 1 (a revision needs its own, different available_at)',
    ]);
    const known = { ...row, available_at: '2024-01-05' };
    expect(tableFaults(known, { ...known, available_at: '2024-01-06' }, known)).toEqual([
      'row 3: repeats the date 2024-01-01 and the available_at 2024-01-05 of row 1 (a revision needs its own, different available_at)',
    ]);
    expect(tableFaults({ ...row, symbol: 'A' }, { ...row, symbol: 'B' }, row)).toEqual([]);
  });

  it('need columns with distinct and valid names', () => {
    expect(tableFaults({ date: '2024-01-01' })).toEqual([
      '(features in memory): no feature column: only date, available_at and symbol',
    ]);
    expect(tableFaults()).toHaveLength(1);
    expect(tableFaults({ date: '2024-01-01', x: 1, X: 2 })).toEqual([
      '(features in memory): two columns are called "X" (rename one of them)',
    ]);
    expect(tableFaults({ date: '2024-01-01', availabel_at: 1 })).toEqual([
      '(features in memory): unknown column "availabel_at" (did you mean "available_at"? Otherwise rename the feature)',
    ]);
    expect(tableFaults({ date: '2024-01-01', available_at: null, availabel_at: 1 })).toEqual([]);
    for (const date of ['soon', Infinity]) expect(tableFaults({ date, x: 1 })).toHaveLength(1);
    const { dates, known } = featureTable([{ date: day(2), available_at: day(1) + HOUR, x: 4 }]);
    expect([dates[0]!.instant, known[0]]).toMatchObject([
      day(2),
      { instant: day(1) + HOUR, wholeDay: false },
    ]);
  });

  it('have column names that code can use', () => {
    expect(nameFault('mood_2')).toBeUndefined();
    expect(nameFault('Adj Rate')).toEqual({
      ...{ message: 'the column "Adj Rate" is not a name that code can use', hint: 'call it adj_rate' },
    });
    expect(nameFault('5 %')?.hint).toBe('use letters, digits and _ for its name');
    expect(nameFault('Close')).toMatchObject({ hint: 'call it Close_2' });
    expect(nameFault('lambda')).toMatchObject({ hint: 'call it lambda_' });
    expect(nameFault('mean')).toMatchObject({ hint: 'call it mean_value' });
  });
});

describe('columns of several files', () => {
  const table = (type: 'number' | 'text', values: readonly (number | string | null)[]): FeatureTable => ({
    ...{ source: 'f', columns: [{ name: 'x', type, values }], dates: [], known: [], symbols: undefined },
  });

  it('are texts in all files if they are texts in one', () => {
    const [one, other] = sameTypes([table('number', [1, null]), table('text', ['a'])]);
    expect(one!.columns).toEqual([{ name: 'x', type: 'text', values: ['1', null] }]);
    expect(other!.columns[0]!.values).toEqual(['a']);
    const numbers = [table('number', [1]), table('number', [2])];
    expect(sameTypes(numbers)).toEqual(numbers);
    expect(featureSchema([table('number', [1]), table('text', ['a'])])).toEqual([
      { name: 'x', type: 'number' },
    ]);
  });

  it('become features, except times, adjusted prices, duplicates and invalid names', () => {
    const plan = {
      time: 0,
      clock: -1,
      prices: [1, 2, 3, 4],
      volume: 5,
      symbol: -1,
      extra: [{ position: 6 }],
    };
    const header = [
      't',
      'o',
      'h',
      'l',
      'c',
      'v',
      'spread',
      'Datetime',
      'Mood',
      'mood ',
      'Adj Close',
      '5',
      'mean',
      'Rate %',
    ];
    expect(furtherColumns('f.csv', header, plan as never)).toEqual({
      named: [
        { name: 'mood', position: 8 },
        { name: 'rate', position: 13 },
      ],
      adjustments: [
        'f.csv: omitted the column "mood": another is called mood too',
        'f.csv: the column "Adj Close" is not a feature, because adjusted prices contain later splits and dividends',
        'f.csv: omitted the column "mean": the column "mean" is the name of a DataFrame attribute or method',
      ],
    });
  });
});
