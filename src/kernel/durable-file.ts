import { randomUUID } from 'node:crypto';
import { closeSync, fsyncSync, openSync, renameSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Names of unfinished files and folders begin so. */
export const TEMPORARY_PREFIX = '.tmp-';

/** A name in `folder` that no other process uses, on the same file system as what it will be renamed to. */
export function temporaryPath(folder: string): string {
  return join(folder, `${TEMPORARY_PREFIX}${process.pid}-${randomUUID()}`);
}

/**
 * Renames a file or folder and flushes the new name to disk: a rename alone may be lost in a power cut.
 * Windows cannot flush a folder; the rename is left to the file system there.
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
 * Writes a file that other processes see whole or not at all, also after a power cut. Its folder must exist.
 * Rejects with the error of Node.
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
