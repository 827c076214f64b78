import { readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { DAY, TEMPORARY_PREFIX } from '../../kernel/index.ts';
import { cacheFolderOf, type Environment, sha256OfFile } from './cache-file.ts';
import { imageKey, verifyImage } from './runtime-image.ts';
import { findPyodideFolder, readWheelLock, wheelsFolderIn } from './wheel-store.ts';

const UNUSED_AFTER_MS = 30 * DAY;
/** Stored starts take 60 MB each, and 2 s to make. */
const START_UNUSED_AFTER_MS = 7 * DAY;

export interface CacheReport {
  readonly folder: string;
  /** Size of all files in the folder. */
  readonly bytes: number;
  readonly wheels: readonly {
    readonly name: string;
    readonly version: string;
    readonly fileName: string;
    readonly state: 'verified' | 'damaged' | 'absent';
  }[];
  /** Image of the installed Pyodide. A run with a verified image does not need wheels. */
  readonly image: {
    readonly folder: string;
    readonly bytes: number;
    readonly state: 'verified' | 'damaged' | 'absent';
  };
}

/** Reads and checks the whole cache for `sandtable doctor`. Takes about 0.2 s. */
export async function describeCache(
  options: { cacheFolder?: string; env?: Environment } = {},
): Promise<CacheReport> {
  const folder = options.cacheFolder ?? cacheFolderOf(options.env);
  const lock = await readWheelLock(findPyodideFolder());
  const wheelsFolder = wheelsFolderIn(folder, lock);
  const wheels = await Promise.all(
    lock.wheels.map(async ({ name, version, fileName, sha256 }) => {
      const found = await sha256OfFile(path.join(wheelsFolder, fileName));
      const state = found === undefined ? 'absent' : found === sha256 ? 'verified' : 'damaged';
      return { name, version, fileName, state } as const;
    }),
  );
  const imageFolder = path.join(folder, 'images', imageKey(lock));
  const bytes = await sizeOf(imageFolder);
  const state = bytes === 0 ? 'absent' : (await verifyImage(imageFolder)) ? 'verified' : 'damaged';
  return { folder, bytes: await sizeOf(folder), wheels, image: { folder: imageFolder, bytes, state } };
}

/**
 * Removes remains of interrupted processes older than a day, images unused for a month, and stored starts unused for a week.
 *
 * @returns absolute paths of the removed files and folders
 */
export async function pruneCache(
  cacheFolder: string = cacheFolderOf(),
  now: number = Date.now(),
): Promise<string[]> {
  const removed: string[] = [];
  const folders = [cacheFolder, ...['wheels', 'images', 'own'].map((name) => path.join(cacheFolder, name))];
  for (const version of await namesIn(path.join(cacheFolder, 'wheels'))) {
    folders.push(path.join(cacheFolder, 'wheels', version));
  }
  for (const folder of folders) {
    for (const name of await namesIn(folder)) {
      const file = path.join(folder, name);
      const age = now - ((await stat(file).catch(() => undefined))?.mtimeMs ?? now);
      const unfinished =
        name.startsWith(TEMPORARY_PREFIX) || name.endsWith('.part') || name.endsWith('.lock');
      const replaceable = path.dirname(file) !== cacheFolder && /^(images|own)$/.test(path.basename(folder));
      const limit = name.startsWith('start-') ? START_UNUSED_AFTER_MS : UNUSED_AFTER_MS;
      if ((unfinished && age > DAY) || (replaceable && age > limit)) {
        await rm(file, { recursive: true, force: true });
        removed.push(file);
      }
    }
  }
  return removed;
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}

async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const sizes = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(
        async (entry) =>
          (await stat(path.join(entry.parentPath, entry.name)).catch(() => undefined))?.size ?? 0,
      ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
