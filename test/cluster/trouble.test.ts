import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request as forward, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inflateRawSync } from 'node:zlib';
import { Worker } from 'bullmq';
import { startFauxqs } from 'fauxqs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { simulateMarket, toCsv } from '../../src/market/index.ts';
import { prefixOf, QUEUE } from '../../src/research/queue/names.ts';
import { signerOf } from '../../src/research/queue/secret.ts';
import { skipBecause } from '../missing.ts';
import { redisIsHere, startRedis, type TestRedis } from '../support/redis.ts';
import { startWorker, type WorkerProcess } from '../support/worker.ts';

const BIN = fileURLToPath(new URL('../../dist/cli/bin.js', import.meta.url));
const CROSSING = fileURLToPath(new URL('../../strategies/sma-cross.ts', import.meta.url));
const built = existsSync(BIN);
if (!built) skipBecause('A sweep through a slow store was not tested: it needs a build.');
const able = redisIsHere() && built;
/** Milliseconds that the slow store takes to answer: longer than a worker may be silent. */
const SLOW = 3_000;
const TRIALS = 24;

let root: string;
let redis: TestRedis;
const workers: WorkerProcess[] = [];

beforeAll(async () => {
  if (!able) return;
  root = mkdtempSync(join(tmpdir(), 'sandtable-trouble-'));
  writeFileSync(join(root, 'bars.csv'), toCsv(simulateMarket({ seed: 5, bars: 120 }).series[0]!));
  redis = await startRedis();
});
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.kill()));
});
afterAll(async () => {
  await redis?.stop();
  if (root !== undefined) rmSync(root, { recursive: true, force: true });
});

interface Ended {
  readonly code: number | null;
  readonly text: string;
}

/** A sweep of 24 trials to its end. */
function sweep(
  out: string,
  more: readonly string[] = [],
  environment: NodeJS.ProcessEnv = {},
): Promise<Ended> {
  const grid = ['--param', 'fast=3:8:1', '--param', 'slow=10:40:10', '--param', 'fraction=0.5'];
  const words = ['sweep', CROSSING, '--data', join(root, 'bars.csv'), ...grid, '--keep', 'none', '--quiet'];
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [BIN, ...words, '--out', join(root, out), ...more],
      { env: { ...process.env, SANDTABLE_SWEEP_SECRET: 'a secret of tests', ...environment } },
      (_, stdout, stderr) => resolve({ code: child.exitCode, text: `${stdout}${stderr}` }),
    );
  });
}

function hire(store: string, name: string, environment: NodeJS.ProcessEnv = {}): WorkerProcess {
  const worker = startWorker(redis.url, store, {
    SANDTABLE_SWEEP_SECRET: 'a secret of tests',
    SANDTABLE_CACHE_DIR: join(root, `cache-${name}`),
    ...environment,
  });
  workers.push(worker);
  return worker;
}

const folderIn = (out: string): string =>
  join(root, out, readdirSync(join(root, out)).find((name) => name !== 'ledger.jsonl')!);

/** Every trial once, and the rows of one machine. */
async function expectWhole(out: string): Promise<void> {
  const alone = await sweep(`${out}-alone`, ['--jobs', '1']);
  expect(alone.code, alone.text).toBe(0);
  const rows = (of: string): Buffer => readFileSync(join(folderIn(of), 'trials.parquet'));
  expect(rows(out).equals(rows(`${out}-alone`))).toBe(true);
  const lines = readFileSync(join(folderIn(out), 'trials.jsonl'), 'utf8')
    .trim()
    .split('\n');
  const ids = lines.map((line) => (JSON.parse(line) as { id: string }).id);
  expect(new Set(ids).size).toBe(TRIALS);
  // The best may be asked once more, for its whole summary.
  expect(ids.length).toBeLessThanOrEqual(TRIALS + 1);
}

