import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileProblem, writeDurably } from '../../kernel/index.ts';
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
 * A store in a folder that all machines share; it is made with its first object.
 *
 * @param timeout of one step, in milliseconds: a network folder may hang
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

/** Writes a file that others see whole or not at all, also after a power cut. */
async function writeWhole(place: string, bytes: Uint8Array, folder: string): Promise<void> {
  try {
    await mkdir(dirname(place), { recursive: true });
    await writeDurably(place, bytes);
  } catch (cause) {
    if (FULL.includes(codeOf(cause))) throw fullStore(place, fileProblem(cause), cause);
    throw unreachable(folder, fileProblem(cause), cause);
  }
}
