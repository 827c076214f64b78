import { expect, it } from 'vitest';
import { Sheet } from './sheet.ts';

const COLUMNS = { symbol: ['ticker'], from: [], to: [] } as const;

function sheetOf(header: readonly string[], rows: readonly (readonly string[])[] = [['A', '1', '2']]) {
  return new Sheet(
    'u.csv',
    {
      header,
      rows: rows.map((cells, at) => ({ number: at + 2, cells })),
      whereOf: (number) => `u.csv line ${number}`,
    } as ConstructorParameters<typeof Sheet>[1],
    { columns: COLUMNS, needed: ['symbol'] },
  );
}

const messages = (sheet: { readonly faults: readonly { readonly message: string }[] }): string[] =>
  sheet.faults.map(({ message }) => message);

it('reports the faults of a header from left to right: missing, unknown, unnamed and duplicate columns', () => {
  expect(messages(sheetOf(['form', 'to', '', 'To', 'weight'], []))).toEqual([
    'no column "symbol" among "form", "to", "", "To", "weight"',
    'unknown column "form"',
    'column 3 has no name',
    'columns "to" and "To" are both to',
    'unknown column "weight"',
  ]);
  expect(sheetOf(['symbols', 'from date'], []).faults.map(({ hint }) => hint)).toEqual([
    undefined,
    'did you mean "symbol"? Known columns: symbol, from, to',
    'did you mean "from"? Known columns: symbol, from, to',
  ]);
});

it('reads cells by column, and reports rows with another number of cells', () => {
  const sheet = sheetOf(['ticker', 'To'], [['A', ' 5 '], ['B'], ['C', '6', '7']]);
  expect([sheet.isReadable, sheet.length, sheet.has('to'), sheet.has('from')]).toEqual([
    true,
    1,
    true,
    false,
  ]);
  expect([sheet.text(0, 'symbol'), sheet.cell(0, 'to'), sheet.text(0, 'to'), sheet.text(0, 'from')]).toEqual([
    'A',
    ' 5 ',
    '5',
    '',
  ]);
  expect(sheet.where(0)).toBe('u.csv line 2');
  expect(sheet.faults).toEqual([
    { where: 'u.csv line 3', message: 'has 1 cell where the header has 2' },
    { where: 'u.csv line 4', message: 'has 3 cells where the header has 2' },
  ]);
  expect(messages(sheetOf(['symbol'], []))).toEqual(['the file has no row']);
});
