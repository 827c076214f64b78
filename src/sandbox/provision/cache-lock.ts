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
 * Runs `work` while no other process holds the same lock, so that a download or a build is not done twice.
 *
 * It spares work only: what is written stays correct if two hold it, because every file appears whole by a rename.
 *
 * @param folder absolute path of the lock, a folder that exists while it is held
 * @param onWait called once when another process holds it
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

/** Killed holders leave the lock behind: their process is gone, or the heartbeat has stopped. */
async function isAbandoned(folder: string): Promise<boolean> {
  const held = await stat(folder).catch(() => undefined);
  if (held === undefined) return false;
  if (Date.now() - held.mtimeMs > STALE_MS) return true;
  const [host, pid] = (await readFile(path.join(folder, 'owner'), 'utf8').catch(() => '')).split(' ');
  if (host !== os.hostname() || !Number(pid)) return false;
  return !isProcessAlive(Number(pid));
}
