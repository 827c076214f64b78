import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runRecord } from '../../../../test/support/records.ts';
import type { RunEvent } from '../../../engine/index.ts';
import type { RunRecord } from '../../../journal/index.ts';
import { countedTable } from '../../../kernel/index.ts';
import { summarise } from '../../analysis/index.ts';
import { equityCsv, tradesCsv } from '../export/run-csv.ts';
import { sha256OfFile } from '../files.ts';
import { queryRuns } from './query.ts';

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
    writeRun(run, record);
  }
});

/** Writes the files of a finished run that `queryRuns` reads. */
function writeRun(run: string, record: RunRecord, events = eventsOf(record)): void {
  mkdirSync(run, { recursive: true });
  const journal = join(run, 'journal.jsonl');
  writeFileSync(journal, events.map((event) => `${JSON.stringify(event)}\n`).join(''));
  writeFileSync(join(run, 'summary.json'), JSON.stringify(summarise(record, { runId: basename(run) })));
  writeFileSync(join(run, 'equity.csv'), equityCsv(record));
  writeFileSync(join(run, 'trades.csv'), tradesCsv(record));
  writeFileSync(join(run, 'manifest.json'), JSON.stringify({ journal: { sha256: sha256OfFile(journal) } }));
}

/** Returns the events of a record, for a journal. */
function eventsOf({ started, fills, trades, bars }: RunRecord): RunEvent[] {
  const finished = { outcome: 'completed', bars: bars.length, openTrades: [], commissionPaid: '0' } as const;
  return [started, ...fills, ...trades, ...bars, { type: 'run_finished', ...finished }];
}

afterAll(() => rmSync(folder, { recursive: true }));

