import { createHash } from 'node:crypto';
import { chmod, mkdir, open } from 'node:fs/promises';
import path from 'node:path';
import { AppError, fileProblem, hashOfFile, renameDurably, writeDurably } from '../../kernel/index.ts';

/** SHA-256 in lower-case hexadecimal. */
export function sha256(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** SHA-256 of a file in lower-case hexadecimal, or undefined when there is no such file. */
export async function sha256OfFile(file: string): Promise<string | undefined> {
  try {
    return await hashOfFile(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Makes a cache folder and those above it, for this user alone: what lies there is run.
 *
 * @throws AppError `cache_unwritable`
 */
export async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
  } catch (cause) {
    throw new AppError({
      code: 'cache_unwritable',
      message: `Cannot make the cache folder ${folder}: ${fileProblem(cause)}.`,
      hint: 'Name another folder with SANDTABLE_CACHE_DIR.',
      cause,
    });
  }
}

/** Makes the folders of a cache and takes them away from other users, also where an earlier version made them. */
export async function makeCacheFolders(cacheFolder: string): Promise<void> {
  for (const name of ['images', 'own', 'wheels']) {
    const folder = path.join(cacheFolder, name);
    await makeFolder(folder);
    // The folder above may be one that the user named and shares.
    if (process.platform !== 'win32') await chmod(folder, 0o700).catch(() => undefined);
  }
}

/** Writes a file that other processes see whole or not at all, also after a power cut. */
export async function writeWhole(file: string, bytes: Uint8Array | string): Promise<void> {
  await makeFolder(path.dirname(file));
  await writeDurably(file, bytes);
}

/** Flushes a file to disk and gives it its final name. Replaces an existing file. */
export async function publishFile(temporary: string, file: string): Promise<void> {
  const handle = await open(temporary, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
  renameDurably(temporary, file);
}
