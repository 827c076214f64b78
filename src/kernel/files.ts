import { createHash, randomUUID } from 'node:crypto';
import { closeSync, createReadStream, fsyncSync, mkdirSync, openSync, renameSync, statSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileProblem } from './describe.ts';
import { AppError } from './errors.ts';

/** Prefix of the names of unfinished files and folders. */
export const TEMPORARY_PREFIX = '.tmp-';

/**
 * Returns a path in `folder` that no other process uses. Same folder as the target, so a rename stays on one
 * file system.
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
 * Writes a file atomically: other processes see either the whole file or no file, even after a power cut. The
 * folder must exist. Rejects with the error of Node.
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

/** Returns the error for a file that cannot be written. Names the file, the cause and the fix. */
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
