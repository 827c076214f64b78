import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { Environment } from '../../agent/index.ts';
import type { WorldRow } from '../../analysis/index.ts';
import { AppError } from '../../kernel/index.ts';
import type { RunContext } from '../../runner/index.ts';
import type { StressRequest } from './request.ts';
import { failedRow } from './world-runner.ts';

/** What a thread begins with. */
export interface ThreadStart {
  readonly request: StressRequest;
  readonly environment: Environment;
  readonly pythonLimits: RunContext['pythonLimits'];
}

export type ToThread = { readonly type: 'world'; readonly world: number } | { readonly type: 'close' };

export type FromThread =
  | { readonly type: 'row'; readonly row: WorldRow }
  /** Nothing could be run at all. */
  | { readonly type: 'broken'; readonly world: number; readonly error: string }
  | { readonly type: 'closed' };

/** Runs one world at a time; a world that ends its thread has failed, and the next has a new one. */
export class WorldThread {
  readonly #start: ThreadStart;
  readonly #print: (text: string) => void;
  #worker: Worker | undefined;

  /** @param print what strategies print: it is no part of the result */
  constructor(start: ThreadStart, print: (text: string) => void) {
    this.#start = start;
    this.#print = print;
  }

  /** @throws AppError where strategy or data cannot be read */
  world(world: number, signal: AbortSignal): Promise<WorldRow | undefined> {
    const worker = this.#open();
    return new Promise((resolve, reject) => {
      const settle = (act: () => void): void => {
        worker.off('message', onMessage).off('error', onError).off('exit', onExit);
        signal.removeEventListener('abort', onAbort);
        act();
      };
      const onMessage = (message: FromThread): void => {
        if (message.type === 'row') settle(() => resolve(message.row));
        if (message.type === 'broken')
          settle(() =>
            reject(
              new AppError({
                code: 'no_result',
                message: `World ${world} could not be run: ${message.error}`,
                hint: 'Run it with --jobs 1 to see more.',
                kind: 'run',
              }),
            ),
          );
      };
      const lost = (text: string): void => {
        this.#worker = undefined;
        settle(() => resolve(failedRow(world, text)));
      };
      const onError = (error: unknown): void =>
        lost(error instanceof Error ? error.message : 'its thread was ended');
      const onExit = (): void => lost('its thread was ended');
      // What is under way is begun again when the test goes on.
      const onAbort = (): void => {
        this.#worker = undefined;
        settle(() => resolve(undefined));
        void worker.terminate();
      };
      worker.on('message', onMessage).on('error', onError).on('exit', onExit);
      signal.addEventListener('abort', onAbort);
      if (signal.aborted) onAbort();
      else worker.postMessage({ type: 'world', world } satisfies ToThread);
    });
  }

  async close(): Promise<void> {
    const worker = this.#worker;
    if (worker === undefined) return;
    this.#worker = undefined;
    const ended = new Promise((resolve) => worker.once('exit', resolve));
    worker.postMessage({ type: 'close' } satisfies ToThread);
    await ended;
  }

  #open(): Worker {
    if (this.#worker !== undefined) return this.#worker;
    const worker = new Worker(threadFile(), { workerData: this.#start, stdout: true, stderr: true });
    for (const stream of [worker.stdout, worker.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => this.#print(text));
    this.#worker = worker;
    return worker;
  }
}

/** A thread loads JavaScript; sources run from src/ find it in dist/. */
function threadFile(): URL {
  return new URL('./world-thread.js', import.meta.url.replace('/src/research/', '/dist/research/'));
}

/** Whether threads can be started: sources that were never built have none. */
export function hasThreads(): boolean {
  return existsSync(fileURLToPath(threadFile()));
}
