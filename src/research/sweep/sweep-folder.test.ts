import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { thrownMessage } from '../../../test/support/error-of.ts';
import { lockRun } from '../../results/runs/index.ts';
import type { TrialResult } from './executor.ts';
import {
  forgetStop,
  isAskedToStop,
  readSweepJournal,
  readSweepManifest,
  refuseChangingAccount,
  SweepJournal,
  type SweepManifest,
  stopSweep,
  sweepStatus,
  writeSweepManifest,
} from './sweep-folder.ts';

const root = mkdtempSync(join(tmpdir(), 'sandtable-sweep-folder-'));
afterAll(() => rmSync(root, { recursive: true }));
afterEach(() => vi.useRealTimers());

let folders = 0;
function newFolder(): string {
  const folder = join(root, `sweep-${++folders}`);
  mkdirSync(folder);
  return folder;
}
const result = (id: string, own: object = {}): TrialResult =>
  ({ id, outcome: 'completed', figures: {}, seconds: 1, ...own }) as TrialResult;
const MANIFEST: SweepManifest = {
  ...{ schema: 1, sweepId: 'own', request: { jobs: 2 } },
  strategy: { name: 's', file: null, sha256: 'h' },
  data: [{ file: 'a.csv', sha256: null, symbols: ['A'] }],
  ...{ holdout: { from: null, warnings: [] }, versions: { sandtable: '1' }, expectedTrials: 3 },
};
const linesOf = (folder: string) =>
  readFileSync(join(folder, 'trials.jsonl'), 'utf8').split('\n').slice(0, -1);

describe('the journal of a sweep', () => {
  it('returns stored results after it is opened again, without an incomplete last line', () => {
    const folder = newFolder();
    const journal = new SweepJournal(folder);
    expect(journal.spent).toEqual({ calls: 0, tokens: 0, usd: 0 });
    journal.add(result('a'));
    journal.spend({ calls: 2, tokens: 30, usd: 0.5 });
    journal.add(result('b'));
    journal.add(result('a', { seconds: 2 }));
    expect(journal.get('a')).toEqual(result('a', { seconds: 2 }));
    expect(journal.spent).toEqual({ calls: 2, tokens: 30, usd: 0.5 });
    journal.close();
    appendFileSync(join(folder, 'trials.jsonl'), '{"id":"c","outcome":"completed"');
    const again = new SweepJournal(folder);
    expect(again.results()).toEqual([result('a', { seconds: 2 }), result('b')]);
    expect(again.get('c')).toBeUndefined();
    expect(again.spent).toEqual({ calls: 2, tokens: 30, usd: 0.5 });
    again.add(result('d'));
    again.close();
    expect(linesOf(folder).map((line) => (JSON.parse(line) as { id?: string }).id)).toEqual([
      'a',
      undefined,
      'b',
      'a',
      'd',
    ]);
  });

  it('reads the largest usage, and ignores damaged lines', () => {
    const folder = newFolder();
    const lines = [
      '{"spent":{"calls":5,"tokens":10,"usd":1}}',
      '{"spent":{"calls":4,"tokens":20,"usd":0.5}}',
      '{"spent":{"calls":"x"}}',
      'damaged',
      '{"id":1,"outcome":"completed"}',
      '{"id":"x"}',
      '{"id":"y","outcome":"failed","figures":null,"text":"{\\"spent\\":1}"}',
    ];
    writeFileSync(join(folder, 'trials.jsonl'), `${lines.join('\n')}\n`);
    const journal = new SweepJournal(folder);
    expect(journal.spent).toEqual({ calls: 5, tokens: 20, usd: 1 });
    expect(journal.results().map(({ id }) => id)).toEqual(['y']);
    journal.close();
    expect(readSweepJournal(folder).map(({ id }) => id)).toEqual(['y']);
    expect(readSweepJournal(newFolder())).toEqual([]);
  });

  it('is written after 64 results, or after a quarter of a second', () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const folder = newFolder();
    const journal = new SweepJournal(folder);
    for (let n = 0; n < 63; n++) journal.add(result(`r${n}`));
    expect(linesOf(folder)).toHaveLength(0);
    journal.add(result('r63'));
    expect(linesOf(folder)).toHaveLength(64);
    expect(vi.getTimerCount()).toBe(0);
    journal.add(result('late'));
    vi.advanceTimersByTime(249);
    expect(linesOf(folder)).toHaveLength(64);
    vi.advanceTimersByTime(1);
    expect(linesOf(folder)).toHaveLength(65);
    journal.add(result('last'));
    journal.flush();
    expect(linesOf(folder)).toHaveLength(66);
    journal.close();
    expect(linesOf(folder)).toHaveLength(66);
  });

  it('reports a folder that cannot be written', () => {
    expect(() => new SweepJournal(join(root, 'missing'))).toThrow(
      expect.objectContaining({ code: 'run_folder_unwritable', kind: 'run' }),
    );
  });
});

