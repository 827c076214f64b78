import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { sweepOfNine } from '../../../../test/fixtures/sweep-result.ts';
import { errorOf, rejectionOf } from '../../../../test/support/error-of.ts';
import type { RunSummary } from '../../analysis/index.ts';
import type { Manifest } from '../manifest.ts';
import { queryRuns } from '../query/query.ts';
import {
  exportStress,
  isStressFolder,
  listStressTests,
  listSweeps,
  runFoldersOf,
  writeTrialRows,
} from './sweep-store.ts';
import { testsOfRun } from './tests-of-run.ts';

const root = mkdtempSync(join(tmpdir(), 'sandtable-stores-'));
afterAll(() => rmSync(root, { recursive: true }));

const write = (file: string, value: unknown): void => {
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, typeof value === 'string' ? value : JSON.stringify(value));
};
const { result } = sweepOfNine();
const report = {
  ...{ strategy: 'sma-cross', kind: 'shuffle', worlds: 9, verdict: { state: 'holds', because: [] } },
  ...{ firstBar: '2020', lastBar: '2021' },
  figures: { totalReturn: { actual: 0.5 }, sharpe: { actual: 1.5, p: 0.1 } },
};

describe('the run folders of a path', () => {
  it('are the started samples, ordered by number', () => {
    const folder = join(root, 'samples');
    for (const name of ['sample-10', 'sample-9', 'sample-x', 'other'])
      write(join(folder, name, 'journal.jsonl'), '');
    mkdirSync(join(folder, 'sample-1'));
    const started = ['sample-9', 'sample-10'].map((name) => join(folder, name));
    expect(runFoldersOf(folder)).toEqual(started);
    write(join(folder, 'samples.json'), '{}');
    expect(runFoldersOf(folder)).toEqual(started);
    write(join(folder, 'journal.jsonl'), '');
    rmSync(join(folder, 'samples.json'));
    expect(runFoldersOf(folder)).toEqual([folder]);
  });

  it('are an error if no sample has started', () => {
    const folder = join(root, 'waiting');
    write(join(folder, 'samples.json'), '{}');
    expect(errorOf(() => runFoldersOf(folder))).toMatchObject({ code: 'no_run' });
    const file = join(root, 'a-file');
    write(file, '');
    expect(runFoldersOf(file)).toEqual([file]);
  });
});

