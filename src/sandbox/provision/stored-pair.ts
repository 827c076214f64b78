import { readFile, rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import { temporaryPath } from '../../kernel/index.ts';
import { publishFile, sha256OfFile, withCacheLock, writeWhole } from './cache-file.ts';

/** A data file of the cache and its index. */
export interface StoredPair {
  readonly index: string;
  readonly data: string;
  /** SHA-256 of both files in hexadecimal, computed when they were made. */
  readonly sha256: { readonly index: string; readonly data: string };
}

/**
 * Returns a data file and its index from the cache. Makes them if they are missing.
 *
 * The names of both files contain their hashes. If two processes make different files for one key, each gets files that
 * fit together.
 *
 * @param stem absolute path without an ending. Names everything that determines the content
 * @param make writes both files to the given paths
 */
export async function storedPair(
  stem: string,
  make: (index: string, data: string) => Promise<void>,
  signal?: AbortSignal,
): Promise<StoredPair> {
  const found = await readPair(stem);
  if (found !== undefined) return found;
  const again = async (): Promise<StoredPair> => (await readPair(stem)) ?? (await makePair(stem, make));
  return withCacheLock(`${stem}.lock`, again, () => {}, signal);
}

async function makePair(
  stem: string,
  make: (index: string, data: string) => Promise<void>,
): Promise<StoredPair> {
  const folder = path.dirname(stem);
  const [index, data] = [temporaryPath(folder), temporaryPath(folder)];
  try {
    await make(index, data);
    const sha256 = { index: (await sha256OfFile(index))!, data: (await sha256OfFile(data))! };
    const pair = pairOf(stem, sha256);
    await publishFile(data, pair.data);
    await publishFile(index, pair.index);
    // The hashes are written last, so their presence shows that both files are complete.
    const sizes = [await sizeOf(pair.index), await sizeOf(pair.data)];
    await writeWhole(hashesOf(stem), [sha256.index, sha256.data, ...sizes].join(' '));
    return pair;
  } finally {
    await Promise.all([rm(data, { force: true }), rm(index, { force: true })]);
  }
}

/** Returns the files if they are complete. A file of another size was cut off, for example by a full disk. */
async function readPair(stem: string): Promise<StoredPair | undefined> {
  const text = await readFile(hashesOf(stem), 'utf8').catch(() => '');
  const [, index, data, indexBytes, dataBytes] =
    /^([0-9a-f]{64}) ([0-9a-f]{64}) (\d+) (\d+)$/.exec(text) ?? [];
  if (index === undefined || data === undefined) return undefined;
  const pair = pairOf(stem, { index, data });
  const isWhole =
    (await sizeOf(pair.index)) === Number(indexBytes) && (await sizeOf(pair.data)) === Number(dataBytes);
  if (!isWhole) return undefined;
  // The time of the last use protects the files from removal.
  const now = new Date();
  for (const file of [hashesOf(stem), pair.index, pair.data]) await utimes(file, now, now).catch(() => {});
  return pair;
}

async function sizeOf(file: string): Promise<number | undefined> {
  return (await stat(file).catch(() => undefined))?.size;
}

function pairOf(stem: string, sha256: StoredPair['sha256']): StoredPair {
  const file = (hash: string, ending: string): string => `${stem}-${hash.slice(0, 16)}.${ending}`;
  return { index: file(sha256.index, 'json'), data: file(sha256.data, 'bin'), sha256 };
}

function hashesOf(stem: string): string {
  return `${stem}.hashes`;
}
