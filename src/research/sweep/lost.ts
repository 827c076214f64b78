import type { TrialResult } from './executor.ts';

/** Error message of a trial that ended its thread or the process of its thread. */
export const THREAD_ENDED = 'the strategy ended its thread';

/**
 * Errors that another attempt or another machine may not have: a lost thread, a model out of reach, missing
 * Python.
 */
const DOUBTFUL: readonly string[] = [
  'worker_lost',
  'model_unavailable',
  'budget_unknown',
  'sandbox_failed',
  'sandbox_closed',
  'cache_unwritable',
  'no_python_wheels',
  'not_built',
  'pyodide_lock_unreadable',
  'python_image_failed',
  'python_source_failed',
];

/**
 * Returns true if the machine may have caused the failure of a trial. An error of the strategy itself would
 * occur again.
 */
export function isDoubtful({ error }: Pick<TrialResult, 'error'>): boolean {
  return error !== undefined && DOUBTFUL.includes(error.code);
}
