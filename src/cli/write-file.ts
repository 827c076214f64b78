import { writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder, unwritable } from '../kernel/index.ts';

/**
 * Writes a file to a path that the user gave.
 *
 * @param hint remedy if the file cannot be written
 * @throws AppError with the given code
 */
export function writeNamedFile(
  file: string,
  text: string,
  {
    code = 'page_unwritable',
    hint,
    makesFolder = false,
  }: { readonly code?: string; readonly hint: string; readonly makesFolder?: boolean },
): void {
  try {
    if (makesFolder) makeFolder(dirname(file));
    writeFileSync(file, text);
  } catch (cause) {
    throw unwritable(file, cause, { code, hint });
  }
}
