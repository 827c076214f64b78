import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { thrownMessage } from '../../../test/support/error-of.ts';
import { codeHash } from '../../agents/index.ts';
import { version } from '../../kernel/index.ts';
import { emptyFigures, type WorldRow } from '../../results/analysis/index.ts';
import {
  checkBudget,
  checkRequest,
  checkSame,
  holdsStress,
  readActual,
  readManifest,
  requestOf,
  type StressManifest,
  WorldJournal,
  writeActual,
  writeManifest,
} from './folder.ts';

const root = mkdtempSync(join(tmpdir(), 'sandtable-stress-folder-'));
afterAll(() => rmSync(root, { recursive: true }));
let folders = 0;
function newFolder(): string {
  const folder = join(root, String(++folders));
  mkdirSync(folder);
  return folder;
}

const strategy = { file: 's.ts', kind: 'code', sha256: 'abc' };
const MANIFEST: StressManifest = {
  ...{ schema: 1, type: 'stress', stressId: 'own', version: version(), strategy: 's.ts' },
  strategySha256: codeHash(strategy as never),
  data: [{ file: 'a.csv', sha256: 'h' }],
  ...{ parameters: { fast: 1 }, options: { data: ['a.csv'] }, settings: { cash: 5 } },
  ...{ terms: { kind: 'permute' }, worlds: 3 },
};

describe('the manifest of a stress test', () => {
  it('is read back as the same request', () => {
    const folder = newFolder();
    const whole = { ...MANIFEST, shuffleTrades: 7, budget: { calls: 2 } };
    writeManifest(folder, whole);
    expect(readManifest(folder)).toEqual(whole);
    const { parameters, options, settings, terms, worlds } = MANIFEST;
    const request = { strategy: 's.ts', parameters, options, settings, terms, worlds };
    expect(requestOf(folder, whole)).toEqual({ ...request, shuffleTrades: 7, budget: { calls: 2 } });
    expect(requestOf(folder, MANIFEST)).toEqual(request);
    expect(() => requestOf(folder, { ...MANIFEST, strategy: null })).toThrow('were in memory');
  });

  it('is refused with invalid or unknown fields', () => {
    const changes = [{ worlds: 0 }, { shuffleTrades: 0 }, { schema: 2 }, { more: 1 }];
    const noise = [
      { unit: 'range', size: 0 },
      { unit: 'pips', size: 1 },
    ].map((one) => ({
      terms: { kind: 'noise', noise: one },
    }));
    for (const change of [...changes, ...noise]) {
      const folder = newFolder();
      writeManifest(folder, { ...MANIFEST, ...change } as never);
      expect(() => readManifest(folder)).toThrow(expect.objectContaining({ code: 'not_a_stress_test' }));
    }
    const folder = newFolder();
    const least = { ...MANIFEST, worlds: 1, shuffleTrades: 1 };
    writeManifest(folder, least);
    expect(readManifest(folder)).toEqual(least);
  });
});

describe('the result of the actual run', () => {
  it('is read as written, or is undefined if it is missing or damaged', () => {
    const folder = newFolder();
    expect(readActual(folder)).toBeUndefined();
    const actual = {
      ...{ isInsolvent: true, figures: { ...emptyFigures(), sharpe: 2 }, netPnls: [1, -2] },
      run: { symbols: ['A'], firstBar: null, lastBar: '2020-01-02', initialCash: '100' },
    };
    writeActual(folder, actual);
    expect(readActual(folder)).toEqual(actual);
    const spent = { calls: 1, tokens: 2, usd: 3, isExhausted: false };
    writeActual(folder, { ...actual, spent });
    expect(readActual(folder)).toEqual({ ...actual, spent });
    writeFileSync(join(folder, 'actual.json'), '{');
    expect(readActual(folder)).toBeUndefined();
  });
});

const row = (world: number, own: object = {}): WorldRow => ({
  ...{ world, outcome: 'completed', figures: { ...emptyFigures(), sharpe: world } },
  ...own,
});
const NOTHING = { calls: 0, tokens: 0, usd: 0, isExhausted: false };

