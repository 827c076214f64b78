import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { journalLines, writeJournal } from '../../../test/support/journal.ts';
import { runRecord } from '../../../test/support/records.ts';
import { equityCsv } from './export/run-csv.ts';
import { isKeptRun, type LedgerRecord, ledgerStoreOf, recordsOnData } from './ledger/ledger.ts';
import { resultText, searchesIn, searchKey, searchOf, storeOf, trialOf } from './ledger/search.ts';
import { type Manifest, manifestOf } from './manifest.ts';
import { queryRuns } from './query/query.ts';
import { reportOptionsOf, writeBenchmark } from './report-options.ts';
import { type PageSource, writeRunFiles } from './run-folder.ts';

const root = mkdtempSync(join(tmpdir(), 'sandtable-run-steps-'));
afterAll(() => rmSync(root, { recursive: true }));
const fresh = (): string => mkdtempSync(join(root, 'store-'));
const timing = { startedAt: '', finishedAt: '', seconds: 1, barsPerSecond: 1, tools: {} };

describe('the files of a run', () => {
  it('are written in nine steps, after the page is made', () => {
    const folder = join(fresh(), 'run');
    mkdirSync(folder);
    const record = runRecord({ equity: [100, 110] });
    const manifest = manifestOf(record, {
      ...{
        runId: 'run',
        strategyFile: null,
        strategySha256: null,
        versions: {},
        sources: [],
        adjustments: [],
      },
      journalSha256: null,
    });
    const steps: (readonly number[])[] = [];
    let source: PageSource | undefined;
    const page = (given: PageSource): string => {
      source = given;
      expect(existsSync(join(folder, 'equity.csv'))).toBe(false);
      return 'page';
    };
    const written = writeRunFiles(folder, {
      manifest,
      record,
      timing,
      page,
      onStep: (...step) => steps.push(step),
    });
    expect(steps).toEqual(Array.from({ length: 9 }, (_, done) => [done, 9]));
    expect(source).toMatchObject({
      runId: 'run',
      options: {},
      trials: { runs: 1, trials: 1 },
      tests: { sweeps: [], stress: [] },
    });
    expect([...(written.benchmarkEquity ?? [])]).toEqual([]);
    expect(readFileSync(join(folder, 'report.html'), 'utf8')).toBe('page');
  });

  it('include a table of equity with one line per bar, also beyond a thousand bars', () => {
    const equity = Array.from({ length: 2_001 }, (_, bar) => 100 + bar);
    const lines = equityCsv(runRecord({ cash: '100', equity })).split('\n');
    expect(lines).toHaveLength(2_003);
    expect([lines[1_000], lines[1_001], lines[2_001]].map((line) => line!.split(',')[0])).toEqual([
      '999',
      '1000',
      '2000',
    ]);
  });

  it('include the opens of a benchmark only if all of them are known', () => {
    const folder = fresh();
    writeFileSync(join(folder, 'inputs.json'), '{"flags": {}}');
    const times = [0, 1].map((day) => Date.UTC(2024, 0, 1 + day));
    writeBenchmark(folder, { name: 'I', times, closes: [1, 2], opens: [3, 4] }, null);
    expect(reportOptionsOf(folder).benchmark).toEqual({
      name: 'I',
      held: false,
      times,
      closes: [1, 2],
      opens: [3, 4],
    });
    const file = join(folder, 'benchmark.json');
    expect(readFileSync(file, 'utf8')).toBe(
      '{"name":"I","sha256":null,"closes":[\n["2024-01-01",1,3],\n["2024-01-02",2,4]\n]}\n',
    );
    writeFileSync(file, '{"name":"I","sha256":null,"closes":[["2024-01-01",1,3],["bad",2]]}');
    expect(reportOptionsOf(folder).benchmark).toEqual({
      name: 'I',
      held: false,
      times: [times[0], Number.NaN],
      closes: [1, 2],
    });
    writeFileSync(file, '{"name":"I","sha256":null,"closes":[]}');
    expect(reportOptionsOf(folder)).toEqual({});
  });
});

