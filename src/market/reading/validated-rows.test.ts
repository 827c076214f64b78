import { describe, expect, it } from 'vitest';
import { faultsOf, HEADER, PLAN, validated } from '../../../test/support/validated-rows.ts';
import { DAY } from '../../kernel/index.ts';
import type { Table } from './table.ts';
import { validateRows } from './validate.ts';

const at = (text: string): number => Date.parse(`${text}Z`);

/** Returns the faults of one row, without the place. */
const faultsIn = (cells: string): string[] =>
  faultsOf([`2020-01-15,${cells}`]).map((text) => text.replace('x.csv line 2: ', ''));

describe('rows of bars', () => {
  it('become one series per symbol, in the order of their first rows', () => {
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
    ['2,4,1,3,1\u00a0000,0', ['volume "1\u00a0000" is not a number: it contains the character U+00A0']],
    ['2,4,1,3,1\u202f000,0', ['volume "1\u202f000" is not a number: it contains the character U+202F']],
    [`2,4,1,3,7,${'y'.repeat(50)}`, [`spread "${'y'.repeat(40)}" is not a number`]],
    ['2,4,1,3,,', ['volume is empty', 'spread is empty']],
    ['2,2,2,2,0,0', []],
    ['1,4,1,4,7,0', []],
    ['4,4,1,1,7,0', []],
  ])('with the cells %s have the faults %j', (cells, faults) => {
    expect(faultsIn(cells)).toEqual(faults);
  });

  it('are refused with thousands separators', () => {
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

  it('with an empty cell are omitted on request, unless another cell is wrong', () => {
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
