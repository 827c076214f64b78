import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sweepOfNine } from '../../../../test/fixtures/sweep-result.ts';
import { queryRuns } from '../query/query.ts';
import { exportSweep, listSweeps, runFoldersOf, writeTrialRows } from './sweep-store.ts';

async function storeWithSweep(): Promise<{ readonly store: string; readonly folder: string }> {
  const store = mkdtempSync(join(tmpdir(), 'sweeps-'));
  const folder = join(store, '20260101-000000-sweep-sma-cross-abcdef');
  mkdirSync(folder);
  writeFileSync(join(folder, 'sweep-manifest.json'), '{}');
  const { result, trials } = sweepOfNine();
  writeFileSync(join(folder, 'sweep.json'), JSON.stringify(result));
  await writeTrialRows(
    join(folder, 'trials.parquet'),
    [
      { name: 'trial', type: 'text' },
      { name: 'fast', type: 'number' },
      { name: 'objective', type: 'number' },
    ],
    trials.map(({ id, parameters, objective }) => [id, parameters.fast!, objective]),
  );
  return { store, folder };
}

test('a query finds sweeps and their trials in a folder without runs', async () => {
  const { store } = await storeWithSweep();
  const sweeps = await queryRuns(store, 'select sweepId, trials, bestObjective, holds from sweeps');
  expect(sweeps.rows).toEqual([['20260101-000000-sweep-sma-cross-abcdef', 9, 0.9, false]]);
  const best = await queryRuns(
    store,
    'select fast, max(objective) from trials group by 1 order by 2 desc limit 1',
  );
  expect(best.rows).toEqual([[10, 0.9]]);
});

test('a sweep in progress is listed without a result', async () => {
  const { store } = await storeWithSweep();
  const running = join(store, '20260102-000000-sweep-other-000000');
  mkdirSync(running);
  writeFileSync(join(running, 'sweep-manifest.json'), '{}');
  expect(listSweeps(store).map(({ result }) => result?.strategy.name)).toEqual([undefined, 'sma-cross']);
});

test('the trials of a sweep are exported, and overwritten only on request', async () => {
  const { folder } = await storeWithSweep();
  const out = join(folder, 'export');
  const file = await exportSweep(folder, { folder: out, format: 'csv' });
  expect(readFileSync(file, 'utf8').split('\n').slice(0, 2)).toEqual([
    'trial,fast,objective',
    'trial-00,5.0,0.1',
  ]);
  await expect(exportSweep(folder, { folder: out, format: 'csv' })).rejects.toThrow('Already present');
  await exportSweep(folder, { folder: out, format: 'csv', overwrite: true });
});

test('a sweep represents the runs that it stored', async () => {
  const { folder } = await storeWithSweep();
  expect(() => runFoldersOf(folder)).toThrow('has no stored runs');
  mkdirSync(join(folder, 'runs', 'run-b'), { recursive: true });
  mkdirSync(join(folder, 'runs', 'run-a'));
  expect(runFoldersOf(folder)).toEqual([join(folder, 'runs', 'run-a'), join(folder, 'runs', 'run-b')]);
  expect(runFoldersOf('somewhere/else')).toEqual(['somewhere/else']);
});
