import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { AppError, messageOf } from '../../kernel/index.ts';
import { makeFolder, sha256, sha256OfFile, withCacheLock, writeWhole } from './cache-file.ts';

/** Wheel (Python package file) listed in Pyodide's lock file. */
export interface Wheel {
  readonly name: string;
  readonly version: string;
  readonly fileName: string;
  /** SHA-256 in lower-case hexadecimal. */
  readonly sha256: string;
}

export interface WheelLock {
  /** Version of the installed `pyodide` package. */
  readonly pyodide: string;
  readonly python: string;
  readonly wheels: readonly Wheel[];
}

interface LockedPackage {
  readonly name: string;
  readonly version: string;
  readonly file_name: string;
  readonly sha256: string;
  readonly depends: readonly string[];
}

/** Returns the absolute path of the installed `pyodide` package. */
export function findPyodideFolder(): string {
  return path.dirname(createRequire(import.meta.url).resolve('pyodide/package.json'));
}

/**
 * Returns the wheels of the named packages and of all their dependencies, as listed in the lock file of the
 * installed Pyodide.
 *
 * @throws AppError `pyodide_lock_unreadable` if the installed package is damaged
 */
export async function readWheelLock(
  pyodideFolder: string,
  packages: readonly string[] = ['numpy', 'pandas'],
): Promise<WheelLock> {
  try {
    const lock = JSON.parse(await readFile(path.join(pyodideFolder, 'pyodide-lock.json'), 'utf8')) as {
      info: { python: string };
      packages: Record<string, LockedPackage>;
    };
    const own = JSON.parse(await readFile(path.join(pyodideFolder, 'package.json'), 'utf8')) as {
      version: string;
    };
    return { pyodide: own.version, python: lock.info.python, wheels: follow(lock.packages, packages) };
  } catch (error) {
    throw new AppError({
      code: 'pyodide_lock_unreadable',
      message: `The installed pyodide package (${pyodideFolder}) cannot be read: ${(error as Error).message}`,
      hint: 'Install the dependencies again: npm ci',
      kind: 'run',
      cause: error,
    });
  }
}

function follow(locked: Readonly<Record<string, LockedPackage>>, names: readonly string[]): Wheel[] {
  const wheels = new Map<string, Wheel>();
  const pending = [...names];
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    const found = locked[name];
    if (found === undefined) throw new Error(`pyodide-lock.json names no package ${name}`);
    if (wheels.has(name)) continue;
    wheels.set(name, {
      name,
      version: found.version,
      fileName: found.file_name,
      sha256: found.sha256,
    });
    pending.push(...found.depends);
  }
  return [...wheels.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
}

/**
 * Returns the folder for the wheels of one Pyodide version. Each version has its own folder, because wheels
 * of two versions can have the same file name.
 */
export function wheelsFolderIn(cacheFolder: string, lock: WheelLock): string {
  return path.join(cacheFolder, 'wheels', `pyodide-${lock.pyodide}`);
}

export interface SourceContext {
  /** Folder for unfinished downloads, which are resumed later. */
  readonly folder: string;
  readonly onProgress: OnProgress;
  readonly signal?: AbortSignal | undefined;
  /**
   * Stores the bytes of a wheel if their SHA-256 is correct.
   *
   * @throws Error if the SHA-256 differs
   */
  accept(wheel: Wheel, bytes: Uint8Array): Promise<void>;
}

/** Source of wheels. */
export interface WheelSource {
  /** Name of the source in messages to users. */
  readonly label: string;
  /**
   * Fetches the wheels in `missing` from this source and passes each to `context.accept`. Throws an error
   * with the reason if a wheel cannot be fetched.
   */
  deliver(missing: readonly Wheel[], context: SourceContext): Promise<void>;
}

