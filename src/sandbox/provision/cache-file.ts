import { createHash } from 'node:crypto';
import { chmod, mkdir, open, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  AppError,
  fileProblem,
  hashOfFile,
  isProcessAlive,
  renameDurably,
  writeDurably,
} from '../../kernel/index.ts';

/** Returns the SHA-256 of bytes or of a UTF-8 text in lower-case hexadecimal. */
export function sha256(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Returns the SHA-256 of a file in lower-case hexadecimal. `undefined` if the file does not exist. */
export async function sha256OfFile(file: string): Promise<string | undefined> {
  try {
    return await hashOfFile(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Creates a cache folder and its parents. Only this user can access the folder, because files in it are
 * executed.
 *
 * @throws AppError `cache_unwritable`
 */
export async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
  } catch (cause) {
    throw new AppError({
      code: 'cache_unwritable',
      message: `Cannot create the cache folder ${folder}: ${fileProblem(cause)}.`,
      hint: 'Choose another folder with SANDTABLE_CACHE_DIR.',
      cause,
    });
  }
}

/**
 * Creates the subfolders of a cache folder. Also removes other users' access to subfolders that earlier
 * versions of Sandtable created.
 */
export async function makeCacheFolders(cacheFolder: string): Promise<void> {
  for (const name of ['images', 'own', 'wheels']) {
    const folder = path.join(cacheFolder, name);
    await makeFolder(folder);
    // The parent folder is not changed, because the user may share it with others.
    if (process.platform !== 'win32') await chmod(folder, 0o700).catch(() => undefined);
  }
}

/** Writes a file so that no process ever sees a partial file, even after a power failure. */
export async function writeWhole(file: string, bytes: Uint8Array | string): Promise<void> {
  await makeFolder(path.dirname(file));
  await writeDurably(file, bytes);
}

/** Flushes a file to the disk and renames it to its final name. Replaces an existing file. */
export async function publishFile(temporary: string, file: string): Promise<void> {
  const handle = await open(temporary, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
  renameDurably(temporary, file);
}

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns the cache folder, which all installations of one user share. It contains Python wheels, the
 * compiled standard library and packages (images), and Sandtable's compiled Python sources.
 *
 * @param platform as in `process.platform`
 * @param home absolute path of the user's home
 * @returns an absolute path. The folder may not exist yet
 */
export function cacheFolderOf(
  env: Environment = process.env,
  platform: string = process.platform,
  home: string = os.homedir(),
): string {
  const join = platform === 'win32' ? path.win32.join : path.posix.join;
  const named = env.SANDTABLE_CACHE_DIR;
  if (named) return platform === process.platform ? path.resolve(named) : named;
  if (platform === 'win32') {
    return join(env.LOCALAPPDATA || join(home, 'AppData', 'Local'), 'sandtable', 'Cache');
  }
  const shared = env.XDG_CACHE_HOME;
  // The XDG specification requires relative paths to be ignored.
  if (shared && path.posix.isAbsolute(shared)) return join(shared, 'sandtable');
  if (platform === 'darwin') return join(home, 'Library', 'Caches', 'sandtable');
  return join(home, '.cache', 'sandtable');
}

const HEARTBEAT_MS = 2_000;
const STALE_MS = 20_000;
const POLL_MS = 100;

/**
 * Runs `work` while this process owns a lock. Prevents several processes from making the same download or
 * build at the same time.
 *
 * The lock is only an optimisation. If two processes own it at the same time, the files are still correct,
 * because every file gets its final name only when it is complete.
 *
 * @param folder absolute path of the lock. The lock is a folder that exists while a process owns it
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

/**
 * Returns true if the owner of a lock was killed: its process has ended, or has stopped updating the lock.
 */
async function isAbandoned(folder: string): Promise<boolean> {
  const held = await stat(folder).catch(() => undefined);
  if (held === undefined) return false;
  if (Date.now() - held.mtimeMs > STALE_MS) return true;
  const [host, pid] = (await readFile(path.join(folder, 'owner'), 'utf8').catch(() => '')).split(' ');
  if (host !== os.hostname() || !Number(pid)) return false;
  return !isProcessAlive(Number(pid));
}
