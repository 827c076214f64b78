import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { queryRuns } from './query.ts';
import { summarise } from './summary.ts';
import { equityCsv, tradesCsv } from './tables.ts';
import { runRecord } from './test-records.ts';
import { textTable } from './text-table.ts';

const folder = mkdtempSync(join(tmpdir(), 'sandtable-query-'));

beforeAll(() => {
  for (const [runId, last] of [
    ["it's-one", 110],
    ['two', 90],
  ] as const) {
    const record = runRecord({
      equity: [100, last],
      trades: [{ netPnl: String(last - 100), symbol: '007', exitReason: 'a, "b"' }],
    });
    const run = join(folder, runId);
    mkdirSync(run);
    writeFileSync(join(run, 'journal.jsonl'), '');
    writeFileSync(join(run, 'summary.json'), JSON.stringify(summarise(record, { runId })));
    writeFileSync(join(run, 'equity.csv'), equityCsv(record));
    writeFileSync(join(run, 'trades.csv'), tradesCsv(record));
  }
});

afterAll(() => rmSync(folder, { recursive: true }));

describe('a query', () => {
  it('joins runs and their trades', async () => {
    const sql =
      'select runId, totalReturn > 0 as won, netPnl, exitReason from runs join trades using (runId) order by 1';
    expect(await queryRuns(folder, sql)).toEqual({
      columns: ['runId', 'won', 'netPnl', 'exitReason'],
      rows: [
        ["it's-one", true, 10, 'a, "b"'],
        ['two', false, -10, 'a, "b"'],
      ],
    });
  });

  it.each([
    ['reads no file', "select * from read_csv('/etc/passwd')"],
    ['writes no file', "copy trades to 'stolen.csv'"],
    ['takes no lock off', 'set enable_external_access = true'],
    ['loads nothing', "attach 'other.db'"],
    ['says what is wrong', 'select nothing from nowhere'],
  ])('%s', async (_, sql) => {
    await expect(queryRuns(folder, sql)).rejects.toMatchObject({
      code: 'bad_query',
      remedy: expect.stringContaining('runs, equity, trades'),
    });
  });

  it('wants a folder with runs', async () => {
    await expect(queryRuns(join(folder, 'two'), 'select 1')).rejects.toMatchObject({ code: 'no_run' });
    await expect(queryRuns(join(folder, 'nowhere'), 'select 1')).rejects.toMatchObject({
      code: 'no_reports',
    });
  });
});

describe('a table of rows', () => {
  it('puts numbers to the right and fits the width', () => {
    const style = { width: 14, colour: false, ascii: false };
    expect(
      textTable(
        ['name', 'n'],
        [
          ['a', 1],
          ['bcd', 22],
          [null, null],
        ],
        style,
      ),
    ).toBe(['name   n', 'a      1', 'bcd   22', '–      –', '3 rows'].join('\n'));
    expect(textTable(['long'], [['x'.repeat(60)]], style).split('\n')[1]).toBe(`${'x'.repeat(13)}…`);
  });
});