describe('the search of a run', () => {
  const figures = {
    ...{ firstBar: 'a', lastBar: 'b', periodsPerYear: 256, sharpe: 1.6, volatility: 0.1, maxDrawdown: -0.2 },
    ...{ exposure: 0.5, finalEquity: '100.50', tradeCount: 4 },
  };
  const strategy = { name: 'cross', kind: 'rules' };
  const simulation = { seed: 1 };
  const sources = [
    { sha256: 'd', symbols: ['A'] },
    { sha256: null, symbols: ['B'], simulation },
  ];
  const manifest = {
    strategy,
    journal: { barsWalked: 3 },
    data: { symbols: ['A', 'B'], bars: 3, sources },
  } as unknown as Manifest;

  it('has a key of its inputs', () => {
    const trial = {
      strategy,
      symbols: ['A', 'B'],
      bars: 3,
      firstBar: 'a',
      lastBar: 'b',
      sources: sources as never,
    };
    const key = JSON.stringify([
      ...['cross', 'rules', ['A', 'B'], 3, 'a', 'b'],
      [
        ['d', null, ['A']],
        [null, simulation, ['B']],
      ],
    ]);
    expect([searchKey(trial), searchOf(manifest, figures)]).toEqual([key, key]);
    expect(searchKey({ ...trial, project: 'p' })).toBe(`${key.slice(0, -1)},"p"]`);
    expect(
      searchOf({ ...manifest, journal: { barsWalked: 2 } } as unknown as Manifest, figures),
    ).toBeUndefined();
    const result = '[100.5,1.6,0.1,-0.2,0.5,4]';
    expect([resultText(figures), resultText({ ...figures, finalEquity: 100.5 })]).toEqual([result, result]);
    expect(trialOf('r', 'f', figures)).toEqual({ runId: 'r', folder: 'f', sharpe: 0.1, result });
    expect(trialOf('r', 'f', { ...figures, sharpe: null }).sharpe).toBeNull();
  });

  it('has the runs of a results folder with its strategy, and the samples of a model', () => {
    const store = fresh();
    const run = (path: string, own: object = {}, of: unknown = manifest) => {
      mkdirSync(join(store, path), { recursive: true });
      writeFileSync(
        join(store, path, 'summary.json'),
        JSON.stringify({ runId: path, strategy: 'cross', ...figures, ...own }),
      );
      if (of !== null) writeFileSync(join(store, path, 'manifest.json'), JSON.stringify(of));
    };
    for (const path of ['one', 'two', '.hidden', 'set/sample-1', 'set/other', 'deep/inner']) run(path);
    writeFileSync(join(store, 'set', 'samples.json'), '{}');
    run('third', { lastBar: 'c' });
    run('other', { strategy: 'momentum' });
    run('odd', { sharpe: 'x' });
    run('strange', {}, {});
    run('bare', {}, null);
    const found = searchesIn(store, new Set(['cross']));
    expect([...found.values()].map((trials) => trials.map(({ runId }) => runId).sort())).toEqual([
      ['one', 'set/sample-1', 'two'],
      ['third'],
    ]);
    expect(searchesIn(join(store, 'gone'), new Set(['cross'])).size).toBe(0);
  });

  it('is stored in the folder of the results, outside of samples, studies and sweeps', () => {
    const store = fresh();
    for (const [folder, mark] of [
      ['set', 'samples.json'],
      ['study', 'study-manifest.json'],
      ['sweep', 'sweep-manifest.json'],
    ] as const) {
      mkdirSync(join(store, folder));
      writeFileSync(join(store, folder, mark), '{}');
    }
    const stores = ['run', 'set/sample-1', 'study/runs/arm/window/sample-1'].map((path) => join(store, path));
    expect(stores.map(storeOf)).toEqual([store, store, store]);
    const kept = join(store, 'sweep', 'runs', 'one');
    expect([storeOf(kept), ledgerStoreOf(kept), ledgerStoreOf(stores[0]!)]).toEqual([
      join(store, 'sweep', 'runs'),
      store,
      store,
    ]);
    expect([isKeptRun(kept), isKeptRun(stores[0]!)]).toEqual([true, false]);
    const look = (kind: string, data: string[]) => ({ kind, data }) as LedgerRecord;
    const looks = [
      look('run', ['a', 'b']),
      look('trial', ['b', 'a']),
      look('holdout', ['a', 'b']),
      look('run', ['a']),
    ];
    expect(recordsOnData(looks, ['b', 'a'])).toEqual(looks.slice(0, 2));
  });
});

describe('a query over runs', () => {
  it('skips a run in progress, and shows the current journal of a changed one', async () => {
    const store = fresh();
    const begin = (name: string, lines: ReturnType<typeof journalLines>): string => {
      mkdirSync(join(store, name));
      return writeJournal(join(store, name), lines);
    };
    const running = begin('running', journalLines(3).slice(0, -1));
    const killed = begin('killed', journalLines(4).slice(0, -1));
    begin('changed', journalLines(9));
    const old = Date.now() / 1000 - 60;
    utimesSync(killed, old, old);
    // On a slow machine, the run would otherwise count as killed before the query.
    const later = Date.now() / 1000 + 3_600;
    utimesSync(running, later, later);
    writeFileSync(
      join(store, 'changed', 'manifest.json'),
      '{"journal": {"sha256": "x"}, "strategy": {}, "data": {}}',
    );
    utimesSync(join(store, 'changed', 'manifest.json'), old, old);
    const { rows, notes } = await queryRuns(
      store,
      'select runId, count(*) from equity group by 1 order by 1',
    );
    expect(rows).toEqual([
      ['changed', 9],
      ['killed', 4],
    ]);
    expect(notes).toEqual([
      'running: skipped: it is still running.',
      'killed: The journal has no run_finished event: the run was killed.',
      'changed: Its journal differs from the one in its manifest.json. The rows show the current journal.',
    ]);
    const fills = await queryRuns(store, 'select runId, side, quantity from FILLS order by 1, 2');
    expect(fills.rows).toEqual([
      ['changed', 'buy', 2],
      ['changed', 'sell', 2],
      ['killed', 'buy', 2],
    ]);
    const types = 'select 1::bigint, 9007199254740993::hugeint, 1.5::double, [1, 2], {a: true}, null, true';
    expect((await queryRuns(store, types)).rows).toEqual([
      [1, '9007199254740993', 1.5, '[1,2]', '{"a":true}', null, true],
    ]);
    const failure = await queryRuns(store, 'select x from trades').catch(
      (error: Error & { hint?: string }) => error,
    );
    expect(failure).toMatchObject({
      code: 'bad_query',
      hint: expect.stringContaining('\n  Columns of trades: runId, '),
    });
  });
});