interface WheelRequest {
  /** Cache folder of these wheels. Created if it does not exist. */
  readonly folder: string;
  readonly wheels: readonly Wheel[];
  /** Sources of wheels. They are tried in order until no wheel is missing. */
  readonly sources: readonly WheelSource[];
  readonly onProgress?: OnProgress;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Ensures that the cache folder contains every wheel with the correct SHA-256.
 *
 * @returns absolute paths in the order of `wheels`
 * @throws AppError `no_python_wheels` with each source and its error. Wheels that were already stored remain
 *   in the folder
 */
export async function ensureWheels(request: WheelRequest): Promise<string[]> {
  const { folder, wheels, signal, onProgress = () => {} } = request;
  await makeFolder(folder);
  const pathOf = (wheel: Wheel): string => path.join(folder, wheel.fileName);
  if ((await missingFrom(folder, wheels)).length === 0) return wheels.map(pathOf);
  const waiting = (): void =>
    onProgress({ stage: 'wheels', message: 'another process is fetching the Python packages' });
  await withCacheLock(
    path.join(folder, 'fetching.lock'),
    () => fetchMissing(request, onProgress),
    waiting,
    signal,
  );
  return wheels.map(pathOf);
}

/** Returns the wheels that are not in the folder, or are damaged. */
export async function missingFrom(folder: string, wheels: readonly Wheel[]): Promise<Wheel[]> {
  const hashes = await Promise.all(wheels.map((wheel) => sha256OfFile(path.join(folder, wheel.fileName))));
  return wheels.filter((wheel, position) => hashes[position] !== wheel.sha256);
}

async function fetchMissing(request: WheelRequest, onProgress: OnProgress): Promise<void> {
  const { folder, wheels, sources, signal } = request;
  const context: SourceContext = {
    folder,
    onProgress,
    signal,
    async accept(wheel, bytes) {
      const found = sha256(bytes);
      if (found !== wheel.sha256) {
        throw new Error(`${wheel.fileName} has SHA-256 ${found}, the lock file requires ${wheel.sha256}`);
      }
      await writeWhole(path.join(folder, wheel.fileName), bytes);
    },
  };
  const failures: string[] = [];
  for (const source of sources) {
    const missing = await missingFrom(folder, wheels);
    if (missing.length === 0) return;
    try {
      await source.deliver(missing, context);
      const left = await missingFrom(folder, wheels);
      if (left.length > 0) failures.push(`${source.label}: does not contain ${namesOf(left)}`);
    } catch (error) {
      signal?.throwIfAborted();
      failures.push(`${source.label}: ${messageOf(error)}`);
    }
  }
  const missing = await missingFrom(folder, wheels);
  if (missing.length > 0) throw noWheelsError(missing, failures);
}

function namesOf(wheels: readonly Wheel[]): string {
  return wheels.map((wheel) => wheel.fileName).join(', ');
}

function noWheelsError(missing: readonly Wheel[], failures: readonly string[]): AppError {
  const tried = failures.length === 0 ? ['no source was given'] : failures;
  return new AppError({
    code: 'no_python_wheels',
    kind: 'run',
    message: [
      `${missing.length} of the Python packages the sandbox needs could not be had. Tried in order:`,
      ...tried.map((failure) => `  - ${failure}`),
    ].join('\n'),
    hint: [
      'Connect to the network and run `sandtable setup` again. It continues where it stopped. Otherwise:',
      '  - offline: on another machine, download these files from the Pyodide release of the same version, copy them',
      '    into a folder and set SANDTABLE_WHEELS to it:',
      ...missing.map((wheel) => `      ${wheel.fileName}`),
      '  - behind a proxy: give npm the proxy (npm config set https-proxy URL), since npm is one of the sources',
      '  - with a mirror: set SANDTABLE_PYODIDE_URL to the URL of the folder with the files, or point npm at its registry',
    ].join('\n'),
  });
}

export interface ProvisionProgress {
  readonly stage: 'wheels' | 'image' | 'own' | 'start';
  /** Message for the user, one line. */
  readonly message: string;
  /** Progress, out of `total`: bytes in the stage `wheels`, files in other stages. */
  readonly done?: number;
  readonly total?: number;
}

export type OnProgress = (event: ProvisionProgress) => void;

const END_RECORD = Buffer.from('PK\x05\x06', 'latin1');
const FIRST_RECORD = Buffer.from('PK\x03\x04', 'latin1');
const END_RECORD_BYTES = 22;

/**
 * Finds all complete ZIP archives inside a larger file by their end-of-central-directory records.
 *
 * Source of the format: PKWARE's APPNOTE.TXT, section 4.3.16. ZIP64 archives are not supported.
 *
 * @returns views into `bytes`, in the order of their ends. Other bytes can look like an archive by chance, so
 *   the caller must check the hash of each view
 */
export function* findZipArchives(bytes: Buffer): Generator<Buffer> {
  for (let end = bytes.indexOf(END_RECORD); end >= 0; end = bytes.indexOf(END_RECORD, end + 1)) {
    if (end + END_RECORD_BYTES > bytes.length) return;
    const directoryBytes = bytes.readUInt32LE(end + 12);
    const directoryOffset = bytes.readUInt32LE(end + 16);
    const commentBytes = bytes.readUInt16LE(end + 20);
    const start = end - directoryBytes - directoryOffset;
    const stop = end + END_RECORD_BYTES + commentBytes;
    if (start < 0 || stop > bytes.length) continue;
    if (bytes.subarray(start, start + FIRST_RECORD.length).equals(FIRST_RECORD))
      yield bytes.subarray(start, stop);
  }
}
