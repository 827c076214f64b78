import type { TrialExecutor, TrialResult, TrialTask } from '../executor.ts';
import type { WorkerStart } from './messages.ts';
import { ThreadPool, threadScript } from './thread-pool.ts';

/** Runs trials in threads of this process, a world each. */
export class WorkerPool extends ThreadPool<TrialTask, TrialResult> implements TrialExecutor {
  /**
   * @param jobs threads
   * @param seconds without a decision after which a thread is given up
   */
  constructor(start: Omit<WorkerStart, 'heartbeat'>, jobs: number, seconds: number) {
    super({
      script: threadScript('worker.js', import.meta.url),
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
