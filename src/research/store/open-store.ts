import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { AppError, fileProblem, writeDurably } from '../../kernel/index.ts';
import {
  type ContentStore,
  checkObject,
  contentHash,
  fullStore,
  missingObject,
  objectPath,
  STORE_TIMEOUT,
  unreachable,
  withinTime,
} from './content-store.ts';

const FULL = ['ENOSPC', 'EDQUOT', 'EFBIG'];

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : '';

/**
 * Store in a folder that all machines share. The folder is created when the first object is stored.
 *
 * @param timeout timeout of one operation in milliseconds. Needed because a network folder may hang
 */
export function folderStore(folder: string, timeout = STORE_TIMEOUT): ContentStore {
  const root = resolve(folder);
  const within = <Value>(work: Promise<Value>): Promise<Value> => withinTime(work, folder, timeout);
  const read = async (place: string): Promise<Buffer | undefined> => {
    try {
      return await within(readFile(place));
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return undefined;
      throw codeOf(error) === '' ? error : unreachable(folder, fileProblem(error), error);
    }
  };
  return {
    name: folder,
    async put(bytes) {
      const hash = contentHash(bytes);
      const place = join(root, objectPath(hash));
      const there = await read(place);
      if (there === undefined) await within(writeWhole(place, bytes, folder));
      else checkObject(hash, there, place);
      return hash;
    },
    async get(hash) {
      const place = join(root, objectPath(hash));
      const bytes = await read(place);
      if (bytes === undefined) throw missingObject(hash, folder);
      return checkObject(hash, bytes, place);
    },
    close: () => undefined,
  };
}

/** Writes a file atomically and durably. Readers never see a partial file, even after a power failure. */
async function writeWhole(place: string, bytes: Uint8Array, folder: string): Promise<void> {
  try {
    await mkdir(dirname(place), { recursive: true });
    await writeDurably(place, bytes);
  } catch (cause) {
    if (FULL.includes(codeOf(cause))) throw fullStore(place, fileProblem(cause), cause);
    throw unreachable(folder, fileProblem(cause), cause);
  }
}

/**
 * Opens the store given by `--store`: a folder, or `s3://bucket/prefix`.
 *
 * @throws AppError `bad_store`, `package_missing`
 */
export async function openStore(
  address: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<ContentStore> {
  if (address.trim() === '') throw badStore('--store is empty.');
  if (address.startsWith('s3:')) return (await import('./s3-store.ts')).s3Store(address, environment);
  const [scheme] = /^[a-z][a-z0-9+.-]+:\/\//i.exec(address) ?? [];
  if (scheme !== undefined) throw badStore(`--store does not support ${scheme}…`);
  return folderStore(address);
}

function badStore(message: string): AppError {
  return new AppError({
    code: 'bad_store',
    message,
    hint: 'Use a folder that all machines share, or s3://bucket/prefix.',
  });
}
