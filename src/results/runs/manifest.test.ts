import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { errorOf } from '../../../test/support/error-of.ts';
import { journalLines, writeJournal } from '../../../test/support/journal.ts';
import { runRecord } from '../../../test/support/records.ts';
import { summarise } from '../analysis/index.ts';
import { manifestOf, type RunDetails, withHoldout } from './manifest.ts';
import { checkRunVersion, listRuns, readOtherAnswer, readRun, writeOtherAnswer } from './read-run.ts';

const root = mkdtempSync(join(tmpdir(), 'sandtable-manifest-'));
afterAll(() => rmSync(root, { recursive: true }));

const details: RunDetails = {
  ...{ runId: 'r', strategyFile: 's.ts', strategySha256: 'code', versions: {}, sources: [], adjustments: [] },
  journalSha256: 'hash',
};

describe('the manifest of a run', () => {
  const made = runRecord({ equity: [100, 110], outcome: 'insolvent', settings: { seed: 3 } });
  const least = {
    ...{
      schema: 1,
      runId: 'r',
      outcome: 'insolvent',
      stamps: [],
      settings: { cash: '100', seed: 3 },
      seed: 3,
    },
    strategy: { name: 'test', kind: 'rules', file: 's.ts', sha256: 'code', parameters: {} },
    ...{ versions: {}, inputs: null },
    data: { symbols: ['AAA'], bars: 2, sources: [], actions: null, adjustments: [], detail: [] },
    journal: { file: 'journal.jsonl', sha256: 'hash', barsWalked: 2 },
  };

  it('omits inputs that the run did not have', () => {
    const { sealed, openDoors, ...rest } = manifestOf(made, details);
    expect(rest).toEqual(least);
    expect(sealed).toBe(openDoors.length === 0);
    expect(
      manifestOf(made, { ...details, futures: [], features: [], context: [], pointInTime: [] }).data,
    ).toEqual(least.data);
  });

  it('lists all inputs that the run had', () => {
    const kind = { file: 'k', sha256: 'h', kind: 'rolls', rows: 1 };
    const source = { file: 'b', symbols: [], sha256: null, bars: 1, firstBar: '', lastBar: '' };
    const given = {
      ...{
        futures: [kind],
        features: [{ file: 'f', sha256: 'h', features: [], rows: 1 }],
        context: [source],
      },
      ...{ pointInTime: [kind], detail: [source], actions: { file: 'a', sha256: 'h', actions: 2 } },
    };
    const files = { count: 2, sha256: 'files' };
    const record = { ...made, started: { ...made.started, stamps: ['same-bar fills'], files } };
    const manifest = manifestOf(record, {
      ...{ ...details, ...given, project: 'gaps', journalHead: 'head', strategyFiles: [] },
    });
    expect(manifest).toMatchObject({ project: 'gaps', stamps: ['same-bar fills'], files });
    expect(manifest.data).toEqual({ ...least.data, ...given });
    expect(manifest.journal.head).toBe('head');
    expect(manifest.strategy.files).toEqual([]);
  });

  it('has the held-out bars that the run used', () => {
    const manifest = manifestOf(made, details);
    const holdout = { from: '2024-01-02', earlierLooks: 1 };
    expect(withHoldout(manifest, undefined)).toBe(manifest);
    expect(withHoldout(manifest, holdout)).toEqual({ ...manifest, data: { ...manifest.data, holdout } });
  });
});