/** Passes requests on; what is read from it takes long. */
async function slowly(port: number, read: (path: string) => void): Promise<Server> {
  const server = createServer((asked, answer) => {
    const parts: Buffer[] = [];
    asked.on('data', (part: Buffer) => parts.push(part));
    asked.on('end', () => {
      const { method, url: path, headers } = asked;
      if (method === 'GET') read(path ?? '');
      const pass = (): void => {
        const passed = forward({ host: '127.0.0.1', port, method, path, headers }, (given) => {
          answer.writeHead(given.statusCode ?? 500, given.headers);
          given.pipe(answer);
        });
        passed.on('error', () => answer.destroy());
        passed.end(Buffer.concat(parts));
      };
      setTimeout(pass, method === 'GET' ? SLOW : 0);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

describe.skipIf(!able)('a sweep on many machines', () => {
  it('through a store whose reads take longer than a worker may be silent has every trial once', async () => {
    const s3 = await startFauxqs({ port: 0, host: '127.0.0.1', logger: false });
    s3.createBucket('sweeps');
    const reads: string[] = [];
    const slow = await slowly(s3.port, (path) => reads.push(path));
    try {
      const environment = {
        AWS_ENDPOINT_URL: `http://127.0.0.1:${(slow.address() as AddressInfo).port}`,
        AWS_ACCESS_KEY_ID: 'some',
        AWS_SECRET_ACCESS_KEY: 'key',
        AWS_REGION: 'us-east-1',
      };
      const store = 's3://sweeps/tests';
      const hired = ['one', 'other'].map((name) => hire(store, name, environment));
      const end = await sweep(
        'slow',
        ['--queue', redis.url, '--store', store, '--worker-timeout', '2'],
        environment,
      );
      expect(end.code, end.text).toBe(0);
      await expectWhole('slow');
      // The coordinator looks whether an object is there; a worker fetches it once.
      const times = new Map<string, number>();
      for (const path of reads) times.set(path, (times.get(path) ?? 0) + 1);
      expect(times.size).toBeGreaterThanOrEqual(3);
      expect(Math.max(...times.values())).toBeLessThanOrEqual(1 + hired.length);
    } finally {
      slow.closeAllConnections();
      slow.close();
      await s3.stop();
    }
  }, 300_000);

  it('refuses results that are not signed, or with another secret, and has the trials run by who knows it', async () => {
    const store = join(root, 'store');
    const running = sweep('forged', ['--queue', redis.url, '--store', store, '--worker-timeout', '2']);
    const manifest = (): string | undefined => {
      try {
        return readFileSync(join(folderIn('forged'), 'sweep-manifest.json'), 'utf8');
      } catch {
        return undefined;
      }
    };
    await expect.poll(manifest, { timeout: 60_000 }).toBeDefined();
    const { request } = JSON.parse(manifest()!) as { request: { cluster: { sweep: string } } };
    // Somebody who may write to Redis, and has read how results look.
    const stranger = signerOf('a guess');
    let forged = 0;
    const forger = new Worker<{ body: string }>(
      QUEUE,
      ({ id, data }) => {
        forged += 1;
        const read = JSON.parse(inflateRawSync(Buffer.from(data.body, 'base64')).toString('utf8')) as unknown;
        const { trials, ...rest } = read as { trials: { id: string }[] };
        const result = {
          ...rest,
          batch: id,
          worker: 'stranger',
          outcomes: trials.map((trial) => ({
            id: trial.id,
            result: { id: trial.id, outcome: 'completed', figures: { sharpe: 99 }, seconds: 0 },
            isDoubtful: false,
          })),
        };
        return Promise.resolve(forged === 1 ? result : stranger.sign('result', result));
      },
      {
        prefix: prefixOf(request.cluster.sweep),
        connection: { host: '127.0.0.1', port: redis.port, maxRetriesPerRequest: null },
        concurrency: 1,
        autorun: false,
      },
    );
    forger.on('completed', () => {
      if (forged >= 2) void forger.pause(true);
    });
    void forger.run();
    await expect.poll(() => forged, { timeout: 60_000 }).toBeGreaterThanOrEqual(2);
    hire(store, 'honest');
    const end = await running;
    await forger.close(true);
    expect(end.code, end.text).toBe(0);
    expect(end.text).toMatch(/is refused: it is not signed/);
    expect(end.text).toMatch(/is refused: its signature does not fit SANDTABLE_SWEEP_SECRET/);
    await expectWhole('forged');
  }, 300_000);
});
