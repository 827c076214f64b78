import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { skipBecause } from '../../../test/missing.ts';
import { inDepth } from '../../../test/support/depth.ts';
import { simulateMarket, toCsv } from '../../market/index.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const BIN = join(ROOT, 'dist/cli/bin.js');
const built = existsSync(BIN);
if (!built) skipBecause('Killed stress tests were not tested: they need a build.');

const root = mkdtempSync(join(tmpdir(), 'sandtable-stress-kill-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const WORLDS = 60;

const start = (...words: string[]) =>
  spawn(process.execPath, [BIN, 'stress', ...words, '--jobs', '2', '--quiet'], {
    cwd: root,
    stdio: 'ignore',
  });

const begin = (out: string) =>
  start(
    ...[join(ROOT, 'strategies/sma-cross.ts'), '--data', join(root, 'walk.csv'), '--worlds', String(WORLDS)],
    ...['--out', join(root, out)],
  );

const folderIn = (out: string): string =>
  join(root, out, readdirSync(join(root, out)).find((name) => name !== 'ledger.jsonl')!);

function worldsOf(out: string): number[] {
  try {
    const text = readFileSync(join(folderIn(out), 'worlds.jsonl'), 'utf8');
    return [...text.matchAll(/^\{"world":(\d+),.*\}$/gm)].map(([, world]) => Number(world));
  } catch {
    return [];
  }
}

it.skipIf(!built || !inDepth(1))(
  'a stress test killed twice by kill -9 continues to the same result, byte for byte',
  async () => {
    writeFileSync(join(root, 'walk.csv'), toCsv(simulateMarket({ seed: 5, bars: 1_000 }).series[0]!));
    const whole = begin('whole');
    expect((await once(whole, 'exit'))[0]).toBe(0);
    let running = begin('cut');
    for (const worlds of [10, 30]) {
      while (worldsOf('cut').length < worlds && running.exitCode === null) await sleep(5);
      running.kill('SIGKILL');
      if (running.signalCode === null && running.exitCode === null) await once(running, 'exit');
      expect(running.signalCode, 'it ended before it was killed').toBe('SIGKILL');
      running = start('--resume', folderIn('cut'));
    }
    expect((await once(running, 'exit'))[0]).toBe(0);
    // The journal contains each world exactly once, although the process was killed twice.
    expect(worldsOf('cut').sort((one, other) => one - other)).toEqual(
      Array.from({ length: WORLDS }, (_, index) => index + 1),
    );
    for (const name of ['stress.json', 'worlds.parquet', 'stress.html'])
      expect(
        readFileSync(join(folderIn('cut'), name)).equals(readFileSync(join(folderIn('whole'), name))),
      ).toBe(true);
  },
  300_000,
);
