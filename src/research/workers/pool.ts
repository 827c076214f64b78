import { parentPort, workerData } from 'node:worker_threads';
import { AppError, builtPlace, messageOf } from '../../kernel/index.ts';
import { type BarSeries, type Market, mapColumns } from '../../market/index.ts';
import type { WorldFiles } from '../../runner/index.ts';
import type { TrialExecutor, TrialResult, TrialTask } from '../sweep/executor.ts';
import {
  type FromThread,
  isBuilt,
  ThreadPool,
  type ThreadStart,
  type ToThread,
  type WorkerStart,
} from './thread-pool.ts';

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

/** Runs the tasks of a thread. */
export interface TaskRunner<Task, Result> {
  run(task: Task): Promise<Result>;
  close(): Promise<void>;
}

/**
 * Runs the tasks that a `ThreadPool` sends to this thread, one after the other.
 *
 * @param open creates the task runner once. Its parameter `deciding` must be called before every decision to
 *   report progress
 */
export function serveTasks<Start extends ThreadStart, Task, Result>(
  open: (start: Start, deciding: () => void) => Promise<TaskRunner<Task, Result>>,
): void {
  const port = parentPort!;
  const start = workerData as Start;
  const beats = new Int32Array(start.heartbeat);
  const beat = (): void => {
    beats[0]! += 1;
  };
  const send = (message: FromThread<Result>): void => port.postMessage(message);
  const fail = (error: unknown): void => {
    const { code, hint } = error instanceof AppError ? error : { code: 'worker_failed', hint: '' };
    send({ type: 'broken', code, message: messageOf(error), hint });
    port.close();
  };
  const serve = async (): Promise<void> => {
    const runner = await open(start, beat);
    let last: Promise<unknown> = Promise.resolve();
    const answer = async (message: ToThread<Task>): Promise<void> => {
      if (message.type === 'task') {
        beat();
        send({ type: 'result', result: await runner.run(message.task) });
        return;
      }
      await runner.close();
      port.close();
    };
    port.on('message', (message: ToThread<Task>) => {
      last = last.then(() => answer(message)).catch(fail);
    });
    send({ type: 'ready' });
  };
  serve().catch(fail);
}
