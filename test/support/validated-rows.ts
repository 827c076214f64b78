import type { BarRows } from '../../src/market/reading/bar-rows.ts';
import type { ColumnPlan } from '../../src/market/reading/headers.ts';
import type { Table } from '../../src/market/reading/table.ts';
import { type FileBars, type RowRules, validateRows } from '../../src/market/reading/validate.ts';

export const HEADER = ['date', 'open', 'high', 'low', 'close', 'volume', 'spread'];
export const PLAN: ColumnPlan = {
  time: 0,
  prices: [1, 2, 3, 4],
  volume: 5,
  extra: [{ name: 'spread', position: 6 }],
};
/** Returns the number that DuckDB reads from a cell, or NaN for any other text. */
const numberOf = (cell: string): number =>
  /^[+-]?[\d.]+$/.test(cell.trim()) && Number.isFinite(Number(cell)) ? Number(cell) : Number.NaN;

interface Given {
  readonly rules?: RowRules;
  readonly symbols?: readonly (string | undefined)[];
  readonly unit?: 'line' | 'row';
  readonly plan?: ColumnPlan;
}

/** Validates lines such as `2020-01-15,2,4,1,3,7,0`. The first line has the number 2. */
export function validated(
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

/** Returns the faults of lines, with their places and hints. */
export const faultsOf = (lines: readonly string[], given?: Given): string[] =>
  validated(lines, given).faults.map(
    ({ where, message, hint }) => `${where}: ${message}${hint === undefined ? '' : ` (${hint})`}`,
  );