describe('the folder of a run', () => {
  const folder = join(root, 'runs', 'b');
  mkdirSync(folder, { recursive: true });
  writeJournal(folder, journalLines(3));
  const write = (name: string, value: unknown): void =>
    writeFileSync(join(folder, name), JSON.stringify(value));
  const manifest = { strategy: {}, data: { sources: [], holdout: { from: '2024-01-02', earlierLooks: 2 } } };

  it('is read with its manifest and times, by its path or by that of its journal', () => {
    write('manifest.json', manifest);
    const timing = { startedAt: 'a', finishedAt: 'b', seconds: 1, barsPerSecond: 2, tools: {} };
    write('timing.json', timing);
    const run = readRun(join(folder, 'journal.jsonl'));
    expect(run).toMatchObject({ runId: 'b', folder, manifest, options: {}, timing });
    expect(run.summary).toMatchObject({ runId: 'b', finalEquity: '1002' });
    expect(run.metrics).toBe(run.metrics);
    write('timing.json', { ...timing, seconds: 'one' });
    expect(readRun(folder).timing).toBeUndefined();
    for (const damaged of [{}, { strategy: {} }, { strategy: {}, data: {} }, { data: manifest.data }]) {
      write('manifest.json', damaged);
      expect(readRun(folder).manifest).toBeUndefined();
    }
    expect(errorOf(() => readRun(join(root, 'runs'))).code).toBe('no_run');
  });

  it('is refused if another version wrote it, or if the manifest is damaged', () => {
    const failure = (name: string, value: unknown) => {
      write('manifest.json', manifest);
      write(name, value);
      const { code, message, hint } = errorOf(() => checkRunVersion(folder));
      return `${code}: ${message} ${hint}`;
    };
    expect(failure('manifest.json', { schema: 2, versions: { sandtable: '9.9.9' } })).toMatch(
      /^other_version: .*manifest\.json has schema 2, written by a newer .*npx sandtable@9\.9\.9 for/,
    );
    expect(failure('manifest.json', { schema: 0 })).toMatch(
      /schema 0, written by an older .*the version that wrote it/,
    );
    expect(failure('manifest.json', [])).toMatch(/^damaged_manifest: .* is not a JSON object: /);
    expect(failure('inputs.json', { schema: 2 })).toMatch(/inputs\.json has schema 2, written by a newer/);
    writeFileSync(join(folder, 'manifest.json'), '{');
    expect(errorOf(() => checkRunVersion(folder)).message).toContain(' is not JSON: ');
    rmSync(join(folder, 'manifest.json'));
    for (const schema of [1, '2', undefined]) {
      write('inputs.json', { schema });
      expect(() => checkRunVersion(folder)).not.toThrow();
    }
  });

  it('is listed among the runs, newest first, with its summary if readable', () => {
    const store = join(root, 'runs');
    const summary = summarise(runRecord({ equity: [100, 110] }), { runId: 'c' });
    for (const name of ['a', 'c', 'no-run']) mkdirSync(join(store, name));
    for (const name of ['a', 'c']) writeJournal(join(store, name), journalLines(1));
    writeFileSync(join(store, 'c', 'summary.json'), JSON.stringify(summary));
    writeFileSync(join(store, 'a', 'summary.json'), '{}');
    expect(listRuns(store)).toEqual([
      { runId: 'c', folder: join(store, 'c'), summary },
      { runId: 'b', folder, summary: undefined },
      { runId: 'a', folder: join(store, 'a'), summary: undefined },
    ]);
    expect(errorOf(() => listRuns(join(root, 'gone'))).code).toBe('no_reports');
  });

  it('has the result of the opposite assumption for ambiguous bars', () => {
    expect(readOtherAnswer(folder)).toBeUndefined();
    const summary = summarise(runRecord({ equity: [100, 110, 99] }), { runId: 'other' });
    writeOtherAnswer(folder, { resolve: 'best', folder: '../other', summary });
    expect(readOtherAnswer(folder)).toEqual({
      ...{ schema: 1, resolve: 'best', runId: 'other', folder: '../other', finalEquity: '99' },
      ...{ totalReturn: summary.totalReturn, sharpe: summary.sharpe, maxDrawdown: summary.maxDrawdown },
      ...{ tradeCount: 0, ambiguousBars: 0, ambiguityDifference: summary.ambiguityDifference },
    });
    expect(readFileSync(join(folder, 'other-answer.json'), 'utf8')).toMatch(/^\{\n {2}"schema": 1,/);
    writeFileSync(join(folder, 'other-answer.json'), '{"schema": 2}');
    expect(readOtherAnswer(folder)).toBeUndefined();
  });
});
