import { spawn } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { skipBecause } from '../../../../test/missing.ts';
import { appendLedger, LEDGER_FILE, type LedgerRecord, pointsOf, readLedger } from './ledger.ts';
import { heldOutSeen, reservedFrom } from './ledger-records.ts';

let store: string;
beforeEach(() => {
  store = mkdtempSync(join(tmpdir(), 'sandtable-ledger-'));
});
afterEach(() => rmSync(store, { recursive: true }));

const look = (id: string, change: Partial<LedgerRecord> = {}): LedgerRecord => ({
  kind: 'run',
  at: '2026-11-23T00:00:00.000Z',
  by: 'ada',
  project: null,
  strategy: 'cross',
  data: ['data'],
  id,
  point: `point ${id}`,
  search: 'search',
  from: '2020-01-01',
  to: '2022-12-30',
  sharpe: 0.05,
  result: `result ${id}`,
  ...change,
});
const file = (): string => join(store, LEDGER_FILE);

const built = fileURLToPath(new URL('../../../../dist/results/runs/index.js', import.meta.url));
if (!existsSync(built))
  skipBecause('A ledger that several processes write was not tested: it needs a build.');

describe('the ledger of a results folder', () => {
  it('is empty before the first view, and then has each view once, with the last record of an id', () => {
    expect(readLedger(store)).toEqual({ records: [], notes: [] });
    appendLedger(store, []);
    expect(existsSync(file())).toBe(false);
    appendLedger(store, [look('a'), look('b')]);
    appendLedger(store, [look('a', { sharpe: 0.1 })]);
    expect(readLedger(store).records).toEqual([look('a', { sharpe: 0.1 }), look('b')]);
  });

  it('returns the views and holdouts of one research project', () => {
    const holdout = look('h', { kind: 'holdout' });
    const named = look('n', { project: 'gaps', strategy: 'other' });
    const all = [look('a'), look('b', { strategy: 'other' }), holdout, named];
    appendLedger(store, [...all, look('o', { kind: 'holdout', strategy: 'other' })]);
    expect(readLedger(store, { strategy: 'cross' }).records).toEqual([look('a'), holdout]);
    expect(readLedger(store, { project: 'gaps', strategy: 'cross' }).records).toEqual([named]);
  });

  it('counts the same trial in two projects as a view of each', () => {
    const looks = [look('a', { project: 'gaps' }), look('a', { project: 'trend' }), look('a')];
    appendLedger(store, looks);
    expect(readLedger(store).records).toEqual(looks);
  });

  it('reads lines of earlier versions as views of the default project', () => {
    const { by: _, project: __, ...old } = look('a');
    appendFileSync(file(), `${JSON.stringify(old)}\n`);
    expect(readLedger(store, { strategy: 'cross' }).records).toEqual([look('a', { by: null })]);
  });

  it('continues after a truncated line, and reports the number of unreadable lines', () => {
    appendLedger(store, [look('a')]);
    appendFileSync(file(), JSON.stringify(look('torn')).slice(0, 70));
    expect(readLedger(store, { strategy: 'cross' })).toMatchObject({
      records: [{ id: 'a' }],
      notes: [`${file()}: 1 unreadable line is not counted.`],
    });
    appendLedger(store, [look('b')]);
    appendFileSync(file(), '{"kind":"guess","strategy":"cross"}\n');
    const { records, notes } = readLedger(store, { strategy: 'cross' });
    expect(records.map(({ id }) => id)).toEqual(['a', 'b']);
    expect(notes).toEqual([`${file()}: 2 unreadable lines are not counted.`]);
  });

  it('reports a file that cannot be read or written', () => {
    mkdirSync(file());
    expect(readLedger(store).notes).toEqual([`Cannot read ${file()}: its views are not counted.`]);
    expect(() => appendLedger(store, [look('a')])).toThrow(`Cannot write ${file()}: `);
  });

  it.skipIf(!existsSync('/dev/full'))('reports a full disk', () => {
    symlinkSync('/dev/full', file());
    expect(() => appendLedger(store, [look('a')])).toThrow(/Cannot write .*ledger\.jsonl: the disk is full/);
    // The file is a device that never ends. `readLedger` must reject the file instead of reading it.
    expect(readLedger(store).notes).toEqual([`Cannot read ${file()}: its views are not counted.`]);
  });

  it.skipIf(!existsSync(built))(
    'contains every view of several processes that write concurrently',
    async () => {
      // Simulates a process that ended in the middle of writing a line.
      appendFileSync(file(), '{"kind":"run","at"');
      const [writers, each] = [4, 150];
      const script = `
        const { appendLedger } = await import(${JSON.stringify(built)});
        const look = JSON.parse(process.argv[1]);
        for (let n = 0; n < ${each}; n++)
          appendLedger(${JSON.stringify(store)}, [{ ...look, id: look.id + n, result: 'x'.repeat(n * 40) }]);
      `;
      await Promise.all(
        Array.from({ length: writers }, (_, writer) => {
          const argv = ['--input-type=module', '-e', script, JSON.stringify(look(`${writer} `))];
          const child = spawn(process.execPath, argv, { stdio: 'inherit' });
          return new Promise((resolve) => child.once('exit', resolve));
        }),
      );
      const { records, notes } = readLedger(store);
      expect(records.length).toBe(writers * each);
      expect(notes).toEqual([`${file()}: 1 unreadable line is not counted.`]);
      expect(
        readFileSync(file(), 'utf8')
          .trimEnd()
          .split('\n')
          .filter((line) => line !== '').length,
      ).toBe(writers * each + 1);
    },
  );
});

