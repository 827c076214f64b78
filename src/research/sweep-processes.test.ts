import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { skipBecause } from '../../test/missing.ts';
import { inDepth } from '../../test/support/depth.ts';
import { simulateMarket, toCsv } from '../market/index.ts';
import { readLedger } from '../results/runs/index.ts';

const bin = fileURLToPath(new URL('../../dist/cli/bin.js', import.meta.url));
const able = existsSync(bin) && process.platform !== 'win32';
if (!able)
  skipBecause(
    'Sweeps in processes of their own were not tested: they need a build, and a shell with ulimit.',
  );

const root = mkdtempSync(join(tmpdir(), 'sandtable-processes-'));
afterAll(() => rmSync(root, { recursive: true }));

const data = join(root, 'aaa.csv');
writeFileSync(data, toCsv(simulateMarket({ seed: 3, bars: 120, symbols: ['AAA'] }).series[0]!));
/** While this file exists, every trial with `at` ≥ 5 waits, so that the sweep pauses at the fifth trial. */
const hold = join(root, 'hold');
/**
 * While this file exists, every trial with `at` ≥ 5 takes 100 ms longer, so that another process can act
 * before the sweep ends.
 */
const slow = join(root, 'slow');
const strategy = join(root, 'slow.ts');
writeFileSync(
  strategy,
  `import { existsSync } from 'node:fs';
import { defineStrategy, z } from 'sandtable';
const pause = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
export default defineStrategy({
  name: 'slow', summary: '', parameters: z.object({ at: z.coerce.number() }),
  onBar({ bar, orders }, { parameters: { at } }) {
    if (bar === 1 && at >= 5) {
      while (existsSync(${JSON.stringify(hold)})) pause(20);
      if (existsSync(${JSON.stringify(slow)})) pause(100);
    }
    if (bar === at) orders.submit({ action: 'buy', quantity: 1 });
  },
});`,
);

const sandtable = (...argv: string[]) => spawnSync(process.execPath, [bin, ...argv], { encoding: 'utf8' });
const sweepIn = (out: string, ...more: string[]): string[] => [
  ...['sweep', strategy, '--data', data, '--keep', 'none', '--jobs', '1', '--out', out, ...more],
];
const ended = (child: ChildProcess): Promise<number | null> =>
  new Promise((resolve) => child.once('exit', (code) => resolve(code)));
const folderIn = (out: string): string =>
  join(out, readdirSync(out).find((name) => name.includes('sweep-slow'))!);
const bytes = (folder: string, name: string): string => readFileSync(join(folder, name)).toString('base64');

describe.skipIf(!able)('a sweep in a separate process', () => {
  it.runIf(inDepth(2))(
    'reports its progress and stops on request of other processes, and resumes to the same result',
    async () => {
      const grid = ['--param', 'at=1:60:1'];
      const out = join(root, 'stopped');
      for (const file of [hold, slow]) writeFileSync(file, '');
      const child = spawn(process.execPath, [bin, ...sweepIn(out, ...grid)], {
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let stderr = '';
      child.stderr!.on('data', (text: Buffer) => {
        stderr += text.toString();
      });
      const end = ended(child);
      while (!existsSync(out) || !existsSync(join(folderIn(out), 'trials.jsonl')))
        await new Promise((resolve) => setTimeout(resolve, 20));
      const folder = folderIn(out);
      const status = () =>
        JSON.parse(sandtable('sweep', 'status', folder, '--json').stdout) as Record<string, unknown>;
      expect(status()).toMatchObject({ state: 'running', failed: 0 });
      // While one process runs the sweep, another process cannot resume it.
      expect(sandtable('sweep', '--resume', folder)).toMatchObject({
        status: 1,
        stderr: expect.stringContaining('is writing') as string,
      });
      const stop = sandtable('sweep', 'stop', folder);
      expect(stop).toMatchObject({ status: 0, stdout: expect.stringContaining('stops when') as string });
      rmSync(hold);
      expect(await end).toBe(1);
      rmSync(slow);
      expect(stderr).toContain('Stopped on request');
      const { trials } = status() as { trials: number };
      expect(status()).toMatchObject({ state: 'stopped' });
      expect(trials).toBeLessThan(60);
      expect(sandtable('sweep', 'stop', folder).stdout).toContain('No process is running');
      expect(sandtable('sweep', '--resume', folder, '--quiet').status).toBe(0);
      expect(status()).toMatchObject({ state: 'finished', failed: 0 });
      expect(readLedger(out).records.length).toBe(60);
      const whole = join(root, 'whole');
      expect(sandtable(...sweepIn(whole, ...grid, '--quiet')).status).toBe(0);
      for (const name of ['trials.parquet', 'sweep.json'])
        expect(bytes(folder, name)).toBe(bytes(folderIn(whole), name));
    },
  );

  // A limit on file size makes a write fail partway, like a full disk.
  it.runIf(inDepth(2))('that fills the disk reports the file, and continues when there is room', () => {
    const grid = ['--param', 'at=1:60:1'];
    const out = join(root, 'full');
    const limited = (blocks: number, argv: readonly string[]) =>
      spawnSync('sh', ['-c', 'ulimit -f "$0"; exec "$@"', String(blocks), process.execPath, bin, ...argv], {
        encoding: 'utf8',
      });
    const full = limited(64, sweepIn(out, ...grid, '--quiet'));
    expect(full.stderr).toMatch(/error: Cannot write .*trials\.jsonl: the file would exceed/);
    expect(full.stderr).not.toMatch(/^\s+at /m);
    expect(full.status).toBe(1);
    const folder = folderIn(out);
    expect(sandtable('sweep', '--resume', folder, '--quiet').status).toBe(0);
    const whole = join(root, 'roomy');
    expect(sandtable(...sweepIn(whole, ...grid, '--quiet')).status).toBe(0);
    for (const name of ['trials.parquet', 'sweep.json'])
      expect(bytes(folder, name)).toBe(bytes(folderIn(whole), name));
    expect(new Set(readLedger(out).records.map(({ id }) => id)).size).toBe(60);
  });
});
