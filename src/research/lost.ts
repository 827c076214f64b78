import type { TrialResult } from './executor.ts';

/** What a trial is reported with that ended its thread, or the process that the thread was in. */
export const THREAD_ENDED = 'the strategy ended its thread';

/** Errors that another attempt or another machine may not have: a lost thread, a model out of reach, a Python that is not there. */
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

/** Whether the machine may be to blame for a trial without a result. What the strategy itself does wrong it does again. */
export function isDoubtful({ error }: Pick<TrialResult, 'error'>): boolean {
  return error !== undefined && DOUBTFUL.includes(error.code);
}
