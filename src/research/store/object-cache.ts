import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError, DAY, fileProblem } from '../../kernel/index.ts';
import {
  type ContentHash,
  type ContentStore,
  contentHash,
  fullStore,
  isContentHash,
} from './content-store.ts';

/** Days without use after which an object is removed from a worker's cache. */
const KEPT_DAYS = 14;

/**
 * Files with a worker's copies of stored objects. Each object is fetched once, and its hash is checked at
 * each use.
 */
export interface ObjectCache {
  /**
   * Returns an object as a file.
   *
   * @returns the path of the file, which ends in `ending`
   */
  file(hash: ContentHash, ending: string): Promise<string>;
  bytes(hash: ContentHash): Promise<Buffer>;
}

/**
 * Opens a worker's cache.
 *
 * @param folder created if missing; several workers may share it
 * @throws AppError `store_full` if the disk of the cache is full, `cache_unwritable`
 */
export async function objectCache(store: ContentStore, folder: string): Promise<ObjectCache> {
  const failed = (cause: unknown): AppError => {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
    if (['ENOSPC', 'EDQUOT', 'EFBIG'].includes(code))
      return fullStore(`the cache ${folder}`, fileProblem(cause), cause);
    return new AppError({
      code: 'cache_unwritable',
      message: `Cannot use the cache folder ${folder}: ${fileProblem(cause)}.`,
      hint: 'Choose another folder with SANDTABLE_CACHE_DIR.',
      kind: 'run',
      cause,
    });
  };
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch((cause: unknown) => {
    throw failed(cause);
  });
  await prune(folder);
  const read = async (place: string, hash: ContentHash): Promise<Buffer | undefined> => {
    const bytes = await readFile(place).catch(() => undefined);
    return bytes !== undefined && contentHash(bytes) === hash ? bytes : undefined;
  };
  const fetched = async (hash: ContentHash, ending: string): Promise<{ place: string; bytes: Buffer }> => {
    if (!isContentHash(hash)) throw new Error('a cache accepts hashes only');
    const place = join(folder, `${hash}${ending}`);
    const there = await read(place, hash);
    if (there !== undefined) {
      const now = new Date();
      await utimes(place, now, now).catch(() => undefined);
      return { place, bytes: there };
    }
    const bytes = await store.get(hash);
    const temporary = join(folder, `.tmp-${process.pid}-${randomUUID()}`);
    try {
      await writeFile(temporary, bytes, { mode: 0o600 });
      await rename(temporary, place);
    } catch (cause) {
      await rm(temporary, { force: true }).catch(() => undefined);
      throw failed(cause);
    }
    return { place, bytes };
  };
  return {
    file: async (hash, ending) => (await fetched(hash, ending)).place,
    bytes: async (hash) => (await fetched(hash, '')).bytes,
  };
}

async function prune(folder: string): Promise<void> {
  const oldest = Date.now() - KEPT_DAYS * DAY;
  for (const name of await readdir(folder)) {
    const place = join(folder, name);
    const known = await stat(place).catch(() => undefined);
    if (known?.isFile() === true && known.mtimeMs < oldest)
      await rm(place, { force: true }).catch(() => undefined);
  }
}
