import { describe, expect, it } from 'vitest';
import { DAY } from '../../kernel/index.ts';
import type { BarRows } from './bar-rows.ts';
import type { ColumnPlan } from './headers.ts';
import type { Table } from './table.ts';
import { type FileBars, type RowRules, validateRows } from './validate.ts';

const HEADER = ['date', 'open', 'high', 'low', 'close', 'volume', 'spread'];
const PLAN: ColumnPlan = {
  time: 0,
  prices: [1, 2, 3, 4],
  volume: 5,
  extra: [{ name: 'spread', position: 6 }],
};
const at = (text: string): number => Date.parse(`${text}Z`);

/** Cell as DuckDB reads it as a number. NaN for any other text. */
const numberOf = (cell: string): number =>
  /^[+-]?[\d.]+$/.test(cell.trim()) && Number.isFinite(Number(cell)) ? Number(cell) : Number.NaN;

interface Given {
  readonly rules?: RowRules;
  readonly symbols?: readonly (string | undefined)[];
  readonly unit?: 'line' | 'row';
  readonly plan?: ColumnPlan;
}

/** Validates lines such as `2020-01-15,2,4,1,3,7,0`. The first line has the number 2. */
function validated(
  lines: readonly string[],
  { rules = {}, symbols, unit = 'line', plan = PLAN }: Given = {},
): FileBars {
  const cells = lines.map((line) => line.split(','));
  const values = [1, 2, 3, 4, 5, 6].map((position) =>
    Float64Array.from(cells, (row) => numberOf(row[position] ?? '')),
  );
  const odd = cells.flatMap((row, index) =>
    values.some((column) => Number.isNaN(column[index])) ? [[index + 2, row] as const] : [],
  );
  const rows: BarRows = {
    number: Float64Array.from(cells, (_, index) => index + 2),
    cells: Float64Array.from(cells, (row) => row.length),
    time: cells.map((row) => row[0]!.trim()),
    symbol: [],
    values,
    odd: new Map(odd),
  };
  const table = { header: HEADER, unit } as unknown as Table;
  return validateRows('x.csv', table, plan, rows, rules, (row) =>
    symbols === undefined ? 'X' : symbols[row],
  );
}

const faultsOf = (lines: readonly string[], given?: Given): string[] =>
  validated(lines, given).faults.map(
    ({ where, message, hint }) => `${where}: ${message}${hint === undefined ? '' : ` (${hint})`}`,
  );
/** Fault of one row, without its place. */
const faultsIn = (cells: string): string[] =>
  faultsOf([`2020-01-15,${cells}`]).map((text) => text.replace('x.csv line 2: ', ''));

