import { AppError } from '../../src/kernel/index.ts';

/**
 * Returns the AppError that `work` throws. Throws, so that the test fails, if `work` throws nothing or
 * another error.
 */
export function errorOf(work: () => unknown): AppError {
  try {
    work();
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

/**
 * Returns the AppError with which a promise rejects. Throws, so that the test fails, if the promise resolves
 * or rejects with another error.
 */
export async function rejectionOf(promise: Promise<unknown>): Promise<AppError> {
  const error: unknown = await promise.then(
    () => new Error('nothing was thrown'),
    (cause: unknown) => cause,
  );
  if (error instanceof AppError) return error;
  throw error;
}

/** Returns the faults in the error of a call, one per line after the first. Empty without an error. */
export function faultsOf(call: () => unknown): string[] {
  return thrownMessage(call)
    .split('\n')
    .slice(1)
    .map((line) => line.trim());
}

/** Returns the message of the error that a call throws. Empty without an error. */
export function thrownMessage(call: () => unknown): string {
  try {
    call();
  } catch (error) {
    return (error as Error).message;
  }
  return '';
}
