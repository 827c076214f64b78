import type { TrialWorld } from '../runner/index.ts';
import { TaskEvaluator } from './evaluate-task.ts';
import type { TrialExecutor, TrialResult, TrialTask } from './executor.ts';

/**
 * Runs trials in this thread. Used for strategies defined in code, which cannot be sent to another thread.
 */
export class InProcess implements TrialExecutor {
  readonly #world: TrialWorld;

  constructor(world: TrialWorld) {
    this.#world = world;
  }

  async *run(tasks: readonly TrialTask[], signal?: AbortSignal): AsyncIterable<TrialResult> {
    const evaluator = new TaskEvaluator(this.#world);
    for (const task of tasks) {
      if (signal?.aborted) return;
      yield await evaluator.evaluate(task);
      // Yields to the event loop so that an interrupt is noticed.
      await new Promise(setImmediate);
    }
  }

  close(): Promise<void> {
    return this.#world.close();
  }
}
