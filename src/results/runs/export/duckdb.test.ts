import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { rejectionOf } from '../../../../test/support/error-of.ts';
import { limitedRead, QUERY_LIMITS } from '../query/query-limits.ts';
import { exactTypes, fillTable, openMemory, QUERY_TYPES } from './duckdb.ts';
import type { RunTable } from './run-tables.ts';
import { exportTable, loadTable, writeParquet } from './stored-table.ts';

const root = mkdtempSync(join(tmpdir(), 'sandtable-duckdb-'));
afterAll(() => rmSync(root, { recursive: true }));

describe('the column types of an export', () => {
  const typeOf = (...cells: (string | null)[]) => {
    const columns = [
      ['id', 'integer'],
      ['amount', 'exact'],
    ] as const;
    return exactTypes({ name: 'fills', columns, rows: cells.map((cell) => [1, cell]) })('amount', 'exact');
  };

  it('have the decimal places that a column needs, at least two', () => {
    expect(typeOf()).toBe('DECIMAL(38, 2)');
    expect(typeOf('5', null)).toBe('DECIMAL(38, 2)');
    expect(typeOf('1.25', '-3.12345', '7')).toBe('DECIMAL(38, 5)');
  });

  it('are text for numbers with more than 38 digits', () => {
    expect(typeOf(`-${'9'.repeat(30)}.${'1'.repeat(8)}`)).toBe('DECIMAL(38, 8)');
    expect(typeOf('9'.repeat(30), `0.${'1'.repeat(9)}`)).toBe('VARCHAR');
    expect(typeOf('9'.repeat(36))).toBe('DECIMAL(38, 2)');
    expect(typeOf('9'.repeat(37))).toBe('VARCHAR');
  });

  it('of other values are the same as in queries, except for instants', () => {
    const types = exactTypes({ name: 'fills', columns: [], rows: [] });
    expect(
      (['integer', 'number', 'text', 'boolean', 'instant'] as const).map((type) => types('x', type)),
    ).toEqual([...['BIGINT', 'DOUBLE', 'VARCHAR', 'BOOLEAN', 'TIMESTAMP WITH TIME ZONE']]);
    expect([QUERY_TYPES('x', 'exact'), QUERY_TYPES('x', 'instant')]).toEqual(['DOUBLE', 'TIMESTAMP']);
  });
});

describe('a table in memory', () => {
  const columns: RunTable['columns'] = [
    ...(['integer', 'number', 'exact', 'instant', 'text', 'boolean'] as const).map(
      (type) => [type, type] as const,
    ),
  ];
  const rows = [
    [7, 0.5, '-12.5', '2024-01-02T09:30:00', "it's", true],
    [null, null, null, null, null, null],
    [-1, -2, '0.125', '1969-12-31', '', false],
  ];

  it('contains the values of its rows after the id of the run', async () => {
    const { connection, close } = await openMemory();
    const all = async (sql: string) => (await connection.runAndReadAll(sql)).getRowsJson();
    await fillTable(connection, { name: 'own "table"', columns, rows }, QUERY_TYPES, 'r1');
    await fillTable(connection, { name: 'own "table"', columns, rows: [] }, QUERY_TYPES, 'r3');
    await fillTable(connection, { name: 'own "table"', columns, rows: rows.slice(0, 1) }, QUERY_TYPES, 'r2');
    expect(await all('select * from "own ""table"""')).toEqual([
      ['r1', '7', 0.5, -12.5, '2024-01-02 09:30:00', "it's", true],
      ['r1', null, null, null, null, null, null],
      ['r1', '-1', -2, 0.125, '1969-12-31 00:00:00', '', false],
      ['r2', '7', 0.5, -12.5, '2024-01-02 09:30:00', "it's", true],
    ]);
    const types = exactTypes({ name: 'fills', columns, rows });
    await fillTable(connection, { name: 'exact', columns, rows }, types);
    expect(await all('select exact, instant from exact')).toEqual([
      ['-12.500', '2024-01-02 09:30:00+00'],
      [null, null],
      ['0.125', '1969-12-31 00:00:00+00'],
    ]);
    close();
  });

  it('is exported only once, and is loaded with the ids of its run', async () => {
    const file = join(root, 'worlds.parquet');
    await writeParquet(file, { columns: [['n', 'integer']], rows: [[1], [2]] });
    const missing = { code: 'no_run', message: 'm', hint: 'h' } as const;
    const where = { folder: join(root, 'out'), format: 'parquet' } as const;
    expect(await exportTable(file, where, missing)).toBe(join(root, 'out', 'worlds.parquet'));
    expect((await rejectionOf(exportTable(file, where, missing))).code).toBe('export_exists');
    expect((await rejectionOf(exportTable(join(root, 'x'), where, missing))).message).toBe('m');
    const { connection, close } = await openMemory();
    const table = { name: 't', ids: ['id', 'kind'], empty: 'n BIGINT' };
    const sources = [
      { file, ids: ['a', "it's"] },
      { file: join(root, 'gone.parquet'), ids: ['b', 'k'] },
      { file: join(root, 'out', 'worlds.parquet'), ids: ['c', 'k'] },
    ];
    await loadTable(connection, table, sources);
    await loadTable(connection, { ...table, name: 'none' }, sources.slice(1, 2));
    const all = async (sql: string) => (await connection.runAndReadAll(sql)).getRowsJson();
    expect(await all('select * from t order by 1, n')).toEqual([
      ['a', "it's", '1'],
      ['a', "it's", '2'],
      ['c', 'k', '1'],
      ['c', 'k', '2'],
    ]);
    expect(await all('select column_name from (describe none)')).toEqual([['id'], ['kind'], ['n']]);
    close();
  });
});

