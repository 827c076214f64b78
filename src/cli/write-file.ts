import { writeFileSync } from 'node:fs';
import { AppError, fileProblem } from '../kernel/index.ts';

/**
 * Writes a file that the user named.
 *
 * @param hint what to do where it cannot be written
 * @throws AppError with the code given
 */
export function writeNamedFile(
  file: string,
  text: string,
  { code = 'page_unwritable', hint }: { readonly code?: string; readonly hint: string },
): void {
  try {
    writeFileSync(file, text);
  } catch (cause) {
    throw new AppError({ code, message: `Cannot write ${file}: ${fileProblem(cause)}.`, hint, cause });
  }
}
