import { createHash, randomUUID } from 'node:crypto';
import {
  closeSync,
  createReadStream,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
} from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { AppError, fileProblem } from './errors.ts';

/** Prefix of the names of unfinished files and folders. */
export const TEMPORARY_PREFIX = '.tmp-';

/**
 * Returns a path in `folder` that no other process uses. Use the folder of the target, so that the later
 * rename stays on one file system.
 */
export function temporaryPath(folder: string): string {
  return join(folder, `${TEMPORARY_PREFIX}${process.pid}-${randomUUID()}`);
}

/**
 * Renames a file or folder and flushes the new name to disk. A rename alone may be lost in a power cut. On
 * Windows a folder cannot be flushed, so the file system decides when the rename is durable.
 */
export function renameDurably(from: string, to: string): void {
  renameSync(from, to);
  if (process.platform === 'win32') return;
  const folder = openSync(dirname(to), 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

/**
 * Writes a file atomically: other processes never see a half-written file, even after a power cut. The folder
 * must exist. Rejects with the error of Node.
 */
export async function writeDurably(file: string, bytes: Uint8Array | string): Promise<void> {
  const temporary = temporaryPath(dirname(file));
  try {
    const handle = await open(temporary, 'wx');
    try {
      await handle.writeFile(bytes);
      await handle.sync();
    } finally {
      await handle.close();
    }
    renameDurably(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
}

/**
 * Creates a folder and its missing parents. The recursive option of Node is not used: it never returns if a
 * parent such as /proc reports ENOENT for every folder created in it.
 */
export function makeFolder(folder: string): void {
  const missing: string[] = [];
  for (let path = resolve(folder); !isThere(path); path = dirname(path)) missing.unshift(path);
  for (const path of missing) {
    try {
      mkdirSync(path);
    } catch (error) {
      // Another process may have created the folder in the meantime.
      if (!isThere(path)) throw error;
    }
  }
  if (!statSync(folder).isDirectory()) throw new Error(`${folder} is a file, not a folder`);
}

function isThere(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}

interface Terms {
  readonly code: string;
  readonly hint: string;
  readonly kind?: 'run';
}

/** Returns the error for a file that cannot be written. The error states the file, the cause and the fix. */
export function unwritable(file: string, cause: unknown, terms: Terms): AppError {
  return new AppError({ ...terms, message: `Cannot write ${file}: ${fileProblem(cause)}.`, cause });
}

/**
 * Returns the SHA-256 of a file in lower-case hexadecimal. Reads the file in chunks. Rejects with the error
 * of Node if the file cannot be read.
 */
export async function hashOfFile(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

/** Fields that the program reads from its own package.json. */
interface PackageFile {
  readonly version: string;
  readonly peerDependencies: Readonly<Record<string, string>>;
  /**
   * Dependencies of danfo.js that are replaced or not installed because of known vulnerabilities. See
   * docs/dependencies.md.
   */
  readonly overrides: Readonly<Record<string, string>>;
}

/**
 * Returns the URL of a file of this package. Use this function everywhere: the folder of a module changes
 * when the program is bundled.
 *
 * @param path relative to the folder of the package; a folder ends in `/`
 */
export function packagePlace(path: string): URL {
  // No folder below src/ or dist/ has one of these names, so the last match is the folder of the code.
  return new URL(path, import.meta.url.replace(/^(.*\/)(?:src|dist)\/.*$/, '$1'));
}

/**
 * Returns the URL of a compiled file in `dist/`. The file must have been built, even if the program itself
 * runs from its sources.
 *
 * @param path relative to the folder of the compiled program
 */
export function builtPlace(path: string): URL {
  return packagePlace(`dist/${path}`);
}

/** Returns the package.json of this program. */
export function packageFile(): PackageFile {
  return JSON.parse(readFileSync(packagePlace('package.json'), 'utf8')) as PackageFile;
}

/** Returns the version in package.json. */
export function version(): string {
  return packageFile().version;
}

/** Contents of FIFOs that were read, by absolute path. A FIFO can be read only once. */
const received = new Map<string, Buffer>();

/** True if a path is a FIFO (named pipe), for example a process substitution `<(…)` of a shell. */
export function isFifo(file: string): boolean {
  // Checks existence first, because `statSync` throws for a path below a regular file.
  return existsSync(file) && statSync(file, { throwIfNoEntry: false })?.isFIFO() === true;
}

/**
 * Reads a FIFO to its end without blocking the process, so that signals are handled. `readInput` returns the
 * content afterwards.
 */
export async function receiveFifo(file: string): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) chunks.push(chunk);
  received.set(resolve(file), Buffer.concat(chunks));
}

/**
 * Reads a file named by the user.
 *
 * @throws Error for a FIFO that was not received, because reading it would block the process
 */
export function readInput(file: string): Buffer {
  const content = received.get(resolve(file));
  if (content !== undefined) return content;
  if (isFifo(file)) throw new Error('it is a FIFO (named pipe), not a regular file');
  return readFileSync(file);
}
