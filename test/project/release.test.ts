import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { thirdParty } from '../../docs/third-party.ts';
import { ROOT } from '../docs/blocks.ts';
import { sandtable } from '../support/sandtable.ts';

const read = (name: string): string => readFileSync(`${ROOT}${name}`, 'utf8');

it('THIRD_PARTY.md equals the output of npm run docs:licences', async () => {
  expect(read('THIRD_PARTY.md')).toBe(await thirdParty());
});

// The run folder was written by the version of 2026-11-22. Its manifest has no list of open doors (outside
// influences on a run), and the file inputs.json is missing.
describe('a run folder of an older version', () => {
  let folder: string;
  beforeAll(() => {
    folder = join(mkdtempSync(join(tmpdir(), 'sandtable-old-')), 'old-run');
    cpSync(`${ROOT}test/fixtures/old-run`, folder, { recursive: true });
  });
  afterAll(() => rmSync(join(folder, '..'), { recursive: true }));

  it('has the same metrics', async () => {
    const { readRun } = await import('../../src/index.ts');
    const { summary } = readRun(folder);
    const old = JSON.parse(read('test/fixtures/old-run/summary.json')) as Record<string, unknown>;
    for (const name of ['bars', 'finalEquity', 'totalReturn', 'maxDrawdown', 'tradeCount'])
      expect(summary[name as keyof typeof summary], name).toEqual(old[name]);
  });

  it.each([
    ['report', ['report']],
    ['trace', ['trace']],
    ['export', ['export']],
  ])('is accepted by sandtable %s', async (_, words) => {
    const { exitCode, stderr } = await sandtable([...words, folder]);
    expect(stderr).toBe('');
    expect(exitCode).toBe(0);
  });

  it('cannot be replayed, and the error states this', async () => {
    const { exitCode, stderr } = await sandtable(['replay', folder]);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/inputs\.json/);
  });
});
