import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { skipBecause } from '../../test/missing.ts';

const pathOf = (file: string): string => fileURLToPath(new URL(`../../${file}`, import.meta.url));
const bin = pathOf('dist/cli/bin.js');
const able = existsSync(bin) && process.platform !== 'win32';
if (!able) skipBecause('A run on a full disk was not tested: it needs a build, and a shell with ulimit.');

// A limit of the file size makes a write fail in the middle of a file, as a full disk does. The second value
// of each row is the limit, in blocks of `ulimit`.
it.skipIf(!able).each([
  ['its inputs', 1, 'inputs.json'],
  // The command reports only that the journal cannot be written. Its report cannot be written either, but
  // this second error is suppressed.
  ['its journal', 64, 'journal.jsonl'],
])('a run that cannot write all of %s reports it and fails', (_, blocks, file) => {
  const folder = mkdtempSync(join(tmpdir(), 'sandtable-full-'));
  try {
    const script = join(folder, 'orders.json');
    writeFileSync(script, '{"orders":[{"bar":3,"side":"buy","units":1}]}');
    const run = [bin, 'run', script, '--data', pathOf('data/spx-daily.csv'), '--out', join(folder, 'runs')];
    const limited = ['-c', 'ulimit -f "$0"; exec "$@"', String(blocks), process.execPath, ...run];
    const { status, stderr } = spawnSync('sh', limited, { encoding: 'utf8' });
    expect(stderr).toMatch(
      new RegExp(`error: Cannot write .*${file.replace('.', '\\.')}: the file would exceed`),
    );
    expect(stderr).not.toMatch(/^\s+at /m);
    expect(status).toBe(1);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
