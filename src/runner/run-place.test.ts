import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readRunSettings } from '../engine/index.ts';
import { readRunInputs } from '../results/runs/index.ts';
import { filesOf, parameterTexts, placeOf } from './run-place.ts';

const root = mkdtempSync(join(tmpdir(), 'sandtable-place-'));
afterAll(() => rmSync(root, { recursive: true }));
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');

const loaded = {
  sources: [{ file: 'a.csv', sha256: 'd' }],
  actionsSource: { file: 'x.csv', sha256: 'x' },
  futuresSources: [{ file: 'r.csv', sha256: 'r' }],
  featureSources: [{ file: 'f.csv', sha256: 'f' }],
  contextSources: [{ file: null, sha256: null }],
  pointInTime: { sources: [{ file: 'n.csv', sha256: 'n' }] },
};

it('the files of a run are those of bars, actions, futures, detail, features, context and publications', () => {
  const detail = [{ file: 'm.csv', sha256: 'm' }];
  const hashes = (given: object, more?: object) =>
    filesOf(given as never, more as never).map(({ sha256 }) => sha256);
  expect(hashes(loaded, detail)).toEqual(['d', 'x', 'r', 'm', 'f', null, 'n']);
  expect(hashes({ ...loaded, actionsSource: undefined })).toEqual(['d', 'r', 'f', null, 'n']);
});

it('parameters are stored as texts of --param', () => {
  expect(parameterTexts({ a: 'x', b: 1.5, c: true, d: [1, 2], e: undefined })).toEqual({
    ...{ a: 'x', b: '1.5', c: 'true', d: '[1,2]', e: 'undefined' },
  });
});

describe('the folder of a run', () => {
  const started = { type: 'run_started' } as never;
  const file = join(root, 'own.ts');
  writeFileSync(file, 'code');
  writeFileSync(join(root, 'lib.ts'), 'lib');
  writeFileSync(join(root, 'beside.json'), 'more');
  const run = (own: object = {}, strategy: object = {}, request: object = {}) =>
    ({
      strategy: { name: 'own', sha256: hashOf('code'), ...strategy },
      settings: readRunSettings({ cash: 5 }),
      loaded,
      request: {
        ...{ strategy: file, parameters: { fast: 2 }, settings: {} },
        options: { out: root, instruments: 'i.csv', riskFree: 0.1, data: ['a.csv'] },
        ...request,
      },
      ...own,
    }) as never;
  const placed = (given: never) => {
    const place = placeOf(given, new Date(Date.UTC(2026, 0, 5)), started);
    place.journal.close();
    place.release();
    return place;
  };

  it('contains the inputs of the run', () => {
    const place = placed(run());
    expect(place.folder).toBe(join(root, place.runId));
    expect(readRunInputs(place.folder)).toMatchObject({
      runId: place.runId,
      strategy: { file, sha256: hashOf('code'), parameters: { fast: '2' } },
      flags: { riskFree: 0.1, data: ['a.csv'] },
      settings: { cash: expect.anything() as unknown },
    });
    const { inputs } = place;
    expect(inputs.flags).not.toHaveProperty('out');
    expect(inputs.flags).not.toHaveProperty('instruments');
    expect(inputs.files.map(({ file: name, sha256 }) => [name, sha256])).toEqual([
      ['a.csv', 'd'],
      ['x.csv', 'x'],
      ['r.csv', 'r'],
      ['f.csv', 'f'],
      ['', ''],
      ['n.csv', 'n'],
    ]);
    for (const name of ['model', 'sample', 'budget', 'recording', 'registration'])
      expect(inputs).not.toHaveProperty(name);
    expect(inputs.strategy).not.toHaveProperty('files');
  });

  it('lists the other files of the strategy', () => {
    const files = [
      { file: 'own.ts', sha256: hashOf('code') },
      { file: 'lib.ts', sha256: hashOf('lib') },
    ];
    expect(placed(run({}, { files })).inputs.strategy.files).toEqual([
      { file: 'lib.ts', sha256: hashOf('lib') },
    ]);
    const beside = placed(run({}, { beside: ['beside.json'] })).inputs.strategy;
    expect(beside.files).toEqual([{ file: 'beside.json', sha256: hashOf('more') }]);
  });

  it('has a strategy in code without a file, and optional inputs', () => {
    const place = placed(
      run(
        { registration: { text: 'plan', registered: { sha256: 'p', registeredAt: 'x', hypothesis: {} } } },
        {},
        { strategy: {}, budget: { calls: 3 }, sample: { number: 2, folder: root, runId: 'parent' } },
      ),
    );
    expect([place.runId, place.folder]).toEqual(['parent-sample-2', join(root, 'sample-2')]);
    expect(place.inputs).toMatchObject({
      strategy: { file: null, sha256: null, copy: null },
      ...{ sample: 2, budget: { calls: 3 }, registration: { sha256: 'p' } },
    });
    expect(readFileSync(join(place.folder, 'registration.json'), 'utf8')).toBe('plan');
  });

  it('contains the closes of a benchmark that is not a symbol of the run', () => {
    const series = { name: 'SPX', times: [0, 86_400_000], closes: [1, 2] };
    const withSymbol = placed(run({ benchmark: { symbol: 'A' } }));
    const withCloses = placed(run({ benchmark: { series, sha256: null } }));
    const hasCloses = ({ folder }: { folder: string }) => existsSync(join(folder, 'benchmark.json'));
    expect([withSymbol, withCloses].map(hasCloses)).toEqual([false, true]);
  });

  it('is that of the earlier run if the run is resumed', () => {
    const earlier = { inputs: { runId: 'first' }, folder: 'f', journal: { close: () => undefined } };
    const place = placeOf(run({ earlier }), new Date(), started);
    place.release();
    expect(place).toMatchObject({
      runId: 'first',
      folder: 'f',
      inputs: earlier.inputs,
      journal: earlier.journal,
    });
  });
});
