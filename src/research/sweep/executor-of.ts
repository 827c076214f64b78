import { RULE_TIMEOUT_SECONDS } from '../../agents/index.ts';
import type { TrialWorld } from '../../runner/index.ts';
import { LocalMeter, serveMeter } from '../budget/meter.ts';
import { sharedFiles, WorkerPool } from '../workers/pool.ts';
import type { ThreadReserve } from '../workers/thread-pool.ts';
import { TaskEvaluator } from './evaluate-task.ts';
import type { TrialExecutor, TrialResult, TrialTask } from './executor.ts';
import type { PreparedSweep } from './prepare-sweep.ts';
import type { SweepJournal } from './sweep-folder.ts';
import type { SweepContext } from './sweep-request.ts';

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
      // Yields to the event loop, so that an interrupt by the user is processed.
      await new Promise(setImmediate);
    }
  }

  close(): Promise<void> {
    return this.#world.close();
  }
}

/**
 * Returns the executor of a sweep's trials: a cluster, worker threads, or this thread.
 *
 * @param reserve idle threads that the executor may use
 */
export async function executorOf(
  prepared: PreparedSweep,
  context: SweepContext,
  journal: SweepJournal,
  reserve?: ThreadReserve | undefined,
): Promise<TrialExecutor> {
  const { request, bundle, files, world, first, settings, jobs } = prepared;
  const { strategy, budget } = request;
  if (typeof strategy !== 'string') return new InProcess(world);
  const start = {
    strategy,
    bundle,
    parameters: first,
    options: request.options,
    settings: request.settings,
    files: sharedFiles(files),
    environment: { ...context.environment },
    pythonLimits: context.pythonLimits === undefined ? undefined : { ...context.pythonLimits },
  };
  const seconds = settings.decisionTimeout ?? RULE_TIMEOUT_SECONDS;
  const ground = { start, jobs, seconds };
  if (context.executor !== undefined) return context.executor(ground);
  const onSpent = (spent: SweepJournal['spent']): void => journal.spend(spent);
  if (request.cluster !== undefined) {
    const { openCluster } = await import('../queue/queue-executor.ts');
    return openCluster(
      request.cluster,
      ground,
      () => journal.flush(),
      (text) => context.observer.warn(text),
      budget === undefined ? undefined : { budget, spent: journal.spent, onSpent },
    );
  }
  if (budget === undefined) return new WorkerPool(start, jobs, seconds, reserve);
  const meter = new LocalMeter(budget, journal.spent, onSpent);
  const served = serveMeter(meter);
  const pool = new WorkerPool({ ...start, meter: served.name }, jobs, seconds, reserve);
  return {
    meter,
    run: (tasks, signal) => pool.run(tasks, signal),
    async close() {
      await pool.close();
      served.close();
    },
  };
}
