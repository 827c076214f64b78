import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Redis } from 'ioredis';
import { startRedis } from '../test/support/redis.ts';
import { startWorker, type WorkerProcess } from '../test/support/worker.ts';
import type { Benchmark, Figure } from './figure.ts';

const BIN = fileURLToPath(new URL('../dist/cli/bin.js', import.meta.url));
const TRIALS = 500;
/** Seconds that the waiting workers are watched. */
const IDLE = 10;
const SWEEP = [
  ...['sweep', 'strategies/sma-cross.ts', '--data', 'data/spx-daily.csv', '--keep', 'none', '--quiet'],
  ...['--param', 'fast=5:29:1', '--param', 'slow=30:220:10', '--param', 'fraction=0.9'],
];

interface Counts {
  readonly calls: ReadonlyMap<string, number>;
  readonly bytes: number;
  readonly cpuMs: number;
}

/** What Redis has done so far, those commands among it that scripts called. */
async function countsOf(redis: Redis): Promise<Counts> {
  const text = `${await redis.info('commandstats')}${await redis.info('stats')}${await redis.info('cpu')}`;
  const value = (name: string): number => Number(new RegExp(`${name}:([\\d.]+)`).exec(text)?.[1]);
  const calls = [...text.matchAll(/cmdstat_([^:]+):calls=(\d+)/g)].map(
    ([, name = '', count]) => [name, Number(count)] as const,
  );
  return {
    calls: new Map(calls),
    bytes: value('total_net_input_bytes') + value('total_net_output_bytes'),
    cpuMs: 1_000 * (value('used_cpu_user') + value('used_cpu_sys')),
  };
}

const totalOf = ({ calls }: Counts): number => [...calls.values()].reduce((sum, count) => sum + count, 0);

function bytesIn(folder: string): number {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).reduce((sum, name) => {
    const known = statSync(join(folder, name));
    return known.isFile() ? sum + known.size : sum;
  }, 0);
}

/** A whole sweep through Redis: the command line, two worker processes, a folder as the store. */
async function wholeSweep(): Promise<Figure[]> {
  if (spawnSync('redis-server', ['--version']).status !== 0) {
    process.stderr.write('A sweep was not measured: there is no redis-server (Debian: redis-server).\n');
    return [];
  }
  const root = mkdtempSync(join(tmpdir(), 'sandtable-bench-cluster-'));
  const redis = await startRedis();
  const client = new Redis(redis.port);
  const environment = { SANDTABLE_SWEEP_SECRET: 'bench', SANDTABLE_CACHE_DIR: join(root, 'cache') };
  const store = join(root, 'store');
  const workers: WorkerProcess[] = [];
  try {
    for (let count = 0; count < 2; count++) workers.push(startWorker(redis.url, store, environment));
    for (const worker of workers) await worker.says('Waiting for sweeps');
    const idle = await countsOf(client);
    await sleep(IDLE * 1_000);
    const before = await countsOf(client);
    const started = performance.now();
    const where = ['--queue', redis.url, '--store', store, '--out', join(root, 'out')];
    const env = { ...process.env, ...environment };
    await promisify(execFile)(process.execPath, [BIN, ...SWEEP, ...where], { env });
    const seconds = (performance.now() - started) / 1_000;
    const after = await countsOf(client);
    const a = (name: string, value: number, unit: string): Figure => ({ name, value, unit });
    const byCommand = [...after.calls]
      .map(([command, calls]) => [command, calls - (before.calls.get(command) ?? 0)] as const)
      .filter(([, calls]) => calls > 0)
      .sort(([, one], [, other]) => other - one);
    return [
      a(`sweep of ${TRIALS} trials through Redis, two workers, whole process`, seconds, 's'),
      a('… Redis', (totalOf(after) - totalOf(before)) / TRIALS, 'operations a trial'),
      a('… network of Redis', (after.bytes - before.bytes) / TRIALS, 'bytes a trial'),
      a('… processor of Redis', (after.cpuMs - before.cpuMs) / TRIALS, 'ms a trial'),
      a('… store', bytesIn(store), 'bytes that each worker fetches once'),
      a('… two workers that wait', (totalOf(before) - totalOf(idle)) / IDLE, 'operations a second'),
      a('… two workers that wait: network', (before.bytes - idle.bytes) / IDLE, 'bytes a second'),
      ...byCommand.map(
        ([command, calls]): Figure => ({
          ...a(`… command ${command}`, calls / TRIALS, 'calls a trial'),
          detail: true,
        }),
      ),
    ];
  } finally {
    client.disconnect();
    await Promise.all(workers.map((worker) => worker.kill()));
    await redis.stop();
    rmSync(root, { recursive: true, force: true });
  }
}

export const clusterSweepBenchmarks: Readonly<Record<string, Benchmark>> = { clusterSweep: wholeSweep };
