import { builtPlace } from '../../kernel/index.ts';
import type { TrialExecutor, TrialResult, TrialTask } from '../executor.ts';
import type { WorkerStart } from './messages.ts';
import { isBuilt, ThreadPool } from './thread-pool.ts';

const SCRIPT = builtPlace('research/workers/worker.js');

/** Returns true if threads can be started. */
export function hasWorkers(): boolean {
  return isBuilt(SCRIPT);
}

/** Runs trials in threads of this process. Each thread has a separate world. */
export class WorkerPool extends ThreadPool<TrialTask, TrialResult> implements TrialExecutor {
  /**
   * Creates the pool.
   *
   * @param jobs number of threads
   * @param seconds time without a decision after which a thread is ended
   */
  constructor(start: Omit<WorkerStart, 'heartbeat'>, jobs: number, seconds: number) {
    super({
      script: SCRIPT,
      start,
      jobs,
      seconds,
      finishes: true,
      lost: ({ trial }, message, taken) => ({
        id: trial.id,
        outcome: 'failed',
        error: { code: 'worker_lost', message },
        figures: null,
        seconds: taken,
      }),
    });
  }
}
