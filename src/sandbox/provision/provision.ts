import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { packagePlace } from '../../kernel/index.ts';
import type { BootFiles } from './boot.ts';
import { cacheFolderOf, type Environment, makeCacheFolders, sha256 } from './cache-file.ts';
import { pruneCache } from './cache-report.ts';
import { type ExtraWheel, packOwnPython } from './own-python.ts';
import type { OnProgress } from './progress.ts';
import { ensureImage, imageKey } from './runtime-image.ts';
import { npmSource } from './source-npm.ts';
import { folderSource, webSource } from './source-web.ts';
import {
  ensureWheels,
  findPyodideFolder,
  readWheelLock,
  type WheelLock,
  type WheelSource,
  wheelsFolderIn,
} from './wheel-store.ts';

export interface ProvisionOptions {
  /**
   * Environment with SANDTABLE_CACHE_DIR, SANDTABLE_WHEELS and SANDTABLE_PYODIDE_URL. Default: `process.env`.
   */
  readonly env?: Environment;
  /** Overrides the environment. */
  readonly cacheFolder?: string;
  /** Folder with the wheels. Overrides SANDTABLE_WHEELS. */
  readonly wheelsFolder?: string;
  /** Base URL of the wheels. Overrides SANDTABLE_PYODIDE_URL. */
  readonly pyodideUrl?: string;
  /** Pure-Python wheels to add. */
  readonly extraWheels?: readonly ExtraWheel[];
  /** Folder of Sandtable's Python packages. Default: the folder in this package. */
  readonly pythonFolder?: string;
  readonly onProgress?: OnProgress;
  readonly signal?: AbortSignal | undefined;
}

/** Files that a sandbox child needs to start, as absolute paths. The files never change. */
export interface PythonRuntime extends BootFiles {
  /**
   * SHA-256 of Pyodide's version, the wheels, the builder and Sandtable's sources. Part of a run's manifest.
   */
  readonly fingerprint: string;
  /** Versions of `pyodide`, `python`, and each package by name. */
  readonly versions: Readonly<Record<string, string>>;
}

/**
 * Prepares Python: fetches missing files, compiles them once, and returns their locations.
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
  const own = await packOwnPython({
    folder: path.join(cacheFolder, 'own'),
    pyodideFolder,
    image,
    sources: options.pythonFolder ?? fileURLToPath(packagePlace('src/sandbox/python/')),
    extraWheels: options.extraWheels ?? [],
    ...shared,
  });
  return {
    pyodideFolder,
    stdlib: image.stdlib,
    stdlibSha256: image.stdlibSha256,
    packages: [...image.packages, own.image],
    fingerprint: sha256(JSON.stringify([imageKey(lock), own.contentHash])),
    versions: {
      pyodide: lock.pyodide,
      python: lock.python,
      ...Object.fromEntries(lock.wheels.map((wheel) => [wheel.name, wheel.version])),
    },
  };
}

/** Returns the sources to try after the cache: the user's folder, Pyodide's distribution, npm. */
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
