import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Benchmark, medianTime } from './figure.ts';

const BIN = fileURLToPath(new URL('../dist/cli/bin.js', import.meta.url));

function sandtable(words: readonly string[]): void {
  const { status, stderr } = spawnSync(process.execPath, [BIN, ...words], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
}

function npmStart(out: string): void {
  const words = ['start', '--silent', '--', '--out', out, '--quiet'];
  const { status, stderr } = spawnSync('npm', words, { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
}

export const processBenchmarks: Readonly<Record<string, Benchmark>> = {
  async start() {
    const out = mkdtempSync(join(tmpdir(), 'sandtable-bench-'));
    const rule = ['run', 'strategies/sma-cross.ts', '--data', 'data/spx-daily.csv', '--out', out, '--quiet'];
    const compute = await medianTime(5, () => npmStart(out));
    const plain = await medianTime(5, () => sandtable(rule));
    rmSync(out, { recursive: true });
    return [
      {
        name: 'npm start: 5,105 bars, one compute a bar, with npm, whole process',
        value: compute / 1000,
        unit: 's',
        reach: '≤ 4',
      },
      { name: '… the same bars with a TypeScript rule, whole process', value: plain / 1000, unit: 's' },
    ];
  },

  async startUp() {
    const value = await medianTime(9, () => sandtable(['--version']));
    return [{ name: 'sandtable --version, whole process', value, unit: 'ms', reach: '≤ 120' }];
  },
};
