import { renameSync } from 'node:fs';
import path from 'node:path';
import { makeFolder, unwritable } from '../kernel/index.ts';

/**
 * Writes a temporary file and renames it when it is complete. Creates the folder.
 *
 * @param write writes to the given path
 * @throws AppError `file_unwritable`
 */
export async function replaceFile(
  file: string,
  write: (beside: string) => void | Promise<void>,
): Promise<void> {
  const beside = `${file}.${process.pid}.part`;
  try {
    makeFolder(path.dirname(file));
    await write(beside);
    renameSync(beside, file);
  } catch (cause) {
    throw unwritable(file, cause, { code: 'file_unwritable', hint: 'Choose another path with --out.' });
  }
}
