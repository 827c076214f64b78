import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { sweepOfNine } from '../../../../test/fixtures/sweep-result.ts';
import type { RunSummary } from '../../analysis/index.ts';
import type { Manifest } from '../manifest.ts';
import type { SweepResult } from './sweep-result.ts';
import { testsOfRun } from './tests-of-run.ts';

const root = mkdtempSync(join(tmpdir(), 'sandtable-tests-of-run-'));
afterAll(() => rmSync(root, { recursive: true }));
let stores = 0;

const { result } = sweepOfNine();

/** Returns `hasRun` of a sweep with the result of `sweepOfNine`, in which `own` replaces fields. */
function hasRun(parameters: object, own: Partial<SweepResult> = {}): boolean | undefined {
  const store = join(root, String(++stores));
  const [folder, sweep] = [join(store, 'run'), join(store, '20260101-000000-sweep-sma-cross-abcdef')];
  for (const one of [folder, sweep]) mkdirSync(one, { recursive: true });
  const data = [{ sha256: 'd' }];
  writeFileSync(
    join(sweep, 'sweep-manifest.json'),
    JSON.stringify({ strategy: { name: 'sma-cross' }, data }),
  );
  writeFileSync(join(sweep, 'sweep.json'), JSON.stringify({ ...result, ...own }));
  const manifest = { strategy: { name: 'sma-cross', parameters }, data: { sources: data } };
  const { sweeps } = testsOfRun(folder, manifest as unknown as Manifest, {} as RunSummary);
  expect(sweeps).toHaveLength(1);
  return sweeps[0]!.hasRun;
}

const top = result.top.slice(0, 2);
const random = { ...result.search, name: 'random' };

it('a sweep has the run if the parameters of the run are those of a listed trial', () => {
  expect(hasRun({ fast: 10, slow: 40, other: 1 }, { top, search: random })).toBe(true);
});

it('a sweep has every run in the space of a complete grid', () => {
  expect(hasRun({ fast: 5, slow: 20 }, { top })).toBe(true);
  const counts = { ...result.counts, trials: 7, refused: 2 };
  expect(hasRun({ fast: 5, slow: 20 }, { top, counts })).toBe(true);
});

it('a sweep does not have a run outside of its space', () => {
  expect(hasRun({ fast: 6, slow: 20 })).toBe(false);
  expect(hasRun({ fast: 5 })).toBe(false);
  const space = [{ name: 'size', low: 0, high: 1, given: 'flag' as const }];
  expect(hasRun({ size: 2 }, { top: [], space })).toBe(false);
});

it('it is unknown if a sweep of a part of its space has the run', () => {
  expect(hasRun({ fast: 5, slow: 20 }, { top, search: random })).toBeUndefined();
  const counts = { ...result.counts, trials: 4, refused: 2 };
  expect(hasRun({ fast: 5, slow: 20 }, { top, counts })).toBeUndefined();
  const space = [{ name: 'size', low: 0, high: 1, given: 'flag' as const }];
  expect(hasRun({ size: 0.5 }, { top: [], space, search: random })).toBeUndefined();
});

it('a sweep without swept parameters has only a run without parameters', () => {
  const none = { space: [], top: top.map((trial) => ({ ...trial, parameters: {} })) };
  expect(hasRun({}, none)).toBe(true);
  expect(hasRun({ fast: 5 }, none)).toBeUndefined();
});
