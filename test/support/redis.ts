import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { skipBecause } from '../missing.ts';
import { freePort } from './free-port.ts';

let able: boolean | undefined;

/** Returns true if the program redis-server is installed. Otherwise reports the skipped tests. */
export function redisIsHere(): boolean {
  able ??= spawnSync('redis-server', ['--version']).status === 0;
  if (!able) skipBecause('Nothing that goes through a queue was tested: there is no redis-server.');
  return able;
}

/** Separate redis-server of one test, which may kill it. */
export interface TestRedis {
  readonly port: number;
  readonly url: string;
  /** Kills the server immediately, like a power failure. */
  kill(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts a redis-server on a free port.
 *
 * @param flags flags of redis-server, such as `--requirepass`
 * @param tls files with a certificate and its key. The server then accepts only TLS connections
 */
export async function startRedis(
  flags: readonly string[] = ['--appendonly', 'yes'],
  tls?: { readonly certificate: string; readonly key: string },
): Promise<TestRedis> {
  const folder = mkdtempSync(join(tmpdir(), 'sandtable-redis-'));
  const port = await freePort();
  let server: ChildProcess | undefined;
  const doors =
    tls === undefined
      ? ['--port', String(port)]
      : [
          ...['--port', '0', '--tls-port', String(port), '--tls-auth-clients', 'no'],
          ...[
            '--tls-cert-file',
            tls.certificate,
            '--tls-key-file',
            tls.key,
            '--tls-ca-cert-file',
            tls.certificate,
          ],
        ];
  const own = [...doors, '--bind', '127.0.0.1', '--dir', folder, '--save', ''];
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
    url: `${tls === undefined ? 'redis' : 'rediss'}://127.0.0.1:${port}`,
    kill,
    async start() {
      server = spawn('redis-server', [...own, ...flags], { stdio: 'ignore' });
      const client = new Redis(port, '127.0.0.1', {
        maxRetriesPerRequest: null,
        retryStrategy: () => 50,
        ...(tls === undefined ? {} : { tls: { rejectUnauthorized: false } }),
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
