import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { skipBecause } from '../missing.ts';

const able = spawnSync('redis-server', ['--version']).status === 0;

/** Whether a real redis-server is here; says so where it is not. */
export function redisIsHere(): boolean {
  if (!able) skipBecause('Nothing that goes through a queue was tested: there is no redis-server.');
  return able;
}

/** A redis-server of a test's own, which it may kill. */
export interface TestRedis {
  readonly port: number;
  readonly url: string;
  /** Ends it at once, as a power cut does. */
  kill(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** @param flags of redis-server, such as `--requirepass` */
export async function startRedis(flags: readonly string[] = ['--appendonly', 'yes']): Promise<TestRedis> {
  const folder = mkdtempSync(join(tmpdir(), 'sandtable-redis-'));
  const port = await freePort();
  let server: ChildProcess | undefined;
  const own = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', ''];
  const password = flags[flags.indexOf('--requirepass') + 1];
  const kill = async (): Promise<void> => {
    if (server === undefined) return;
    const ended = once(server, 'exit');
    server.kill('SIGKILL');
    await ended;
    server = undefined;
  };
  const redis: TestRedis = {
    port,
    url: `redis://127.0.0.1:${port}`,
    kill,
    async start() {
      server = spawn('redis-server', [...own, ...flags], { stdio: 'ignore' });
      const client = new Redis(port, '127.0.0.1', {
        maxRetriesPerRequest: null,
        retryStrategy: () => 50,
        ...(flags.includes('--requirepass') && password !== undefined ? { password } : {}),
      });
      client.on('error', () => undefined);
      await client.ping();
      client.disconnect();
    },
    async stop() {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  await redis.start();
  return redis;
}

export async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
