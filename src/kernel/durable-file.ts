import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Names of unfinished files and folders begin so. */
export const TEMPORARY_PREFIX = '.tmp-';

/** A name in `folder` that no other process uses, on the same file system as what it will be renamed to. */
export function temporaryPath(folder: string): string {
  return join(folder, `${TEMPORARY_PREFIX}${process.pid}-${randomUUID()}`);
}

/**
 * Writes a file that other processes see whole or not at all, also after a power cut; its folder must be there.
 * Rejects with what Node says.
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
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
}