describe('an expensive query', () => {
  it.each([
    [
      'never ends',
      'with recursive t as (select 1 as a union all select a + 1 from t) select count(*) from t',
      { seconds: 0.5, megabytes: 200 },
      'query_timeout',
      /longer than 0.5 s/,
    ],
    [
      'needs too much memory',
      "select string_agg(repeat('x', 1000000) || range, '') from range(3000)",
      { seconds: 60, megabytes: 200 },
      'query_memory',
      /needs more than 200 MB/,
    ],
    [
      'has too large an answer',
      'select * from range(1000000000)',
      { seconds: 60, megabytes: 32 },
      'query_memory',
      /result is larger than 32 MB/,
    ],
  ])('%s: it is stopped', async (_, sql, limits, code, message) => {
    await expect(queryRuns(folder, sql, limits)).rejects.toMatchObject({
      code,
      kind: 'run',
      message: expect.stringMatching(message) as unknown,
      hint: expect.stringContaining(code === 'query_timeout' ? '--timeout' : '--memory') as unknown,
    });
  });

  it('can have 200,000 rows in a table', async () => {
    const { columns, rows } = await queryRuns(folder, 'select range as n from range(200000)');
    const lines = countedTable(columns, rows, { width: 80, colour: false, ascii: false }).split('\n');
    expect([lines.length, lines.at(-1)]).toEqual([200_002, '200000 rows']);
  });
});

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

  it('has the parameters of each run as JSON, with any content', async () => {
    const reports = mkdtempSync(join(tmpdir(), 'sandtable-query-'));
    try {
      for (const [name, parameters] of [
        ["it's-one", { fast: 10, note: "it's" }],
        ['two', { fast: 30, symbols: ['A'] }],
      ] as const) {
        const run = join(reports, name);
        const record = runRecord({ equity: [100, 110] });
        writeRun(run, record);
        const manifest = JSON.parse(readFileSync(join(run, 'manifest.json'), 'utf8')) as object;
        writeFileSync(
          join(run, 'manifest.json'),
          JSON.stringify({ ...manifest, strategy: { name: 's', parameters } }),
        );
      }
      // A killed run has no summary, so its parameters are read from the journal.
      const killed = runRecord({ equity: [100, 110] });
      writeRun(join(reports, 'three'), killed, eventsOf(killed).slice(0, -1));
      rmSync(join(reports, 'three', 'summary.json'));
      const { rows } = await queryRuns(
        reports,
        "select runId, parameters->>'fast' as fast, parameters from runs order by runId",
      );
      expect(rows).toEqual([
        ["it's-one", '10', `{"fast":10,"note":"it's"}`],
        ['three', null, '{}'],
        ['two', '30', '{"fast":30,"symbols":["A"]}'],
      ]);
      const types = await queryRuns(reports, 'select distinct typeof(parameters) from runs');
      expect(types.rows).toEqual([['JSON']]);
    } finally {
      rmSync(reports, { recursive: true });
    }
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
    ['inserts nothing behind a with', 'with x as (select 1) insert into trades (id) select * from x'],
    ['deletes nothing behind a with', 'with x as (select 1) delete from trades returning *'],
    ['inserts nothing behind a pivot', 'with p as (pivot trades on id) insert into trades (id) select 1'],
    ['runs nothing to explain it', 'explain analyze delete from trades'],
    ['runs nothing to explain it, in other words', 'explain (analyze) delete from trades'],
    ['explains no change', 'explain delete from trades'],
    ['takes one statement', 'select 1; select 2'],
    ['takes one statement, a pivot too', 'pivot trades on id using sum(id); select 2'],
    ['drops nothing behind a read', 'select 1; drop table trades'],
    ['drops nothing behind a pivot', 'pivot trades on id using sum(id); drop table trades'],
    ['says what is wrong', 'select nothing from nowhere'],
  ])('%s', async (_, sql) => {
    await expect(queryRuns(folder, sql)).rejects.toMatchObject({
      code: 'bad_query',
      hint: expect.stringContaining('runs, equity, trades, fills, orders, decisions, metrics'),
    });
    expect(readdirSync('.').filter((name) => name.startsWith('stolen'))).toEqual([]);
  });

  it.each([
    [1, 'select 1;'],
    [1, '-- one ; two\nselect 1 /* ; */ -- ;'],
    [1, "select ';'"],
    [2, 'from runs'],
    [1, 'values (1)'],
    [1, '(select 1)'],
    [16, 'describe trades'],
    [14, 'show tables'],
    [2, 'table runs'],
    [16, 'summarize trades'],
    [1, 'explain select 1'],
    [1, 'EXPLAIN (FORMAT json) select 1'],
    [1, 'explain (select 1)'],
    [1, 'with p as (pivot trades on runId using sum(netPnl) group by symbol) from p'],
  ])('returns %i rows of %s', async (count, sql) => {
    expect((await queryRuns(folder, sql)).rows).toHaveLength(count);
  });

  it('reports why a statement is not a query', async () => {
    for (const [sql, why] of [
      ['select 1; select 2', 'contains more than one statement'],
      ['with x as (select 1) delete from trades', 'DELETE is not a read-only statement'],
      ['explain analyze select 1', 'without analyze'],
    ] as const)
      await expect(queryRuns(folder, sql)).rejects.toMatchObject({ message: expect.stringContaining(why) });
  });

  it('returns counts as numbers, and pivots', async () => {
    expect((await queryRuns(folder, 'select count(*) as n, sum(id) as ids from trades')).rows).toEqual([
      [2, 2],
    ]);
    const pivoted = await queryRuns(folder, 'pivot trades on runId using sum(netPnl) group by symbol');
    expect(pivoted.rows).toEqual([['007', 10, -10]]);
  });

  it('lists the available columns for an unknown one', async () => {
    await expect(queryRuns(folder, 'select profit from trades')).rejects.toMatchObject({
      hint: expect.stringMatching(/Columns of trades: runId, id, symbol, .*netPnl/),
    });
    await expect(queryRuns(folder, 'select price_ from fills')).rejects.toMatchObject({
      hint: expect.stringContaining('Columns of fills: runId, bar, date, orderId,'),
    });
  });

  it('reads journals for fills, orders, decisions and metrics', async () => {
    const fills = await queryRuns(folder, 'select runId, price from fills order by 1');
    expect(fills).toMatchObject({
      notes: [],
      rows: [
        ["it's-one", 10],
        ['two', 10],
      ],
    });
    const { rows } = await queryRuns(
      folder,
      "select figure, round(value, 2) from metrics where figure = 'totalReturn' order by runId",
    );
    expect(rows).toEqual([
      ['totalReturn', 0.1],
      ['totalReturn', -0.1],
    ]);
    for (const table of ['orders', 'decisions'])
      expect((await queryRuns(folder, `describe ${table}`)).rows.length).toBeGreaterThan(5);
  });

  it('reads folders of any name, and reports the runs whose journal cannot be read', async () => {
    const odd = join(folder, `odd [a] * 'b' "c"`);
    writeRun(join(odd, 'x[1]'), runRecord({ equity: [100, 101] }));
    writeRun(join(odd, 'empty'), runRecord({ equity: [100, 101] }), []);
    rmSync(join(odd, 'empty', 'summary.json'));
    const { rows, notes } = await queryRuns(odd, 'select runId, equity from equity join runs using (runId)');
    expect(rows).toEqual([
      ['x[1]', 100],
      ['x[1]', 101],
    ]);
    expect(notes).toEqual(['empty: skipped: The journal is empty: the run was killed before its start.']);
    expect((await queryRuns(odd, 'select * from trades')).rows).toEqual([]);
  });

  it('has the same bars of a damaged run in all tables, with a note', async () => {
    const reports = join(folder, 'damaged');
    const record = runRecord({ equity: [100, 110, 120, 130], trades: [{ netPnl: '30' }] });
    const { started, trades, bars } = record;
    writeRun(join(reports, 'run'), record, [started, ...bars, ...trades]);
    const journal = join(reports, 'run', 'journal.jsonl');
    const lines = readFileSync(journal, 'utf8').split('\n');
    lines[3] = 'garbage';
    writeFileSync(journal, lines.join('\n'));
    utimesSync(join(reports, 'run', 'manifest.json'), 1, 1);
    const counts =
      'select (select bars from runs), (select count(*) from equity), (select count(*) from trades)';
    for (const sql of [counts, `${counts}, (select count(*) - 2 from decisions)`]) {
      const { rows, notes } = await queryRuns(reports, sql);
      expect(rows[0]?.slice(0, 3)).toEqual([2, 2, 0]);
      expect(rows[0]?.[3] ?? 0).toBe(0);
      expect(notes[0]).toBe('run: Line 4 is damaged. It and the 2 lines after it were ignored.');
    }
    // A journal that is not newer than its manifest counts as unchanged. Damage is then found only if a query
    // reads the journal.
    utimesSync(join(reports, 'run', 'manifest.json'), 9e9, 9e9);
    expect((await queryRuns(reports, `${counts}, (select count(*) from decisions)`)).rows).toEqual([
      [2, 2, 0, 2],
    ]);
  });

  it('computes the row of a run whose summary is missing or of another version', async () => {
    const reports = join(folder, 'older');
    for (const name of ['missing', 'older']) writeRun(join(reports, name), runRecord({ equity: [100, 110] }));
    const { psr: _, ...older } = JSON.parse(
      readFileSync(join(reports, 'older', 'summary.json'), 'utf8'),
    ) as Record<string, unknown>;
    writeFileSync(join(reports, 'older', 'summary.json'), JSON.stringify({ ...older, totalReturn: 7 }));
    rmSync(join(reports, 'missing', 'summary.json'));
    const { rows, notes } = await queryRuns(
      reports,
      'select runId, round(totalReturn, 2) from runs order by 1',
    );
    expect(rows).toEqual([
      ['missing', 0.1],
      ['older', 0.1],
    ]);
    expect(notes).toEqual([]);
  });

  it('omits a run in progress', async () => {
    const reports = join(folder, 'under-way');
    writeRun(join(reports, 'run'), runRecord({ equity: [100, 110] }), [runRecord({ equity: [100] }).started]);
    for (const name of ['summary.json', 'manifest.json']) rmSync(join(reports, 'run', name));
    writeFileSync(join(reports, 'run', 'run.lock'), `${process.pid}`);
    expect((await queryRuns(reports, 'from runs')).notes).toEqual(['run: skipped: it is still running.']);
  });

  it('requires a folder with runs', async () => {
    await expect(queryRuns(join(folder, 'two'), 'select 1')).rejects.toMatchObject({ code: 'no_run' });
    await expect(queryRuns(join(folder, 'nowhere'), 'select 1')).rejects.toMatchObject({
      code: 'no_reports',
    });
  });
});

describe('a table of rows', () => {
  it('aligns numbers to the right and fits the width', () => {
    const style = { width: 14, colour: false, ascii: false };
    expect(
      countedTable(
        ['name', 'n'],
        [
          ['a', 1],
          ['bcd', 22],
          [null, null],
        ],
        style,
      ),
    ).toBe(['name   n', 'a      1', 'bcd   22', '–      –', '3 rows'].join('\n'));
    expect(countedTable(['long'], [['x'.repeat(70)]], style).split('\n')[1]).toBe(`${'x'.repeat(13)}…`);
  });
});
