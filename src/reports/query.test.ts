import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunEvent } from '../engine/index.ts';
import type { RunRecord } from '../journal/index.ts';
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
      fills: [{ quantity: '1', price: '10' }],
      trades: [{ netPnl: String(last - 100), symbol: '007', exitReason: 'a, "b"' }],
    });
    const run = join(folder, runId);
    mkdirSync(run);
    const lines = runId === 'two' ? [] : eventsOf(record).map((event) => JSON.stringify(event));
    writeFileSync(join(run, 'journal.jsonl'), lines.map((line) => `${line}\n`).join(''));
    writeFileSync(join(run, 'summary.json'), JSON.stringify(summarise(record, { runId })));
    writeFileSync(join(run, 'equity.csv'), equityCsv(record));
    writeFileSync(join(run, 'trades.csv'), tradesCsv(record));
  }
});

/** A record's events, for a journal. */
function eventsOf({ started, fills, trades, bars }: RunRecord): RunEvent[] {
  const finished = { outcome: 'completed', bars: bars.length, openTrades: [], commissionPaid: '0' } as const;
  return [started, ...fills, ...trades, ...bars, { type: 'run_finished', ...finished }];
}

afterAll(() => rmSync(folder, { recursive: true }));

describe('a query', () => {
  it('joins runs and their trades', async () => {
    const sql =
      'select runId, totalReturn > 0 as won, netPnl, exitReason from runs join trades using (runId) order by 1';
    expect(await queryRuns(folder, sql)).toEqual({
      notes: [],
      columns: ['runId', 'won', 'netPnl', 'exitReason'],
      rows: [
        ["it's-one", true, 10, 'a, "b"'],
        ['two', false, -10, 'a, "b"'],
      ],
    });
  });

  it.each([
    ['reads no file', "select * from read_csv('/etc/passwd')"],
    ['reads no text', "select * from read_text('/etc/passwd')"],
    ['reads no file by its name alone', "from '/etc/passwd'"],
    ['lists no folder', "select * from glob('/etc/*')"],
    ['guesses at no file', "select * from sniff_csv('/etc/passwd')"],
    ['reads nothing of the folder for what memory cannot hold', "from read_csv('.tmp/x.csv')"],
    ['asks no network', "select * from read_csv('http://127.0.0.1:1/x.csv')"],
    ['hides no write behind a read', "select 1; copy trades to 'stolen.csv'"],
    ['takes no lock off behind a read', 'select 1; set enable_external_access = true'],
    ['attaches nothing behind a read', "select 1; attach 'other.db'"],
    ['loads nothing behind a read', 'select 1; load httpfs'],
    ['exports nothing behind a read', "select 1; export database 'stolen'"],
    ['writes no file', "copy trades to 'stolen.csv'"],
    ['writes no file after a comment', "/* select */ copy trades to 'stolen.csv'"],
    ['takes no lock off', 'set enable_external_access = true'],
    ['loads nothing', "attach 'other.db'"],
    ['changes nothing', 'drop table trades'],
    ['is no empty text', ' '],
    ['says what is wrong', 'select nothing from nowhere'],
  ])('%s', async (_, sql) => {
    await expect(queryRuns(folder, sql)).rejects.toMatchObject({
      code: 'bad_query',
      remedy: expect.stringContaining('runs, equity, trades, fills, orders, decisions, metrics'),
    });
    expect(readdirSync('.').filter((name) => name.startsWith('stolen'))).toEqual([]);
  });

  it('counts in numbers, and pivots', async () => {
    expect((await queryRuns(folder, 'select count(*) as n, sum(id) as ids from trades')).rows).toEqual([
      [2, 2],
    ]);
    const pivoted = await queryRuns(folder, 'pivot trades on runId using sum(netPnl) group by symbol');
    expect(pivoted.rows).toEqual([['007', 10, -10]]);
  });

  it('names the columns there are where one is not', async () => {
    await expect(queryRuns(folder, 'select profit from trades')).rejects.toMatchObject({
      remedy: expect.stringMatching(/Columns of trades: runId, id, symbol, .*netPnl/),
    });
    await expect(queryRuns(folder, 'select price_ from fills')).rejects.toMatchObject({
      remedy: expect.stringContaining('Columns of fills: runId, bar, date, orderId,'),
    });
  });

  it('reads journals for fills, orders, decisions and metrics, and says which it could not', async () => {
    const fills = await queryRuns(folder, 'select runId, price from fills');
    expect(fills.rows).toEqual([["it's-one", 10]]);
    expect(fills.notes).toEqual([expect.stringContaining('two: left out of fills')]);
    const { rows } = await queryRuns(
      folder,
      "select figure, round(value, 2) from metrics where figure = 'totalReturn'",
    );
    expect(rows).toEqual([['totalReturn', 0.1]]);
    for (const table of ['orders', 'decisions'])
      expect((await queryRuns(folder, `describe ${table}`)).rows.length).toBeGreaterThan(5);
  });

  it('reads folders of any name, and leaves out runs without a summary, saying so', async () => {
    const odd = join(folder, `odd [a] * 'b' "c"`);
    const record = runRecord({ equity: [100, 101] });
    for (const name of ['x[1]', 'killed']) {
      mkdirSync(join(odd, name), { recursive: true });
      writeFileSync(join(odd, name, 'journal.jsonl'), '');
      if (name === 'killed') continue;
      writeFileSync(join(odd, name, 'summary.json'), JSON.stringify(summarise(record, { runId: name })));
      writeFileSync(join(odd, name, 'equity.csv'), equityCsv(record));
    }
    const { rows, notes } = await queryRuns(odd, 'select runId, equity from equity join runs using (runId)');
    expect(rows).toEqual([
      ['x[1]', 100],
      ['x[1]', 101],
    ]);
    expect(notes).toEqual([expect.stringContaining('killed: left out')]);
    expect((await queryRuns(odd, 'select * from trades')).rows).toEqual([]);
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
    expect(textTable(['long'], [['x'.repeat(70)]], style).split('\n')[1]).toBe(`${'x'.repeat(13)}…`);
  });
});
