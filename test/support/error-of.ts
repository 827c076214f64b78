import { AppError } from '../../src/kernel/index.ts';

/** The user error that work throws; a test fails where it throws none. */
export function errorOf(work: () => unknown): AppError {
  try {
    work();
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

/** The user error that a promise rejects with; a test fails where it does not. */
export async function rejectionOf(promise: Promise<unknown>): Promise<AppError> {
  const error: unknown = await promise.then(
    () => new Error('nothing was thrown'),
    (cause: unknown) => cause,
  );
  if (error instanceof AppError) return error;
  throw error;
}
