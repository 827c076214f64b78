import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError, DAY, fileProblem } from '../../kernel/index.ts';

/** Name of an object: SHA-256 of its bytes, in lower-case hexadecimal. */
export type ContentHash = string;

/**
 * Storage of strategy code, data and plans (inputs of all trials) for all machines of a sweep. Each object is
 * stored under the hash of its content.
 */
export interface ContentStore {
  /** Address as given by the user, for messages. */
  readonly name: string;
  /**
   * Stores an object unless it exists already.
   *
   * @throws AppError `store_damaged` if the store contains other bytes under the same name, `store_full`,
   *   `store_unreachable`
   */
  put(bytes: Uint8Array): Promise<ContentHash>;
  /**
   * Fetches an object and checks its hash.
   *
   * @throws AppError `store_missing`, `store_damaged`, `store_unreachable`
   */
  get(hash: ContentHash): Promise<Buffer>;
  close(): void;
}

export function contentHash(bytes: Uint8Array | string): ContentHash {
  return createHash('sha256').update(bytes).digest('hex');
}

/**
 * Returns true if a text can be the name of an object. Names from the network must be checked before their
 * use in a path.
 */
export function isContentHash(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text);
}

/**
 * Returns the path of an object relative to the store's root, with `/` as separator. The beginning of the
 * hash is the name of a subfolder.
 */
export function objectPath(hash: ContentHash): string {
  if (!isContentHash(hash))
    throw new AppError({
      code: 'bad_object_name',
      message: `"${hash.slice(0, 80)}" is not a SHA-256 hash.`,
      hint: 'The name of an object is the SHA-256 of its content in lower-case hexadecimal.',
    });
  return `sha256/${hash.slice(0, 2)}/${hash}`;
}

/**
 * Returns the bytes of an object if they match its hash.
 *
 * @throws AppError `store_damaged` if the bytes do not match
 */
export function checkObject(hash: ContentHash, bytes: Buffer, place: string): Buffer {
  const found = contentHash(bytes);
  if (found === hash) return bytes;
  throw new AppError({
    code: 'store_damaged',
    message: `The object ${place} is damaged: its ${bytes.length} bytes have the SHA-256 ${found}.`,
    hint: 'Delete the object and start the sweep again with --resume. The sweep writes the object again.',
    kind: 'run',
  });
}

export function missingObject(hash: ContentHash, store: string): AppError {
  return new AppError({
    code: 'store_missing',
    message: `${store} does not contain the object ${hash}.`,
    hint: 'Use the same --store for worker and sweep. If the object was deleted, start the sweep again with --resume.',
    kind: 'run',
  });
}

export function fullStore(place: string, problem: string, cause: unknown): AppError {
  return new AppError({
    code: 'store_full',
    message: `Cannot write ${place}: ${problem}.`,
    hint: 'Free space, or choose another folder. Then start again.',
    kind: 'run',
    cause,
  });
}

/** Timeout of one operation of a store, in milliseconds. */
export const STORE_TIMEOUT = 60_000;

/**
 * Applies a timeout to an operation of a store, because a network folder may never answer.
 *
 * @throws AppError `store_unreachable`
 */
export async function withinTime<Value>(
  work: Promise<Value>,
  store: string,
  milliseconds: number,
): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(unreachable(store, `no answer within ${milliseconds / 1000} s`)),
      milliseconds,
    );
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

export function unreachable(store: string, problem: string, cause?: unknown): AppError {
  return new AppError({
    code: 'store_unreachable',
    message: `The store ${store} cannot be used: ${problem}.`,
    hint: 'Check --store, the network, and for s3:// the AWS environment variables (docs/cluster.md).',
    kind: 'run',
    ...(cause === undefined ? {} : { cause }),
  });
}

/** Days without use after which an object is removed from a worker's cache. */
const KEPT_DAYS = 14;

/**
 * Cache of stored objects on a worker's disk. Each object is fetched once, and its hash is checked at each
 * use.
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
 * @param folder folder of the cache. Created if missing. Several workers may share a folder
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
