import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { runRecord } from '../../../test/support/records.ts';
import { runSummarySchema } from '../analysis/index.ts';
import { sha256OfFile } from './files.ts';
import { manifestOf } from './manifest.ts';
import { createRunFolder, type PageSource, runIdFor, writeRunFiles } from './run-folder.ts';

const root = mkdtempSync(join(tmpdir(), 'sandtable-reports-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

describe('runIdFor', () => {
  const now = new Date('2026-11-21T21:59:00.750Z');

  it('contains the time, the strategy and six digits of the key', () => {
    expect(runIdFor('sma-cross', now, 'a')).toMatch(/^20261121-215900-sma-cross-[0-9a-f]{6}$/);
    expect(runIdFor('sma-cross', now, 'a')).toBe(runIdFor('sma-cross', now, 'a'));
    expect(runIdFor('sma-cross', now, 'a')).not.toBe(runIdFor('sma-cross', now, 'b'));
  });

  it.each([
    ['../../etc/Passwd', 'etc-passwd'],
    ['Crème brûlée', 'creme-brulee'],
    ['策略', 'run'],
    [`${'x'.repeat(39)}--y`, 'x'.repeat(39)],
  ])('converts %j to a plain folder name', (name, slug) => {
    expect(runIdFor(name, now, '').slice(16, -7)).toBe(slug);
  });
});

describe('createRunFolder', () => {
  it('creates missing parent folders, and never returns a folder twice', () => {
    const out = join(root, 'deep', 'reports');
    expect(createRunFolder(out, 'run')).toEqual({ runId: 'run', folder: join(out, 'run') });
    expect(createRunFolder(out, 'run')).toEqual({ runId: 'run-2', folder: join(out, 'run-2') });
    expect(createRunFolder(out, 'run').runId).toBe('run-3');
    expect(readdirSync(out).sort()).toEqual(['run', 'run-2', 'run-3']);
  });

  it('does not use the name of an existing file', () => {
    writeFileSync(join(root, 'taken'), '');
    expect(createRunFolder(root, 'taken').runId).toBe('taken-2');
  });

  it.each(['', '..', 'a/b', '.hidden', 'a b'])('refuses %j', (runId) => {
    expect(() => createRunFolder(root, runId)).toThrow(expect.objectContaining({ code: 'bad_run_id' }));
  });

  it('reports that a folder cannot be created', () => {
    const file = join(root, 'a-file');
    writeFileSync(file, '');
    expect(() => createRunFolder(file, 'run')).toThrow(
      expect.objectContaining({ code: 'run_folder_unwritable', hint: expect.stringContaining('--out') }),
    );
  });
});

describe('writeRunFiles', () => {
  const record = runRecord({ strategy: 'sma-cross', equity: [100, 110] });
  const { runId, folder } = createRunFolder(root, 'written');
  const journal = join(folder, 'journal.jsonl');
  writeFileSync(journal, 'abc');
  const manifest = manifestOf(record, {
    runId,
    strategyFile: 'strategies/sma-cross.ts',
    strategySha256: 'f'.repeat(64),
    versions: { sandtable: '0.1.0', node: '20.18.0' },
    sources: [
      {
        file: 'a.csv',
        symbols: ['AAA'],
        sha256: 'e'.repeat(64),
        bars: 2,
        firstBar: '2024-01-01',
        lastBar: '2024-01-02',
      },
    ],
    adjustments: ['1 gap allowed'],
    journalSha256: sha256OfFile(journal),
  });
  const timing = {
    startedAt: '2026-11-21T21:59:00Z',
    finishedAt: '2026-11-21T21:59:02Z',
    seconds: 2,
    barsPerSecond: 1,
    tools: { compute: { calls: 2, p50Milliseconds: 0.4, p95Milliseconds: 0.9 } },
  };
  const page = (source: PageSource): string => `<title>${source.runId}</title>`;
  const { summary } = writeRunFiles(folder, { manifest, record, timing, page });
  const json = (name: string): unknown => JSON.parse(readFileSync(join(folder, name), 'utf8'));

  it('writes exactly the files of a run', () => {
    expect(readdirSync(folder).sort()).toEqual([
      'equity.csv',
      'journal.jsonl',
      'manifest.json',
      'report.html',
      'summary.json',
      'timing.json',
      'trades.csv',
    ]);
  });

  it('returns the content of summary.json', () => {
    expect(runSummarySchema.parse(json('summary.json'))).toEqual(summary);
    expect(summary.runId).toBe(runId);
  });

  it('records the inputs of the run in manifest.json, without wall-clock time', () => {
    // The SHA-256 of "abc" is an example in FIPS 180-2.
    expect(json('manifest.json')).toMatchObject({
      runId,
      outcome: 'completed',
      sealed: false,
      openDoors: ['strategy code runs with your rights'],
      seed: 7,
      strategy: { name: 'sma-cross', file: 'strategies/sma-cross.ts' },
      settings: { cash: '100' },
      data: { bars: 2, adjustments: ['1 gap allowed'] },
      journal: { sha256: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad', barsWalked: 2 },
    });
    expect(readFileSync(join(folder, 'manifest.json'), 'utf8')).not.toContain('2026-11-21T');
    expect(json('timing.json')).toEqual(timing);
  });

  it('leaves the old file if a file cannot be written, without a partial file, and reports its name', () => {
    const blocked = createRunFolder(root, 'blocked').folder;
    writeRunFiles(blocked, { manifest, record, timing, page });
    rmSync(join(blocked, 'summary.json'));
    mkdirSync(join(blocked, 'summary.json', 'in-the-way'), { recursive: true });
    const before = readFileSync(join(blocked, 'manifest.json'), 'utf8');
    expect(() =>
      writeRunFiles(blocked, { manifest: { ...manifest, runId: 'other' }, record, timing, page }),
    ).toThrow(
      expect.objectContaining({
        code: 'run_folder_unwritable',
        message: expect.stringContaining('summary.json'),
      }),
    );
    expect(readFileSync(join(blocked, 'manifest.json'), 'utf8')).toBe(before);
    expect(readdirSync(blocked).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  it('reports a missing folder with a hint', () => {
    const gone = join(root, 'gone');
    expect(() => writeRunFiles(gone, { manifest, record, timing, page })).toThrow(
      expect.objectContaining({ code: 'run_folder_unwritable' }),
    );
    expect(existsSync(gone)).toBe(false);
    expect(() => sha256OfFile(join(gone, 'x'))).toThrow(expect.objectContaining({ code: 'file_unreadable' }));
  });
});
