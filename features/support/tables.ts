import assert from 'node:assert/strict';
import type { DataTable } from '@cucumber/cucumber';
import { parseInstant } from '../../src/kernel/index.ts';
import { type Bar, type BarSeries, barSeries } from '../../src/market/index.ts';

type Row = Readonly<Record<string, string>>;

function rowsOf(table: DataTable): Row[] {
  return table.hashes();
}

/** Returns the instant of a date cell. */
export function instantOf(text: string): number {
  const instant = parseInstant(text);
  assert.ok(instant !== undefined, `"${text}" is no date`);
  return instant;
}

/** Returns the bars in a table: `| date | open | high | low | close | volume |`. */
export function candles(symbol: string, table: DataTable): BarSeries {
  const bars = rowsOf(table).map((row): Bar => {
    const number = (column: string): number => {
      const value = Number(row[column]);
      assert.ok(Number.isFinite(value), `the candle of ${row.date} has no ${column}`);
      return value;
    };
    return {
      time: instantOf(row.date ?? ''),
      open: number('open'),
      high: number('high'),
      low: number('low'),
      close: number('close'),
      volume: number('volume'),
    };
  });
  return barSeries(symbol, bars);
}

/** Asserts that the rows equal the table, in the table's columns. Cells are compared as text. */
export function assertRows(actual: readonly Readonly<Record<string, unknown>>[], table: DataTable): void {
  const [columns = []] = table.raw();
  const texts = actual.map((row) =>
    Object.fromEntries(
      columns.map((column) => {
        assert.ok(column in row, `there is no column "${column}"; there are ${Object.keys(row).join(', ')}`);
        return [column, String(row[column] ?? '')];
      }),
    ),
  );
  assert.deepEqual(texts, rowsOf(table));
}

/** Parses CSV without quoted cells. Rows are objects with the names of the header. */
export function csvRows(text: string): { readonly header: string; readonly rows: Row[] } {
  const [header = '', ...lines] = text.trimEnd().split('\n');
  const columns = header.split(',');
  const rows = lines.map((line) => {
    const cells = line.split(',');
    assert.equal(cells.length, columns.length, `"${line}" has another number of cells than its header`);
    return Object.fromEntries(columns.map((column, index) => [column, cells[index] ?? '']));
  });
  return { header, rows };
}
