import { RULE_TIMEOUT_SECONDS } from '../agent/index.ts';
import { serveMeter } from './budget/channel-meter.ts';
import { LocalMeter } from './budget/local-meter.ts';
import type { TrialExecutor } from './executor.ts';
import { InProcess } from './in-process.ts';
import type { PreparedSweep } from './prepare-sweep.ts';
import type { SweepJournal } from './sweep-folder.ts';
import type { SweepContext } from './sweep-request.ts';
import { WorkerPool } from './workers/pool.ts';
import { sharedFiles } from './workers/share.ts';

/**
 * Returns the executor of a sweep's trials: a cluster, worker threads, or this thread. A strategy that is
 * defined in code runs in this thread.
 */
export async function executorOf(
  prepared: PreparedSweep,
  context: SweepContext,
  journal: SweepJournal,
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
    const { openCluster } = await import('./cluster/queue-executor.ts');
    return openCluster(
      request.cluster,
      ground,
      () => journal.flush(),
      (text) => context.observer.warn(text),
      budget === undefined ? undefined : { budget, spent: journal.spent, onSpent },
    );
  }
  if (budget === undefined) return new WorkerPool(start, jobs, seconds);
  const meter = new LocalMeter(budget, journal.spent, onSpent);
  const served = serveMeter(meter);
  const pool = new WorkerPool({ ...start, meter: served.name }, jobs, seconds);
  return {
    meter,
    run: (tasks, signal) => pool.run(tasks, signal),
    async close() {
      await pool.close();
      served.close();
    },
  };
}