describe('a query with limits', () => {
  const read = async (sql: string, megabytes = 1) => {
    const { connection, close } = await openMemory();
    try {
      return await limitedRead(connection, sql, { seconds: 30, megabytes });
    } finally {
      close();
    }
  };

  it('counts 64 bytes per row, 32 per value and 2 per character', async () => {
    expect(QUERY_LIMITS).toEqual({ seconds: 30, megabytes: 1024 });
    // A row with one number has 96 bytes. 10,922 rows have 1,048,512 bytes, which is 64 less than 1 MB.
    expect((await read('select range::int from range(10922)')).rows).toHaveLength(10_922);
    expect((await rejectionOf(read('select range::int from range(10923)'))).code).toBe('query_memory');
    // A row with a text of n characters has 96 + 2 n bytes.
    const text = (count: number) => `select repeat('x', ${count}) as t`;
    expect((await read(text((1024 ** 2 - 96) / 2))).columns).toEqual(['t']);
    expect((await rejectionOf(read(text((1024 ** 2 - 96) / 2 + 1)))).message).toContain('larger than 1 MB');
    // A list has 32 bytes itself and 32 bytes per number.
    const list = (count: number) => `select list(range::int) from range(${count})`;
    expect((await read(list((1024 ** 2 - 96) / 32))).rows).toHaveLength(1);
    expect((await rejectionOf(read(list((1024 ** 2 - 96) / 32 + 1)))).code).toBe('query_memory');
  });

  it('must be a single read-only statement', async () => {
    const refusal = async (sql: string) => {
      const { message } = await read(sql).then(
        () => ({ message: '' }),
        (error: Error) => error,
      );
      return message;
    };
    const file = join(root, 'x.csv');
    writeFileSync(file, '');
    expect(await refusal('-- text\n /* more */ select 1')).toBe('');
    expect(await refusal('select 1; select 2')).toBe('it contains more than one statement.');
    expect(await refusal('create table a (b int)')).toBe('it does not begin with a read-only statement.');
    expect(await refusal('explain select 1')).toBe('');
    const fault = 'explain requires a read-only statement, without analyze.';
    expect(await refusal('explain analyze select 1')).toBe(fault);
    expect(await refusal('explain create table a (b int)')).toBe(fault);
    expect(await refusal('with a as (select 1) insert into a values (1)')).not.toBe('');
    expect(await refusal("pivot (select 1 as a, 'x' as b) on b using sum(a)")).toBe('');
  });
});