describe('the journal of worlds', () => {
  it('returns finished worlds in their order, with the last usage', () => {
    const folder = newFolder();
    expect(holdsStress(folder)).toBe(false);
    const journal = new WorldJournal(folder);
    expect(holdsStress(folder)).toBe(true);
    expect(journal.spent).toEqual(NOTHING);
    journal.add(row(3), undefined);
    expect(journal.spent).toEqual(NOTHING);
    journal.add(row(1, { outcome: 'failed', error: 'boom' }), { ...NOTHING, calls: 4 });
    journal.add(row(2), undefined);
    expect(journal.spent).toEqual({ ...NOTHING, calls: 4 });
    journal.addSpent({ ...NOTHING, calls: 5 });
    const expected = [row(1, { outcome: 'failed', error: 'boom' }), row(2), row(3)];
    expect(journal.sorted()).toEqual(expected);
    const again = new WorldJournal(folder, { ...NOTHING, usd: 1 });
    expect(again.sorted()).toEqual(expected);
    expect(again.spent).toEqual({ ...NOTHING, calls: 5 });
  });

  it('begins with the usage of the actual run', () => {
    const spent = { ...NOTHING, usd: 1 };
    expect(new WorldJournal(newFolder(), spent).spent).toEqual(spent);
  });

  it('ignores an incomplete last line, and starts the next line after it', () => {
    const folder = newFolder();
    new WorldJournal(folder).add(row(1), { ...NOTHING, calls: 1 });
    const file = join(folder, 'worlds.jsonl');
    appendFileSync(file, '{"world":2,"outcome":"compl');
    const journal = new WorldJournal(folder);
    expect(journal.sorted()).toEqual([row(1)]);
    journal.add(row(2), undefined);
    expect(new WorldJournal(folder).sorted()).toEqual([row(1), row(2)]);
    const text = readFileSync(file, 'utf8');
    new WorldJournal(folder);
    expect(readFileSync(file, 'utf8')).toBe(text);
  });

  it('ignores worlds below 1 and unknown outcomes', () => {
    const folder = newFolder();
    const lines = [
      { ...row(1), world: 0 },
      { ...row(1), outcome: 'x' },
      { ...row(1), more: 1 },
      { spent: 1 },
    ];
    writeFileSync(join(folder, 'worlds.jsonl'), `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`);
    expect(new WorldJournal(folder).sorted()).toEqual([row(1)]);
  });
});

describe('a resumed stress test', () => {
  const runner = (own: object = {}, sources = [{ file: 'a.csv', sha256: 'h' }]) =>
    ({ strategy: { ...strategy, ...own }, sources }) as never;

  it('is refused if strategy, data or version have changed', () => {
    expect(thrownMessage(() => checkSame('f', MANIFEST, runner()))).toBe('');
    expect(thrownMessage(() => checkSame('f', MANIFEST, runner({ sha256: 'x' })))).toContain(
      's.ts: is not the strategy',
    );
    for (const sources of [[{ file: 'a.csv', sha256: 'i' }], [{ file: 'b.csv', sha256: 'h' }]])
      expect(thrownMessage(() => checkSame('f', MANIFEST, runner({}, sources)))).toContain(
        'does not contain the data',
      );
    const old = { ...MANIFEST, version: '0.0.0' };
    expect(thrownMessage(() => checkSame('f', old, runner()))).toContain(
      `Sandtable: is ${version()} now, and was 0.0.0`,
    );
  });
});

describe('the request of a stress test', () => {
  const request = (own: object) => ({ worlds: 1, terms: { kind: 'permute' }, options: {}, ...own }) as never;

  it.each([
    [{}, ''],
    [{ worlds: 2, jobs: 1, shuffleTrades: 1 }, ''],
    [{ worlds: 0 }, 'worlds: 0 is not a whole number of at least 1'],
    [{ jobs: 1.5 }, 'jobs: 1.5 is not a whole number'],
    [{ shuffleTrades: -1 }, 'shuffleTrades: -1 is not'],
    [{ terms: { kind: 'block-bootstrap', blockLength: 5 } }, ''],
    [
      { terms: { kind: 'permute', blockLength: 5 } },
      'block: requires the kind block-bootstrap, and the kind is permute',
    ],
    [{ terms: { kind: 'noise', noise: {} } }, ''],
    [{ terms: { kind: 'permute', noise: {} } }, 'noise: requires the kind noise, and the kind is permute'],
    [{ options: { detail: ['x'] } }, 'detail: finer bars cannot be used'],
  ])('%j is refused with its fault, or accepted without a fault: %s', (own, fault) => {
    const message = thrownMessage(() => checkRequest(request(own)));
    if (fault === '') expect(message).toBe('');
    else expect(message).toContain(fault);
  });

  it('needs a budget for a strategy that calls a model', () => {
    const check = (kind: string, budget?: object) =>
      thrownMessage(() => checkBudget({ budget } as never, { strategy: { file: 's.md', kind } } as never));
    expect(check('code')).toBe('');
    expect(check('llm', { calls: 1 })).toBe('');
    expect(check('llm')).toContain('s.md calls a model on every world');
    expect(check('llm', {})).toContain('has no budget');
  });
});