describe('the status of a sweep', () => {
  it('counts each trial once, and shows if the sweep is stopped, running or finished', async () => {
    const folder = newFolder();
    writeSweepManifest(folder, MANIFEST);
    expect(readSweepManifest(folder)).toEqual(MANIFEST);
    const journal = new SweepJournal(folder);
    for (const one of [result('a'), result('b', { figures: null }), result('a')]) journal.add(one);
    journal.close();
    const counts = { sweepId: 'own', trials: 2, failed: 1 };
    expect(sweepStatus(folder)).toEqual({ ...counts, state: 'stopped' });
    expect(await stopSweep(folder, {})).toBe(false);
    expect(isAskedToStop(folder)).toBe(false);
    const lock = lockRun(folder);
    expect(sweepStatus(folder)).toEqual({ ...counts, state: 'running' });
    expect(await stopSweep(folder, {})).toBe(true);
    expect(isAskedToStop(folder)).toBe(true);
    forgetStop(folder);
    forgetStop(folder);
    expect(isAskedToStop(folder)).toBe(false);
    writeFileSync(join(folder, 'sweep.json'), '{}');
    expect(sweepStatus(folder)).toEqual({ ...counts, state: 'finished' });
    lock.release();
  });

  it('is an error for another folder', () => {
    expect(() => sweepStatus(root)).toThrow(expect.objectContaining({ code: 'not_a_sweep' }));
  });
});

describe('a walk-forward that carries positions', () => {
  const costs = { slippage: () => 1 };
  const strategy = (settings: object, own: object = {}) => ({ file: 's.ts', settings, ...own }) as never;
  const refused = (strategies: readonly never[], asked: object = {}): string =>
    thrownMessage(() => refuseChangingAccount(strategies, asked));

  it('is refused if the settings or costs depend on parameters', () => {
    expect(refused([])).toBe('');
    expect(refused([strategy({ leverage: 2 })])).toBe('');
    expect(refused([strategy({ leverage: 2 }), strategy({ leverage: 2 })])).toBe('');
    expect(refused([strategy({ leverage: 2 }), strategy({ leverage: 3 })])).toContain(
      's.ts makes settings.leverage of its parameters',
    );
    expect(refused([strategy({ leverage: 2 }), strategy({ leverage: 3 })], { leverage: 1 })).toBe('');
    expect(
      refused([strategy({ evaluateFrom: '2020-01-01' }), strategy({ evaluateFrom: '2020-02-01' })]),
    ).toBe('');
    expect(refused([strategy({}, { costs }), strategy({}, { costs })])).toBe('');
    expect(
      refused([
        strategy({ lot: '1' }, { costs }),
        strategy({ lot: '1', leverage: 2 }, { costs: { slippage: () => 1 } }),
        strategy({ cash: 5 }, { costs }),
      ]),
    ).toContain('makes settings.cash, its cost models, settings.leverage, settings.lot of its');
  });
});
