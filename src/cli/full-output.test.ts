import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { buildIsHere } from '../../test/missing.ts';

const BIN = resolve('dist/cli/bin.js');
const FULL = '/dev/full';
const folder = mkdtempSync(join(tmpdir(), 'sandtable-full-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe.skipIf(!buildIsHere() || !existsSync(FULL))('results that cannot be written', () => {
  it.each([{ flags: ['--json'] }, { flags: [] }])(
    'end a run of TypeScript with exit code 1: $flags',
    ({ flags }) => {
      const world = ['--data', 'data/spx-daily.csv', '--to', '2000-02-28', '--out', folder];
      const { status, stderr } = spawnSync(
        process.execPath,
        [BIN, 'run', 'strategies/buy-and-hold.ts', ...world, ...flags],
        { stdio: ['ignore', openSync(FULL, 'w'), 'pipe'], encoding: 'utf8' },
      );
      expect([status, stderr]).toEqual([
        1,
        expect.stringContaining('Cannot write the results to standard output: the disk is full'),
      ]);
    },
  );
});
