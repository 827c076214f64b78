import { randomUUID } from 'node:crypto';
import { closeSync, fsyncSync, openSync, renameSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

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
