import { fileProblem } from './describe.ts';
import { AppError } from './errors.ts';

interface Terms {
  readonly code: string;
  readonly hint: string;
  readonly kind?: 'run';
}

/** Returns the error for a file that cannot be written. Names the file, the cause and the fix. */
export function unwritable(file: string, cause: unknown, terms: Terms): AppError {
  return new AppError({ ...terms, message: `Cannot write ${file}: ${fileProblem(cause)}.`, cause });
}
