import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { simulateMarket, toCsv } from '../../src/market/index.ts';
import { skipBecause } from '../missing.ts';
import { inDepth } from '../support/depth.ts';
import { redisIsHere, startRedis, type TestRedis } from '../support/redis.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const BIN = join(ROOT, 'dist/cli/bin.js');
const built = existsSync(BIN);
if (!built) skipBecause('Sweeps on many machines were not tested: they need a build.');
const able = redisIsHere() && built;

/**
 * Strategy that buys and sells depending on the number of the bar. Tests replace `POISON`, for example by
 * code that kills its thread or never returns for one combination of parameters.
 */
const STRATEGY = `
import { defineStrategy, z } from 'sandtable';
export default defineStrategy({
  name: 'tiny',
  summary: 'Buys and sells by the number of the bar.',
  parameters: z.object({ a: z.coerce.number().int().default(1), b: z.coerce.number().int().default(1) }),
  onBar({ bar, orders, account }, { parameters: { a, b } }) {
    POISON
    if (bar % (a + 1) === 0 && account.units() === 0) orders.submit({ action: 'buy', units: b });
    else if (bar % (a + 3) === 0 && account.units() !== 0) orders.close();
  },
});
`;

let root: string;
let redis: TestRedis;
const running = new Set<ChildProcess>();

beforeAll(async () => {
  if (!able) return;
  root = mkdtempSync(join(tmpdir(), 'sandtable-cluster-'));
  writeFileSync(join(root, 'bars.csv'), toCsv(simulateMarket({ seed: 5, bars: 40 }).series[0]!));
  writeFileSync(join(root, 'tiny.ts'), STRATEGY.replace('POISON', ''));
});
// Each test has its own Redis server, so that its workers cannot find the sweep of another test.
beforeEach(async () => {
  if (able) redis = await startRedis();
});
afterEach(async () => {
  for (const child of running) {
    child.kill('SIGCONT');
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  }
  await redis?.stop();
});
afterAll(() => {
  if (root !== undefined) rmSync(root, { recursive: true, force: true });
});

interface Started {
  readonly child: ChildProcess;
  readonly text: () => string;
  readonly ended: Promise<number | null>;
}

