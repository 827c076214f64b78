import { parentPort } from 'node:worker_threads';
import { AppError, builtPlace, messageOf } from '../../kernel/index.ts';
import { type BarSeries, type Market, mapColumns } from '../../market/index.ts';
import type { WorldFiles } from '../../runner/index.ts';
import type { TrialExecutor, TrialResult, TrialTask } from '../sweep/executor.ts';
import {
  type FromThread,
  isBuilt,
  ThreadPool,
  ThreadReserve,
  type ThreadStart,
  type ToThread,
  type WorkerStart,
} from './thread-pool.ts';

const SCRIPT = builtPlace('research/workers/worker.js');

/** Returns true if threads can be started. */
export function hasWorkers(): boolean {
  return isBuilt(SCRIPT);
}

/** Starts threads for a `WorkerPool` that is created later. */
export function reserveWorkers(jobs: number): ThreadReserve {
  return new ThreadReserve(SCRIPT, jobs);
}

/** Runs trials in threads of this process. Each thread loads the strategy. All threads can share the bars. */
export class WorkerPool extends ThreadPool<TrialTask, TrialResult> implements TrialExecutor {
  /**
   * Creates the pool.
   *
   * @param jobs number of threads
   * @param seconds time without a decision after which a thread is ended
   * @param reserve idle threads that the pool uses before it starts new threads
   */
  constructor(
    start: Omit<WorkerStart, 'heartbeat'>,
    jobs: number,
    seconds: number,
    reserve?: ThreadReserve | undefined,
  ) {
    super({
      script: SCRIPT,
      start,
      jobs,
      seconds,
      reserve,
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

/** Returns files whose columns of bars are in shared memory, so that threads receive them without a copy. */
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

/** Runs the tasks that a thread receives from its pool. */
export interface TaskRunner<Task, Result> {
  run(task: Task): Promise<Result>;
  close(): Promise<void>;
}

/**
 * Runs the tasks that a `ThreadPool` sends to this thread, one after another.
 *
 * @param open creates the task runner once. Its parameter `deciding` must be called before every decision
 *   to report progress
 */
export function serveTasks<Start extends ThreadStart, Task, Result>(
  open: (start: Start, deciding: () => void) => Promise<TaskRunner<Task, Result>>,
): void {
  const port = parentPort!;
  const send = (message: FromThread<Result>): void => port.postMessage(message);
  const fail = (error: unknown): void => {
    const { code, hint } = error instanceof AppError ? error : { code: 'worker_failed', hint: '' };
    send({ type: 'broken', code, message: messageOf(error), hint });
    port.close();
  };
  let beat: () => void = () => undefined;
  let runner: TaskRunner<Task, Result> | undefined;
  const answer = async (message: ToThread<Task>): Promise<void> => {
    if (message.type === 'start') {
      const beats = new Int32Array(message.start.heartbeat);
      beat = () => {
        beats[0]! += 1;
      };
      runner = await open(message.start as Start, beat);
      send({ type: 'ready' });
    } else if (message.type === 'task') {
      beat();
      send({ type: 'result', result: await runner!.run(message.task) });
    } else {
      await runner?.close();
      port.close();
    }
  };
  let last: Promise<unknown> = Promise.resolve();
  port.on('message', (message: ToThread<Task>) => {
    last = last.then(() => answer(message)).catch(fail);
  });
}
