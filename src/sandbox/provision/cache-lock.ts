import { mkdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isProcessAlive } from '../../kernel/index.ts';
import { makeFolder } from './cache-file.ts';

const HEARTBEAT_MS = 2_000;
const STALE_MS = 20_000;
const POLL_MS = 100;

/**
 * Runs `work` under a lock, so that no other process repeats a download or a build at the same time.
 *
 * The lock only saves work. If two processes own it, the results remain correct, because every file is
 * created by a rename.
 *
 * @param folder absolute path of the lock, a folder that exists while the lock is taken
 * @param onWait called once if another process owns the lock
 */
export async function withCacheLock<Result>(
  folder: string,
  work: () => Promise<Result>,
  onWait: () => void = () => {},
  signal?: AbortSignal,
): Promise<Result> {
  await makeFolder(path.dirname(folder));
  let waited = false;
  while (!(await tryTake(folder))) {
    signal?.throwIfAborted();
    if (await isAbandoned(folder)) {
      await rm(folder, { recursive: true, force: true });
      continue;
    }
    if (!waited) onWait();
    waited = true;
    await delay(POLL_MS);
  }
  const heartbeat = setInterval(() => {
    const now = new Date();
    utimes(folder, now, now).catch(() => {});
  }, HEARTBEAT_MS);
  heartbeat.unref();
  try {
    return await work();
  } finally {
    clearInterval(heartbeat);
    await rm(folder, { recursive: true, force: true });
  }
}

async function tryTake(folder: string): Promise<boolean> {
  try {
    await mkdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
  await writeFile(path.join(folder, 'owner'), `${os.hostname()} ${process.pid}`).catch(() => {});
  return true;
}

/** Returns true if the owner of a lock was killed: its process has ended, or the heartbeat has stopped. */
async function isAbandoned(folder: string): Promise<boolean> {
  const held = await stat(folder).catch(() => undefined);
  if (held === undefined) return false;
  if (Date.now() - held.mtimeMs > STALE_MS) return true;
  const [host, pid] = (await readFile(path.join(folder, 'owner'), 'utf8').catch(() => '')).split(' ');
  if (host !== os.hostname() || !Number(pid)) return false;
  return !isProcessAlive(Number(pid));
}