describe('the sweeps and stress tests of a results folder', () => {
  const store = join(root, 'store');
  const sweep = (name: string, content: unknown, sha256 = 'd', strategy = 'sma-cross'): void => {
    write(join(store, name, 'sweep-manifest.json'), { strategy: { name: strategy }, data: [{ sha256 }] });
    if (content !== undefined) write(join(store, name, 'sweep.json'), content);
  };
  const { evaluatedFrom: _, ...period } = result.period;
  sweep('s1', result);
  sweep('s3', { ...result, top: [], search: { ...result.search, name: 'random' } });
  sweep('s2', { ...result, best: null, period: { ...period, evaluatedFrom: null } });
  sweep('s4', undefined);
  sweep('s5', result, 'other data');
  sweep('s6', result, 'd', 'momentum');
  for (const [name, own] of Object.entries({
    ...{ t1: {}, t2: {}, t3: { strategy: 'momentum' }, t4: { firstBar: null }, t5: { lastBar: '2022' } },
    ...{
      t6: { figures: { ...report.figures, sharpe: { actual: 1.6 } } },
      t7: { figures: {} },
      t8: { kind: 5 },
    },
  }))
    write(join(store, name, 'stress.json'), { ...report, ...own });
  const run = join(store, 'run');
  mkdirSync(run);

  it('match the strategy, the data and the result of a run, newest first', () => {
    const manifest = {
      strategy: { name: 'sma-cross', parameters: { fast: 10, slow: 40 } },
      data: { sources: [{ sha256: 'd' }] },
    } as unknown as Manifest;
    const summary = {
      ...{ strategy: 'sma-cross', firstBar: '2020', lastBar: '2021', totalReturn: 0.5, sharpe: 1.5 },
    } as RunSummary;
    const tests = testsOfRun(run, manifest, summary);
    expect(tests.sweeps.map(({ sweepId, folder, hasRun }) => [sweepId, folder, hasRun])).toEqual([
      ['s2', join(store, 's2'), true],
      ['s1', join(store, 's1'), true],
      ['s3', join(store, 's3'), undefined],
    ]);
    expect(tests.stress.map(({ stressId }) => stressId)).toEqual(['t2', 't1']);
    // A run in the folder of a sweep belongs to this sweep, with any parameters.
    const kept = testsOfRun(
      join(store, 's3', 'runs', 'one'),
      { ...manifest, strategy: { ...manifest.strategy, parameters: null } },
      summary,
    );
    expect(kept.sweeps.map(({ sweepId, hasRun }) => [sweepId, hasRun])).toEqual([
      ['s3', true],
      ['s2', false],
      ['s1', false],
    ]);
    const two = { ...manifest, data: { sources: [{ sha256: 'd' }, { sha256: 'e' }] } } as unknown as Manifest;
    expect(testsOfRun(run, two, summary).sweeps).toEqual([]);
    expect(testsOfRun(run, undefined, summary)).toEqual({ sweeps: [], stress: [] });
    expect(testsOfRun(join(root, 'gone', 'run'), manifest, summary)).toEqual({ sweeps: [], stress: [] });
  });

  it('are listed newest first', () => {
    expect(listSweeps(store).map(({ sweepId, result: found }) => [sweepId, found === undefined])).toEqual([
      ...[6, 5, 4, 3, 2, 1].map((number) => [`s${number}`, number === 4]),
    ]);
    expect(listStressTests(store).map(({ stressId }) => stressId)).toEqual(
      [7, 6, 5, 4, 3, 2, 1].map((number) => `t${number}`),
    );
    expect([
      isStressFolder(join(store, 't1')),
      isStressFolder(join(store, 't8')),
      isStressFolder(run),
    ]).toEqual([...[true, false, false]]);
  });

  it('can be queried as SQL tables', async () => {
    await writeTrialRows(join(store, 't1', 'worlds.parquet'), [{ name: 'world', type: 'number' }], [[4]]);
    expect(
      (await queryRuns(store, "select * from sweeps where strategy <> 'x' order by 1 limit 2")).rows,
    ).toEqual([
      [
        ...['s1', 'sma-cross', 'grid', 'sharpe', '2000-05-01', '2009-12-31', 9, 2, 0, 0.9],
        ...['{"fast":10,"slow":40}', result.deflatedSharpe.value, result.pbo.value, result.answer.holds],
      ],
      [
        ...['s2', 'sma-cross', 'grid', 'sharpe', '2000-01-03', '2009-12-31', 9, 2, 0, null],
        ...[null, result.deflatedSharpe.value, result.pbo.value, result.answer.holds],
      ],
    ]);
    expect((await queryRuns(store, 'select count(*) from sweeps')).rows).toEqual([[5]]);
    const stress = await queryRuns(store, 'select * from stress');
    expect([stress.columns, stress.rows]).toEqual([
      ['stressId', 'strategy', 'kind', 'world'],
      [['t1', 'sma-cross', 'shuffle', 4]],
    ]);
    expect((await queryRuns(store, 'select * from trials')).columns).toEqual([
      'sweepId',
      'trial',
      'objective',
    ]);
  });

  it('can be exported, and a missing table is reported', async () => {
    const where = { folder: join(root, 'out'), format: 'csv' } as const;
    expect(await exportStress(join(store, 't1'), where)).toBe(join(root, 'out', 'worlds.csv'));
    expect((await rejectionOf(exportStress(join(store, 't2'), where))).code).toBe('not_a_stress_test');
  });
});