function start(words: readonly string[], more: Readonly<Record<string, string>> = {}, bin = BIN): Started {
  const child = spawn(process.execPath, [bin, ...words], {
    cwd: root,
    env: {
      ...process.env,
      SANDTABLE_SWEEP_SECRET: 'a secret of tests',
      SANDTABLE_CACHE_DIR: join(root, 'cache'),
      ...more,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (bytes: Buffer) => {
      text += String(bytes);
    });
  const ended = once(child, 'exit').then(([code]: (number | null)[]) => {
    running.delete(child);
    return code ?? null;
  });
  return { child, text: () => text, ended };
}

const store = (): string => join(root, 'store');
const worker = (more: Readonly<Record<string, string>> = {}, bin = BIN): Started =>
  start(['worker', '--queue', redis.url, '--store', store(), '--jobs', '1'], more, bin);
const queued = (): string[] => ['--queue', redis.url, '--store', store(), '--worker-timeout', '2'];
const sweep = (strategy: string, b: string, out: string, more: readonly string[] = []): Started =>
  start([
    'sweep',
    join(root, strategy),
    ...['--data', join(root, 'bars.csv'), '--param', 'a=1:25:1', '--param', `b=${b}`, '--keep', 'none'],
    ...['--out', join(root, out), '--quiet', ...more],
  ]);

/** Returns the folder of the only sweep in a results folder. */
const folderIn = (out: string): string =>
  join(root, out, readdirSync(join(root, out)).find((name) => name !== 'ledger.jsonl')!);
const trialsOf = (out: string): Buffer => readFileSync(join(folderIn(out), 'trials.parquet'));
const linesOf = (out: string): string[] => {
  try {
    return readFileSync(join(folderIn(out), 'trials.jsonl'), 'utf8')
      .trim()
      .split('\n');
  } catch {
    return [];
  }
};

async function oneMachine(strategy: string, b: string, out: string): Promise<Buffer> {
  const local = sweep(strategy, b, out, ['--jobs', '2']);
  expect(await local.ended, local.text()).toBe(0);
  return trialsOf(out);
}

const until = (what: () => boolean): Promise<void> =>
  expect.poll(what, { timeout: 120_000, interval: 20 }).toBe(true);

describe.skipIf(!able)('a sweep on several machines', () => {
  it.runIf(inDepth(3))(
    'has the result of one machine even if workers, Redis and the coordinator are killed',
    async () => {
      const wanted = await oneMachine('tiny.ts', '1:20:1', 'one');
      const workers = [worker(), worker(), worker()];
      const first = sweep('tiny.ts', '1:20:1', 'many', queued());
      const count = (): number => (existsSync(join(root, 'many')) ? linesOf('many').length : 0);
      const killWorker = (at: number): void => {
        workers[at]!.child.kill('SIGKILL');
        workers[at] = worker();
      };
      await until(() => count() > 30);
      killWorker(0);
      await until(() => count() > 90);
      await redis.kill();
      killWorker(1);
      await redis.start();
      await until(() => count() > 180);
      first.child.kill('SIGKILL');
      await first.ended;
      killWorker(2);
      const second = start(['sweep', '--resume', folderIn('many'), '--quiet']);
      await until(() => count() > 300 || second.child.exitCode !== null);
      killWorker(0);
      expect(await second.ended, second.text()).toBe(0);
      expect(trialsOf('many').equals(wanted)).toBe(true);
      const ids = linesOf('many').map((line) => (JSON.parse(line) as { id: string }).id);
      // After the sweep, the best trial may run a second time for its complete summary.
      expect(new Set(ids).size).toBe(500);
      expect(ids.length).toBeLessThanOrEqual(501);
      const manifest = readFileSync(join(folderIn('many'), 'sweep-manifest.json'), 'utf8');
      expect(manifest).not.toContain('a secret of tests');
      const client = new Redis(redis.port);
      // The locks of a killed worker and its notes on stalled jobs have an expiry time. Redis removes them
      // within seconds.
      await expect.poll(() => client.keys('*'), { timeout: 120_000 }).toEqual([]);
      client.disconnect();
      // Ctrl-C ends an idle worker immediately and with exit code 0.
      await until(() => /Waiting for sweeps/.test(workers[0]!.text()));
      workers[0]!.child.kill('SIGINT');
      expect(await workers[0]!.ended, workers[0]!.text()).toBe(0);
    },
    300_000,
  );

  it.runIf(inDepth(3))(
    'continues after a failing trial, a trial that kills its process, and a worker that hangs',
    async () => {
      const poison = `
      if (a === 7) throw new Error('poisoned');
      if (a === 9 && process.title === 'sandtable worker') process.kill(process.pid, 'SIGKILL');`;
      writeFileSync(join(root, 'poisoned.ts'), STRATEGY.replace('POISON', poison));
      const hung = worker();
      const running = sweep('poisoned.ts', '1', 'poisoned', [...queued(), '--retries', '1', '--json']);
      await until(() => /Working for/.test(hung.text()));
      hung.child.kill('SIGSTOP');
      let alive = worker();
      let isOver = false;
      const nurse = (async () => {
        while (!isOver) {
          await Promise.race([alive.ended, running.ended]);
          if (running.child.exitCode !== null || running.child.signalCode !== null) isOver = true;
          else alive = worker();
        }
      })();
      expect(await running.ended, running.text()).toBe(0);
      await nurse;
      const results = linesOf('poisoned').map(
        (line) => JSON.parse(line) as { outcome: string; error?: { message: string } },
      );
      const failed = results.filter(({ outcome }) => outcome === 'failed').map(({ error }) => error?.message);
      expect(failed).toHaveLength(2);
      expect(failed.join('\n')).toMatch(/poisoned/);
      expect(failed.join('\n')).toMatch(/the strategy ended its thread/);
      expect(results.length).toBeGreaterThanOrEqual(25);
    },
    300_000,
  );

  it.runIf(inDepth(5))(
    'is ignored by workers with another version or secret',
    async () => {
      const other = join(root, 'other');
      mkdirSync(other, { recursive: true });
      cpSync(join(ROOT, 'dist'), join(other, 'dist'), { recursive: true });
      symlinkSync(join(ROOT, 'node_modules'), join(other, 'node_modules'));
      mkdirSync(join(other, 'src/sandbox'), { recursive: true });
      symlinkSync(join(ROOT, 'src/sandbox/python'), join(other, 'src/sandbox/python'));
      const own = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
      writeFileSync(join(other, 'package.json'), JSON.stringify({ ...own, version: '0.0.9' }));
      const workers = [
        worker({}, join(other, 'dist/cli/bin.js')),
        worker({ SANDTABLE_SWEEP_SECRET: 'wrong' }),
      ];
      const coordinator = sweep('tiny.ts', '1', 'refused', queued());
      await until(() => /Not taking part in the sweep.*Sandtable 0\.0\.9/.test(workers[0]!.text()));
      await until(() =>
        /Not taking part in the sweep.*does not match SANDTABLE_SWEEP_SECRET/.test(workers[1]!.text()),
      );
      await until(() => /does not take part: it was written by Sandtable.*0\.0\.9/.test(coordinator.text()));
      const right = worker();
      expect(await coordinator.ended, coordinator.text()).toBe(0);
      expect(`${workers[0]!.text()}${coordinator.text()}${right.text()}`).not.toMatch(/a secret of tests/);
    },
    300_000,
  );
});

// A limit on the file size makes a write fail in the middle of a file, like a full disk.
it.skipIf(!able || process.platform === 'win32')('a full disk of the store is reported', async () => {
  const words = ['sweep', join(root, 'tiny.ts'), '--data', join(root, 'bars.csv'), '--param', 'a=1,2'];
  const all = [BIN, ...words, '--keep', 'none', '--out', join(root, 'full'), ...queued().slice(0, 2)];
  const place = join(root, 'full-store');
  const child = spawn(
    'sh',
    ['-c', 'ulimit -f 4; exec "$@"', 'sh', process.execPath, ...all, '--store', place],
    { env: { ...process.env, SANDTABLE_SWEEP_SECRET: 'x' }, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let text = '';
  child.stderr.on('data', (bytes: Buffer) => {
    text += String(bytes);
  });
  const [code] = (await once(child, 'exit')) as [number];
  expect(text).toMatch(/error: Cannot write .*(the file would exceed the maximum file size|File too large)/);
  expect(text).not.toMatch(/^\s+at /m);
  expect(code).toBe(1);
});
