import { parentPort, workerData } from 'node:worker_threads';
import { AppError, messageOf } from '../../kernel/index.ts';
import type { FromThread, ThreadStart, ToThread } from './messages.ts';

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