describe('the number of trials', () => {
  it('counts equal results once, and a run that repeats a trial as that trial', () => {
    const trials = [
      look('t1', { kind: 'trial', result: 'same' }),
      look('t2', { kind: 'trial', result: 'same' }),
    ];
    expect(pointsOf(trials).size).toBe(2);
    expect(pointsOf([...trials, look('r', { result: 'same' })]).size).toBe(2);
    expect(pointsOf([...trials, look('r'), look('again', { result: 'result r' })]).size).toBe(3);
    expect(pointsOf([look('cut', { search: null, result: null }), look('r')]).size).toBe(2);
  });
});

describe('reserved bars', () => {
  const holdout = (from: string, data = ['data']): LedgerRecord =>
    look(`h ${from}`, { kind: 'holdout', from, data });
  const seen = (looks: readonly LedgerRecord[], to: string, id = 'own', data = ['data', 'features']) =>
    heldOutSeen(looks, { strategy: 'cross', data, to: Date.parse(to), id });

  it('begin with the earliest holdout of a sweep of the project on the same file', () => {
    const looks = [holdout('2022-01-03'), holdout('2021-01-04T09:30:00Z'), holdout('2019-01-02', ['other'])];
    const cross = { strategy: 'cross' };
    expect(reservedFrom(looks, cross, ['data'])?.from).toBe('2021-01-04T09:30:00Z');
    expect(reservedFrom(looks, cross, ['unknown'])).toBeUndefined();
    expect(reservedFrom(looks, { strategy: 'momentum' }, ['data'])).toBeUndefined();
    expect(reservedFrom(looks, { strategy: 'cross', project: 'gaps' }, ['data'])).toBeUndefined();
  });

  it('are viewed by each run that includes one, and only earlier views of the same project count', () => {
    const looks = [
      holdout('2022-01-03'),
      look('before', { to: '2021-12-31' }),
      look('elsewhere', { data: ['other'] }),
      look('another', { strategy: 'momentum' }),
      look('first', { kind: 'trial', to: '2022-01-03' }),
      look('own'),
    ];
    expect(seen(looks, '2021-12-31')).toBeUndefined();
    expect(seen(looks, '2022-01-03')).toEqual({ from: '2022-01-03', earlierLooks: 1 });
    expect(seen(looks, '2022-06-30', 'another own')).toEqual({ from: '2022-01-03', earlierLooks: 2 });
    expect(seen([], '2022-06-30')).toBeUndefined();
    // If records belong to a named project, the result contains the project's name.
    const named = looks.map((one) => ({ ...one, project: 'gaps' }));
    const own = {
      strategy: 'cross',
      project: 'gaps',
      data: ['data'],
      to: Date.parse('2022-06-30'),
      id: 'own',
    };
    expect(heldOutSeen(named, own)).toMatchObject({ from: '2022-01-03', project: 'gaps' });
    expect(heldOutSeen(looks, { ...own, project: null })).toEqual({ from: '2022-01-03', earlierLooks: 1 });
  });
});