describe('rows of bars', () => {
  it('become a series of each symbol, in the order of their first rows', () => {
    const lines = [
      '2020-01-15,2,4,1,3,7,0',
      '2020-01-15,20,40,10,30,0,0.5',
      '2020-01-16,3,3,3,3,8,1',
      '2020-01-17,9,9,9,9,9,9',
    ];
    const { series, times, faults, adjustments } = validated(lines, { symbols: ['B', 'A', 'B', undefined] });
    const [wednesday, thursday] = [at('2020-01-15T00:00'), at('2020-01-16T00:00')];
    const of = (...values: number[]): Float64Array => Float64Array.from(values);
    expect(series).toEqual([
      {
        symbol: 'B',
        time: of(wednesday, thursday),
        open: of(2, 3),
        high: of(4, 3),
        low: of(1, 3),
        close: of(3, 3),
        volume: of(7, 8),
        extra: { spread: of(0, 1) },
      },
      {
        symbol: 'A',
        time: of(wednesday),
        open: of(20),
        high: of(40),
        low: of(10),
        close: of(30),
        volume: of(0),
        extra: { spread: of(0.5) },
      },
    ]);
    expect([[...times], faults, adjustments]).toEqual([
      [wednesday, wednesday, thursday, thursday + DAY],
      [],
      [],
    ]);
  });

  it.each([
    ['0,4,1,3,7,0', ['open is 0, not above 0', 'low 1 is above open 0']],
    ['2,4,0,3,7,0', ['low is 0, not above 0']],
    ['-2,4,1,3,7,0', ['open is -2, not above 0', 'low 1 is above open -2']],
    ['2,4,1,3,-1,0', ['volume is -1, less than 0']],
    ['2,4,1,3,7,-0.5', ['spread is -0.5, less than 0']],
    ['5,4,1,3,7,0', ['high 4 is below open 5']],
    ['2,4,1,5,7,0', ['high 4 is below close 5']],
    ['5,4,1,5,7,0', ['high 4 is below open 5']],
    ['2,4,2.5,3,7,0', ['low 2.5 is above open 2']],
    ['3,4,2.5,2,7,0', ['low 2.5 is above close 2']],
    ['3,2,4,3,7,0', ['high 2 is below open 3', 'low 4 is above open 3', 'high 2 is below low 4']],
    [',4,1,3,7,0', ['open is empty']],
    ['2,x,1,3,7,0', ['high "x" is not a number']],
    ['2,4,NaN,3,7,0', ['low "NaN" is not a finite number']],
    ['2,4,1,-inf,7,0', ['close "-inf" is not a finite number']],
    ['2,4,1,1e999,7,0', ['close "1e999" is not a finite number']],
    ['2,4,1,3,1 000,0', ['volume "1 000" is not a number']],
    [`2,4,1,3,7,${'y'.repeat(50)}`, [`spread "${'y'.repeat(40)}" is not a number`]],
    ['2,4,1,3,,', ['volume is empty', 'spread is empty']],
    ['2,2,2,2,0,0', []],
    ['1,4,1,4,7,0', []],
    ['4,4,1,1,7,0', []],
  ])('are checked: %s', (cells, faults) => {
    expect(faultsIn(cells)).toEqual(faults);
  });

  it('may not have thousands separators', () => {
    const line = ['2020-01-15', '2', '4', '1', '3', '1,234,567.5', '0'];
    const rows = {
      number: Float64Array.of(2),
      cells: Float64Array.of(7),
      time: ['2020-01-15'],
      symbol: [],
      values: [2, 4, 1, 3, Number.NaN, 0].map((value) => Float64Array.of(value)),
      odd: new Map([[2, line]]),
    };
    const { faults } = validateRows(
      'x.csv',
      { header: HEADER, unit: 'line' } as unknown as Table,
      PLAN,
      rows,
      {},
      () => 'X',
    );
    expect(faults.map(({ message }) => message)).toEqual([
      'volume "1,234,567.5" has thousands separators; write it without',
    ]);
  });

  it('need a cell for each column, a symbol and a date', () => {
    expect(
      faultsOf([
        '2020-01-13,2',
        ',2,4,1,3,7,0',
        'soon,2,4,1,3,7,0',
        '2020-02-30,2,4,1,3,7,0',
        '20200230,2,4,1,3,7,0',
        '2020-01-15,2,4,1,3,7,0,9',
      ]),
    ).toEqual([
      'x.csv line 2: has 2 cells where the header has 7',
      'x.csv line 3: the date is empty',
      'x.csv line 4: "soon" is not a date that can be read',
      'x.csv line 5: "2020-02-30" is not a date of the calendar',
      'x.csv line 6: "20200230" is not a date of the calendar',
      'x.csv line 7: has 8 cells where the header has 7',
    ]);
    expect(faultsOf(['2020-01-13', '2020-01-14,2,4,1,3,7,0'], { symbols: ['X', ''], unit: 'row' })).toEqual([
      'x.csv row 2: has 1 cell where the header has 7',
      'x.csv row 3: the symbol is empty',
    ]);
    expect(faultsOf([`${'z'.repeat(50)},2,4,1,3,7,0`])).toEqual([
      `x.csv line 2: "${'z'.repeat(40)}" is not a date that can be read`,
    ]);
  });

  it('are not checked if their symbol is not wanted', () => {
    const { series, faults } = validated(['x', '2020-01-14,0,0,0,0,0,0'], {
      symbols: [undefined, undefined],
    });
    expect([series, faults]).toEqual([[], []]);
  });

  it('without values are omitted on request, unless another cell is wrong', () => {
    const gaps = ['', 'null', 'None', 'NaN', 'n/a', 'NA', '-'];
    const lines = gaps.map((gap, day) => `2020-01-${day + 10},2,4,1,${gap},${gap},0`);
    const whole = '2020-01-20,2,4,1,3,7,0';
    const found = validated([...lines, whole], { rules: { allowGaps: true } });
    expect(found.faults).toEqual([]);
    expect(found.series[0]!.time).toEqual(Float64Array.of(at('2020-01-20T00:00')));
    expect(found.adjustments).toEqual(['x.csv: omitted 7 rows without a value (line 2, 3, 4, 5, 6, 7, 8)']);
    expect(validated([lines[0]!, whole], { rules: { allowGaps: true } }).adjustments).toEqual([
      'x.csv: omitted 1 row without a value (line 2)',
    ]);
    const many = Array.from({ length: 11 }, (_, day) => `2020-01-${day + 10},,4,1,3,7,0`);
    const omitted = (rows: readonly string[]) => validated(rows, { rules: { allowGaps: true } }).adjustments;
    expect(omitted(many)).toEqual([
      'x.csv: omitted 11 rows without a value (line 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, …)',
    ]);
    expect(omitted(many.slice(1))[0]).toContain('(line 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)');
    expect(faultsOf(['2020-01-15,,x,1,3,7,0'], { rules: { allowGaps: true } })).toEqual([
      'x.csv line 2: open is empty',
      'x.csv line 2: high "x" is not a number',
    ]);
    expect(faultsOf(['2020-01-15,,4,1,3,7,0'])).toEqual(['x.csv line 2: open is empty']);
  });
});

describe('the order of rows', () => {
  const dated = (...dates: string[]): string[] => dates.map((date, index) => `${date},2,4,1,3,${index},0`);

  it('is by time, and each row that is not later is reported', () => {
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

  it('is made on request, for each symbol that needs it', () => {
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

  it('must show the order of day and month, or it is given', () => {
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
      'x.csv line 2: is the bar of the whole day: its open, high, low and close are those of the 5 bars behind it (leave such rows out: a series has bars of one length)',
    ]);
    expect(validated([day, ...hours]).series).toEqual([]);
  });
});
