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

// A file size limit makes a write fail in the middle, like a full disk.
it.skipIf(!able).each([
  ['its inputs', 1, 'inputs.json'],
  // The error of the journal is reported. The report cannot be written either, which is not reported.
  ['its journal', 64, 'journal.jsonl'],
])(
  'a run that cannot write all of %s reports it and fails',
  (_, blocks, file) => {
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
  },
  60_000,
);
