import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { simulateMarket, toCsv } from '../../src/market/index.ts';
import { skipBecause } from '../missing.ts';
import { inDepth } from '../support/depth.ts';
import { redisIsHere, startRedis, type TestRedis } from '../support/redis.ts';
import { startWorker, type WorkerProcess } from '../support/worker.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const BIN = join(ROOT, 'dist/cli/bin.js');
const PASSWORD = 'a-password-of-tests';
const hasTools = existsSync(BIN) && spawnSync('openssl', ['version']).status === 0;
if (!hasTools) skipBecause('An encrypted queue was not tested: it needs a build and openssl.');
const able = hasTools && redisIsHere();

let root: string;
let redis: TestRedis;
let certificate: string;
const workers: WorkerProcess[] = [];

beforeAll(async () => {
  if (!able) return;
  root = mkdtempSync(join(tmpdir(), 'sandtable-secure-'));
  certificate = join(root, 'certificate.pem');
  const key = join(root, 'key.pem');
  const made = spawnSync('openssl', [
    ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=a queue of tests'],
    ...['-addext', 'subjectAltName=IP:127.0.0.1', '-keyout', key, '-out', certificate],
  ]);
  expect(made.status, String(made.stderr)).toBe(0);
  redis = await startRedis(['--appendonly', 'yes', '--requirepass', PASSWORD], { certificate, key });
  writeFileSync(join(root, 'bars.csv'), toCsv(simulateMarket({ seed: 5, bars: 60 }).series[0]!));
});
afterAll(async () => {
  await Promise.all(workers.map((worker) => worker.kill()));
  await redis?.stop();
  if (root !== undefined) rmSync(root, { recursive: true, force: true });
});

type Environment = Readonly<Record<string, string>>;

const trusting = (): Environment => ({
  NODE_EXTRA_CA_CERTS: certificate,
  SANDTABLE_REDIS_PASSWORD: PASSWORD,
  SANDTABLE_SWEEP_SECRET: 'a secret of tests',
  SANDTABLE_CACHE_DIR: join(root, 'cache'),
});

async function sweep(out: string, environment: Environment): Promise<{ code: number; text: string }> {
  const words = ['--param', 'fast=5,10', '--param', 'slow=20', '--keep', 'none', '--out', join(root, out)];
  const child = spawn(
    process.execPath,
    [
      ...[BIN, 'sweep', join(ROOT, 'strategies/sma-cross.ts'), '--data', join(root, 'bars.csv'), ...words],
      ...['--queue', redis.url, '--store', join(root, 'store')],
    ],
    { cwd: root, env: { ...process.env, ...environment }, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (bytes: Buffer) => {
      text += String(bytes);
    });
  const [code] = (await once(child, 'close')) as [number];
  return { code, text };
}

describe.skipIf(!able)('an encrypted queue with a password', () => {
  it('runs a sweep for clients that trust its certificate, and does not reveal the password in files or messages', async () => {
    const worker = startWorker(redis.url, join(root, 'store'), trusting());
    workers.push(worker);
    const { code, text } = await sweep('good', trusting());
    expect(code, text).toBe(0);
    expect(text).toContain('2 trials of sma-cross');
    expect(text).not.toContain('is not encrypted');
    expect(`${text}${worker.text()}`).not.toContain(PASSWORD);
    expect(`${text}${worker.text()}`).not.toContain('Warning: Setting the TLS ServerName');
    for (const entry of readdirSync(join(root, 'good'), { recursive: true, withFileTypes: true }))
      if (entry.isFile())
        expect(readFileSync(join(entry.parentPath, entry.name), 'latin1')).not.toContain(PASSWORD);
  });

  it('is refused by clients that do not trust its certificate, with a suggestion', async () => {
    const { NODE_EXTRA_CA_CERTS: _, ...rest } = trusting();
    const { code, text } = await sweep('untrusted', rest);
    expect(code).toBe(1);
    expect(text).toMatch(/cannot be used: .*self.signed certificate/);
    expect(text).toContain('NODE_EXTRA_CA_CERTS');
    expect(text).not.toMatch(/^\s+at /m);
  });

  it('reports the environment variable for a missing or wrong password', async () => {
    const { SANDTABLE_REDIS_PASSWORD: _, ...rest } = trusting();
    for (const environment of [rest, { ...rest, SANDTABLE_REDIS_PASSWORD: 'wrong' }]) {
      const { code, text } = await sweep('locked', environment);
      expect(code).toBe(1);
      expect(text).toContain('Set the password in SANDTABLE_REDIS_PASSWORD');
    }
  });
});

/** Mounts a file system of 8 KiB. Returns false if this process may not mount file systems. */
function smallDisk(place: string): boolean {
  mkdirSync(place, { recursive: true });
  const made = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=8k', 'tmpfs', place]);
  return made.status === 0;
}

describe.skipIf(!able || !inDepth(9))('a full disk', () => {
  it('of a worker refuses the sweep, names the place on both sides, and another worker does it', async ({
    skip,
  }) => {
    const cache = join(root, 'small');
    if (!smallDisk(cache)) skip('This process may mount no file system.');
    try {
      const worker = startWorker(redis.url, join(root, 'store'), {
        ...trusting(),
        SANDTABLE_CACHE_DIR: cache,
      });
      workers.push(worker);
      const others = workers.filter((one) => one !== worker);
      await Promise.all(others.map((one) => one.kill()));
      const running = sweep('full', trusting());
      await worker.says('Not taking part in the sweep');
      expect(worker.text()).toMatch(/Not taking part in the sweep .*: .*the disk is full/);
      workers.push(startWorker(redis.url, join(root, 'store'), trusting()));
      const { code, text } = await running;
      expect(code, text).toBe(0);
    } finally {
      spawnSync('umount', [cache]);
    }
  });
});
