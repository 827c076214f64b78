import { readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { DAY, messageOf, packagePlace, TEMPORARY_PREFIX } from '../../kernel/index.ts';
import { runStartJob } from './build-job.ts';
import { type ExtraWheel, packBundledPython, storedPair } from './bundled-python.ts';
import { cacheFolderOf, type Environment, makeCacheFolders, sha256, sha256OfFile } from './cache-file.ts';
import { ensureImage, imageKey, verifyImage } from './package-image.ts';
import { npmSource } from './source-npm.ts';
import { folderSource, webSource } from './source-web.ts';
import type { BootFiles, StartImage } from './start-python.ts';
import {
  ensureWheels,
  findPyodideFolder,
  type OnProgress,
  readWheelLock,
  type WheelLock,
  type WheelSource,
  wheelsFolderIn,
} from './wheel-store.ts';

export interface ProvisionOptions {
  /**
   * Environment variables; SANDTABLE_CACHE_DIR, SANDTABLE_WHEELS and SANDTABLE_PYODIDE_URL are used. Default:
   * `process.env`.
   */
  readonly env?: Environment;
  /** Folder of the cache. Overrides SANDTABLE_CACHE_DIR. */
  readonly cacheFolder?: string;
  /** Folder with the wheels. Overrides SANDTABLE_WHEELS. */
  readonly wheelsFolder?: string;
  /** Base URL of the wheels. Overrides SANDTABLE_PYODIDE_URL. */
  readonly pyodideUrl?: string;
  /** Wheels without compiled code that are installed in addition to numpy, pandas and their dependencies. */
  readonly extraWheels?: readonly ExtraWheel[];
  /** Folder of Sandtable's Python packages. Default: the folder in this package. */
  readonly pythonFolder?: string;
  readonly onProgress?: OnProgress;
  readonly signal?: AbortSignal | undefined;
}

/** Files that a sandbox child needs to start, as absolute paths. Their contents never change. */
export interface PythonRuntime extends BootFiles {
  /**
   * SHA-256 of Pyodide's version, all wheels, the source of the image builder and Sandtable's Python sources.
   * The manifest of a run contains this value.
   */
  readonly fingerprint: string;
  /** Versions of `pyodide` and `python`, and of each package by its name. */
  readonly versions: Readonly<Record<string, string>>;
}

/**
 * Prepares Python: downloads or copies missing wheels, compiles wheels and Python sources once, and returns
 * the paths of all files.
 *
 * @throws AppError `no_python_wheels`, `python_image_failed`, `extra_wheel_unusable`, `python_source_failed`
 */
export async function provisionRuntime(options: ProvisionOptions = {}): Promise<PythonRuntime> {
  const { onProgress, signal } = options;
  const shared = { ...(onProgress ? { onProgress } : {}), signal };
  const cacheFolder = options.cacheFolder ?? cacheFolderOf(options.env);
  const pyodideFolder = findPyodideFolder();
  const lock = await readWheelLock(pyodideFolder);
  await makeCacheFolders(cacheFolder);
  const image = await ensureImage({
    folder: path.join(cacheFolder, 'images'),
    pyodideFolder,
    lock,
    async wheelPaths() {
      await pruneCache(cacheFolder);
      const folder = wheelsFolderIn(cacheFolder, lock);
      return ensureWheels({ folder, wheels: lock.wheels, sources: sourcesFor(lock, options), ...shared });
    },
    ...shared,
  });
  const own = await packBundledPython({
    folder: path.join(cacheFolder, 'own'),
    pyodideFolder,
    image,
    sources: options.pythonFolder ?? fileURLToPath(packagePlace('src/sandbox/python/')),
    extraWheels: options.extraWheels ?? [],
    ...shared,
  });
  const boot: BootFiles = {
    pyodideFolder,
    stdlib: image.stdlib,
    stdlibSha256: image.stdlibSha256,
    packages: [...image.packages, own.image],
  };
  // Only tests set `pythonFolder`. Their folder may lack modules that a start image (the stored memory of a
  // started Python) requires, so no start image is used then.
  const start =
    options.pythonFolder === undefined
      ? await startImage(cacheFolder, boot, own.contentHash, options)
      : undefined;
  return {
    ...boot,
    ...(start === undefined ? {} : { start }),
    fingerprint: sha256(JSON.stringify([imageKey(lock), own.contentHash])),
    versions: {
      pyodide: lock.pyodide,
      python: lock.python,
      ...Object.fromEntries(lock.wheels.map((wheel) => [wheel.name, wheel.version])),
    },
  };
}

/**
 * Version of the format of start images. Increase it after a change of the code that makes them, because the
 * name of an image otherwise depends only on the Python files and the version of V8.
 */
const START_FORMAT = 3;

/**
 * Returns the start image: the stored memory of a started Python. Makes the image if it is missing.
 *
 * The image only saves time. If it cannot be stored, for example on a full or read-only disk, Python starts
 * from its files.
 */
async function startImage(
  cacheFolder: string,
  runtime: BootFiles,
  contentHash: string,
  { onProgress, signal }: ProvisionOptions,
): Promise<StartImage | undefined> {
  // The image depends on the version of V8, because Pyodide selects functions by the features of V8.
  const key = sha256(JSON.stringify([START_FORMAT, contentHash, process.versions.v8])).slice(0, 16);
  const make = async (index: string, memory: string): Promise<void> => {
    // Start images that were not used for a week are removed first, because each needs 60 MB.
    await pruneCache(cacheFolder);
    onProgress?.({ stage: 'start', message: 'Storing a started Python' });
    await runStartJob({ runtime, memory, index }, signal);
  };
  try {
    const {
      index,
      data,
      sha256: hashes,
    } = await storedPair(path.join(cacheFolder, 'own', `start-${key}`), make, signal);
    return { memory: data, index, sha256: { memory: hashes.data, index: hashes.index } };
  } catch (error) {
    signal?.throwIfAborted();
    onProgress?.({
      stage: 'start',
      message: `A started Python cannot be stored, so each start takes longer: ${messageOf(error)}`,
    });
    return undefined;
  }
}

/**
 * Returns the sources from which wheels are fetched if they are not in the cache, in this order: the user's
 * folder, Pyodide's distribution (or a mirror), npm.
 */
function sourcesFor(lock: WheelLock, options: ProvisionOptions): WheelSource[] {
  const env = options.env ?? process.env;
  const folder = options.wheelsFolder ?? env.SANDTABLE_WHEELS;
  const url = options.pyodideUrl ?? env.SANDTABLE_PYODIDE_URL;
  return [
    ...(folder ? [folderSource(path.resolve(folder))] : []),
    webSource(url || `https://cdn.jsdelivr.net/pyodide/v${lock.pyodide}/full/`),
    npmSource(),
  ];
}

const UNUSED_AFTER_MS = 30 * DAY;
/**
 * Start images are removed earlier than other files, because each needs 60 MB and can be made again in 2 s.
 */
const START_UNUSED_AFTER_MS = 7 * DAY;

export interface CacheReport {
  readonly folder: string;
  /** Total size of all files in the cache folder. */
  readonly bytes: number;
  readonly wheels: readonly {
    readonly name: string;
    readonly version: string;
    readonly fileName: string;
    readonly state: 'verified' | 'damaged' | 'absent';
  }[];
  /**
   * Compiled packages for the installed Pyodide. If their state is `verified`, a run does not need the
   * wheels.
   */
  readonly image: {
    readonly folder: string;
    readonly bytes: number;
    readonly state: 'verified' | 'damaged' | 'absent';
  };
}

/** Reads and checks all files of the cache, for `sandtable doctor`. Takes about 0.2 s. */
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
 * Removes three kinds of files: temporary files, partial downloads and locks older than a day; images and
 * compiled sources that were not used for 30 days; and start images that were not used for 7 days. Wheels are
 * not removed.
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
