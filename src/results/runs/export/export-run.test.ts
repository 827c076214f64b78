import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openTrade, runRecord } from '../../../../test/support/records.ts';
import { parseInstant } from '../../../kernel/index.ts';
import { sqlPath } from '../../../market/index.ts';
import { openMemory } from './duckdb.ts';
import { RUN_TABLES, type RunTableName, runTable } from './run-tables.ts';
import { exportRun } from './stored-table.ts';

const base = mkdtempSync(join(tmpdir(), 'sandtable-export-'));
afterAll(() => rmSync(base, { recursive: true }));

const HOSTILE = `=cmd|' /C calc'!A0,"<b>'; DROP TABLE trades; --\n`;

const record = runRecord({
  cash: '100.005',
  equity: ['100.005', '110.123456789012345678', '-0.5'],
  dates: ['2024-01-01', '2024-01-02T09:30:00', '2024-01-03'],
  exposure: [0, 0.1, null],
  symbols: [HOSTILE],
  trades: [
    { netPnl: '-12345678901234567890.12', symbol: HOSTILE, exitReason: 'it\'s "over"', entryPrice: '0.1' },
    { netPnl: '0.000000001', commission: '3' },
  ],
  openTrades: [openTrade({ symbol: '007' })],
  fills: [
    { quantity: '0.1', price: '10', orderId: 1, ambiguous: true, gainIfOther: '2.5' },
    { quantity: '1', price: '12', orderId: 2, reason: HOSTILE, detailTime: '2024-01-02T10:00:00' },
  ],
  events: [
    {
      type: 'order_accepted',
      bar: 0,
      orderId: 1,
      symbol: 'AAA',
      action: 'buy',
      orderType: 'limit',
      quantity: '0.4',
    },
    {
      type: 'order_accepted',
      bar: 0,
      orderId: 2,
      symbol: 'AAA',
      action: 'buy',
      orderType: 'market',
      quantity: '1',
    },
    { type: 'order_accepted', bar: 0, orderId: 3, symbol: 'AAA', action: 'sell', orderType: 'stop' },
    { type: 'order_accepted', bar: 1, orderId: 4, symbol: 'AAA', action: 'sell', orderType: 'limit' },
    { type: 'order_cancelled', bar: 2, orderId: 3, symbol: 'AAA', code: 'expired', message: 'it expired' },
    { type: 'order_cancelled', bar: 2, orderId: 1, symbol: 'AAA', code: 'expired', message: 'it expired' },
    {
      type: 'order_rejected',
      bar: 1,
      orderId: null,
      symbol: null,
      action: 'buy',
      code: 'no_cash',
      message: HOSTILE,
      remedy: 'less',
    },
    {
      type: 'features_known',
      bar: 1,
      rows: [
        {
          symbol: 'AAA',
          date: '2024-01-01',
          availableAt: '2024-01-02T10:00:00',
          values: { sentiment: 0.25, headline: HOSTILE, surprising: true, missing: null },
        },
      ],
    },
  ],
});

/** Removes trailing zeros, which DuckDB adds to exact numbers. */
function plain(text: string): string {
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

async function readBack(file: string): Promise<{ types: string[]; rows: unknown[][] }> {
  const { connection, close } = await openMemory();
  try {
    const reader = await connection.runAndReadAll(`SELECT * FROM read_parquet(${sqlPath(file)})`);
    return { types: reader.columnTypes().map(String), rows: reader.getRowsJson() };
  } finally {
    close();
  }
}

describe('an export as Parquet', () => {
  const folder = join(base, `it's [a] "folder" *`);

  it.each(RUN_TABLES)('contains %s with the values of the journal', async (name: RunTableName) => {
    const [file = ''] = await exportRun(record, { folder, format: 'parquet', tables: [name] });
    const { types, rows } = await readBack(file);
    const { columns, rows: own } = runTable(record, name);
    expect(rows.length).toBe(own.length);
    expect(own.length).toBeGreaterThan(0);
    for (const [row, cells] of own.entries()) {
      for (const [column, [header, type]] of columns.entries()) {
        const [cell, back] = [cells[column], rows[row]?.[column]];
        const where = `${header} of row ${row}`;
        if (cell === null) expect(back, where).toBe(null);
        else if (type === 'exact') expect(plain(String(back)), where).toBe(plain(String(cell)));
        else if (type === 'instant')
          expect(Date.parse(String(back).replace('+00', 'Z')), where).toBe(parseInstant(String(cell)));
        else if (type === 'integer') expect(Number(back), where).toBe(cell);
        else expect(back, where).toEqual(cell);
      }
    }
    for (const [column, [, type]] of columns.entries()) {
      if (type === 'instant') expect(types[column]).toBe('TIMESTAMP WITH TIME ZONE');
      if (type === 'exact') expect(types[column]).toMatch(/^DECIMAL\(38,\d+\)$/);
    }
  });

  it('leaves no temporary files', () => {
    expect(readdirSync(folder).sort()).toEqual(RUN_TABLES.map((name) => `${name}.parquet`).sort());
  });

  it('stores amounts beyond DECIMAL as text', async () => {
    const wide = runRecord({ equity: [`1${'0'.repeat(30)}`, `0.${'1'.repeat(20)}`] });
    const [file = ''] = await exportRun(wide, {
      folder: join(base, 'wide'),
      format: 'parquet',
      tables: ['equity'],
    });
    const { types, rows } = await readBack(file);
    expect(types[3]).toBe('VARCHAR');
    expect(rows.map((row) => row[3])).toEqual([`1${'0'.repeat(30)}`, `0.${'1'.repeat(20)}`]);
  });
});

describe('an export as CSV', () => {
  it('has every decimal, and no cell that a spreadsheet would execute', async () => {
    const folder = join(base, 'csv');
    const files = await exportRun(record, { folder, format: 'csv' });
    expect(files).toEqual(RUN_TABLES.map((name) => join(folder, `${name}.csv`)));
    const trades = readFileSync(join(folder, 'trades.csv'), 'utf8');
    expect(trades).toContain('-12345678901234567890.12');
    expect(trades).toContain(`"'=cmd|`);
    expect(readFileSync(join(folder, 'equity.csv'), 'utf8')).toContain('110.123456789012345678');
  });

  it('reports the outcome of each order', () => {
    const { columns, rows } = runTable(record, 'orders');
    const at = (name: string): number => columns.findIndex(([column]) => column === name);
    expect(
      rows.map((row) => ['orderId', 'status', 'filledQuantity', 'endCode'].map((name) => row[at(name)])),
    ).toEqual([
      [1, 'partly_filled', '0.1', 'expired'],
      [2, 'filled', '1', null],
      [3, 'cancelled', '0', 'expired'],
      [4, 'resting', '0', null],
      [null, 'refused', '0', 'no_cash'],
    ]);
  });

  it('overwrites files only on request', async () => {
    const folder = join(base, 'twice');
    await exportRun(record, { folder, format: 'csv', tables: ['fills'] });
    await expect(exportRun(record, { folder, format: 'csv' })).rejects.toMatchObject({
      code: 'export_exists',
    });
    expect(existsSync(join(folder, 'trades.csv'))).toBe(false);
    expect(await exportRun(record, { folder, format: 'csv', overwrite: true })).toHaveLength(
      RUN_TABLES.length,
    );
  });

  it('reports a folder that cannot be written', async () => {
    const folder = join(base, 'csv', 'trades.csv', 'below-a-file');
    await expect(exportRun(record, { folder, format: 'csv' })).rejects.toMatchObject({
      code: 'run_folder_unwritable',
    });
  });
});
