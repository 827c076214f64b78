import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { formatInstant } from '../kernel/index.ts';
import { simulateMarket } from '../market/index.ts';
import {
  appendLedger,
  dataHashes,
  type LedgerRecord,
  type Manifest,
  readLedger,
} from '../results/runs/index.ts';
import { runStrategy } from './run-strategy.ts';
import { appendRunToLedger, heldOutOfRun } from './write-artifacts.ts';

const root = mkdtempSync(join(tmpdir(), 'sandtable-record-look-'));
afterAll(() => rmSync(root, { recursive: true }));

it('of two runs that end together only one is the first view of a holdout, and a resumed run moves to the end', async () => {
  const market = simulateMarket({ seed: 3, bars: 60 });
  const run = await runStrategy({
    strategy: 'strategies/buy-and-hold.ts',
    data: market.series,
    out: join(root, 'run'),
  });
  const manifest = JSON.parse(readFileSync(join(run.folder, 'manifest.json'), 'utf8')) as Manifest;
  const holdout: LedgerRecord = {
    kind: 'holdout',
    at: '2026-01-01T00:00:00.000Z',
    by: null,
    project: null,
    strategy: manifest.strategy.name,
    data: dataHashes(manifest),
    id: 'holdout',
    point: '',
    search: null,
    from: formatInstant(market.clock[40]!),
    to: null,
    sharpe: null,
    result: null,
  };
  const place = {
    store: root,
    warn: (text: string): void => {
      throw new Error(text);
    },
  };
  appendLedger(root, [holdout]);
  const named = (runId: string, barsWalked = 60): Manifest => ({
    ...manifest,
    runId,
    journal: { ...manifest.journal, barsWalked },
  });
  const seen = (runId: string, barsWalked?: number): number | undefined =>
    heldOutOfRun(place, named(runId, barsWalked), market)?.earlierLooks;
  const filed = (runId: string, barsWalked?: number): void =>
    appendRunToLedger(place, named(runId, barsWalked), run.summary, market);

  // Run `stopped` ends at bar 20, before the held-out bars begin at bar 40. It is recorded without a view of
  // these bars.
  expect(seen('stopped', 20)).toBeUndefined();
  filed('stopped', 20);
  // A run is recorded when it counts earlier views, before its figures are known. Run `other` therefore
  // counts the view of run `one`.
  expect([seen('one'), seen('other')]).toEqual([0, 1]);
  filed('other');
  filed('one');
  expect([seen('one'), seen('other')]).toEqual([0, 1]);
  // Run `stopped`, resumed to the last bar, now counts as the third view of the held-out bars. Its record
  // moves to the end.
  expect(seen('stopped')).toBe(2);
  filed('stopped');
  expect([seen('one'), seen('other'), seen('stopped'), seen('next')]).toEqual([0, 1, 2, 3]);
  const { records } = readLedger(root);
  expect(records.map(({ id }) => id)).toEqual(['holdout', 'one', 'other', 'stopped', 'next']);
});
