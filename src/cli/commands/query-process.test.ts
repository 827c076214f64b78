import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildIsHere } from '../../../test/missing.ts';
import { inDepth } from '../../../test/support/depth.ts';

const BIN = resolve('dist/cli/bin.js');
const folder = mkdtempSync(join(tmpdir(), 'sandtable-query-'));
afterAll(() => rmSync(folder, { recursive: true }));

/**
 * Query with one value that takes DuckDB minutes to compute. During this time, DuckDB does not check whether
 * the query was interrupted.
 */
const DEAF = "select levenshtein(repeat('a', 3000000), repeat('b', 3000000)) as d";
/**
 * Query for which DuckDB allocates 1.6 GB in one step. The memory limit of DuckDB does not count this memory.
 */
const UNCOUNTED = "select levenshtein('ab', repeat('a', 200000000)) as d";

const query = (sql: string, ...flags: string[]) =>
  spawnSync(process.execPath, [BIN, 'query', sql, '--reports', folder, ...flags], { encoding: 'utf8' });

/** Returns the ids of all processes whose command line contains a text. */
function processesOf(text: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(text);
      } catch {
        return false;
      }
    })
    .map(Number);
}

async function until(holds: () => boolean): Promise<boolean> {
  for (let look = 0; look < 600; look++) {
    if (holds()) return true;
    await new Promise((done) => setTimeout(done, 100));
  }
  return false;
}

describe.skipIf(!buildIsHere())('a query in a separate process', () => {
  beforeAll(() => {
    const world = ['--data', 'data/spx-daily.csv', '--to', '2000-02-28', '--out', folder];
    const { status } = spawnSync(process.execPath, [BIN, 'run', 'strategies/buy-and-hold.ts', ...world]);
    expect(status).toBe(0);
  });

  it('prints its answer', () => {
    expect(query('select count(*) as n from runs', '--json')).toMatchObject({ status: 0, stderr: '' });
  });

  it('has no keys in its environment', () => {
    const hook = join(folder, 'hook.cjs');
    const seen = join(folder, 'seen.txt');
    writeFileSync(
      hook,
      `if (process.env.SANDTABLE_QUERY_PROCESS) require('node:fs').writeFileSync(${JSON.stringify(seen)}, Object.values(process.env).join());`,
    );
    const env = { ...process.env, NODE_OPTIONS: `--require ${hook}`, OPENAI_API_KEY: 'sk-do-not-pass-on' };
    const given = ['query', 'select 1', '--reports', folder];
    expect(spawnSync(process.execPath, [BIN, ...given], { env }).status).toBe(0);
    expect(readFileSync(seen, 'utf8')).toContain('--require');
    expect(readFileSync(seen, 'utf8')).not.toContain('sk-do-not-pass-on');
  });

  it.runIf(inDepth(5))('is ended at its timeout, even if it does not respond', () => {
    expect(query(DEAF, '--timeout', '1')).toMatchObject({
      status: 1,
      stdout: '',
      stderr: expect.stringMatching(/longer than 1 s.*--timeout/s) as unknown,
    });
  });

  it.skipIf(process.platform !== 'linux' || !inDepth(5))(
    'is ended if its process grows far beyond the memory limit',
    () => {
      expect(query(UNCOUNTED, '--memory', '64', '--timeout', '120')).toMatchObject({
        status: 1,
        stdout: '',
        stderr: expect.stringMatching(/needs more than 64 MB.*--memory/s) as unknown,
      });
    },
  );

  it.skipIf(process.platform !== 'linux' || !inDepth(5))('ends when its parent process ends', async () => {
    const marked = `${DEAF} -- ${folder}`;
    const flags = ['query', marked, '--reports', folder, '--timeout', '600'];
    const watching = spawn(process.execPath, [BIN, ...flags], { stdio: 'ignore' });
    try {
      expect(await until(() => processesOf(marked).length === 2)).toBe(true);
      // Waits until the process has started the query.
      await new Promise((done) => setTimeout(done, 5_000));
      expect(processesOf(marked)).toHaveLength(2);
      watching.kill('SIGKILL');
      expect(await until(() => processesOf(marked).length === 0)).toBe(true);
    } finally {
      watching.kill('SIGKILL');
    }
  });
});
