import { builtPlace } from '../../kernel/index.ts';
import { type BarSeries, type Market, mapColumns } from '../../market/index.ts';
import type { WorldFiles } from '../../runner/index.ts';
import type { TrialExecutor, TrialResult, TrialTask } from '../sweep/executor.ts';
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

/** Returns files whose columns of bars are in shared memory. Threads receive them without a copy. */
export function sharedFiles(files: WorldFiles): WorldFiles {
  const series = files.market.series.map(sharedSeries);
  const clock = series.length === 1 ? series[0]!.time : shared(files.market.clock);
  const market: Market = { ...files.market, series, clock };
  return { ...files, market, rates: files.rates.map(sharedSeries) };
}

function sharedSeries(series: BarSeries): BarSeries {
  return mapColumns(series, shared);
}

function shared(column: Float64Array): Float64Array {
  const copy = new Float64Array(new SharedArrayBuffer(column.byteLength));
  copy.set(column);
  return copy;
}
