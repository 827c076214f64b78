import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { sandtable } from '../../../test/support/sandtable.ts';

const RUNS = ['reports/example-sma-cross', 'reports/example-llm-momentum'] as const;

it('skips paths that are not runs and reports them', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sandtable-compare-'));
  try {
    const empty = join(folder, 'notes');
    mkdirSync(empty);
    const mixed = await sandtable(['compare', RUNS[0], empty, 'README.md', RUNS[1], '--json']);
    expect(mixed.exitCode).toBe(0);
    expect(JSON.parse(mixed.stdout).runs).toHaveLength(2);
    expect(mixed.stderr).toContain(`Skipped ${empty}: not a run folder (no journal.jsonl).`);
    expect(mixed.stderr).toContain('Skipped README.md: not a run folder');
    const missing = await sandtable(['compare', ...RUNS, join(folder, 'missing')]);
    expect(missing.exitCode).not.toBe(0);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
