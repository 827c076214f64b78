import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { StrategyBundle } from '../../agents/index.ts';
import type { RunSettingsInput } from '../../engine/index.ts';
import { AppError } from '../../kernel/index.ts';
import type { RunOptions, WorldFiles } from '../../runner/index.ts';
import { THREAD_ENDED } from '../sweep/executor.ts';

/** Start data of every thread, in addition to the data for its tasks. */
export interface ThreadStart {
  /** Counter that the thread increases with each decision. If the counter stops, the pool ends the thread. */
  readonly heartbeat: SharedArrayBuffer;
}

/** Start data of a sweep's worker thread. */
export interface WorkerStart extends ThreadStart {
  readonly strategy: string;
  readonly bundle: StrategyBundle | undefined;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly options: RunOptions;
  readonly settings: RunSettingsInput;
  /** Input files. The columns of bars are in memory shared by all workers. */
  readonly files: WorldFiles;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Name of the channel on which threads report model usage. `undefined` without a budget. */
  readonly meter?: string | undefined;
  readonly pythonLimits: { readonly timeoutMs?: number; readonly graceMs?: number } | undefined;
}

export type ToThread<Task> =
  /** First message to a thread. */
  | { readonly type: 'start'; readonly start: ThreadStart }
  | { readonly type: 'task'; readonly task: Task }
  | { readonly type: 'close' };

export type FromThread<Result> =
  | { readonly type: 'ready' }
  | { readonly type: 'result'; readonly result: Result }
  | { readonly type: 'broken'; readonly code: string; readonly message: string; readonly hint: string };

/**
 * Maximum number of unfinished tasks of a thread: the running task and one waiting task. The thread can start
 * the waiting task immediately.
 */
const AHEAD = 2;
/** Interval in milliseconds at which the pool checks that threads still make decisions. */
const LOOK = 500;
/** Maximum time that a thread may use to end its Python process, in milliseconds. */
const END_LIMIT = 5_000;

/**
 * Threads that load their modules while the main thread prepares the work. A thread pool uses these threads
 * before it starts new threads.
 */
export class ThreadReserve {
  readonly #threads = new Set<Worker>();

  constructor(script: URL, count: number) {
    for (let added = 0; added < count; added++) {
      const thread = new Worker(built(script), { stdout: true });
      this.#threads.add(thread);
      const drop = (): void => {
        this.#threads.delete(thread);
      };
      // A reserved thread that was lost is not used. The pool starts a new thread instead. If no thread can
      // start, the pool reports the error.
      thread.on('error', drop);
      thread.on('exit', drop);
    }
  }

  take(): Worker | undefined {
    const [thread] = this.#threads;
    if (thread !== undefined) this.#threads.delete(thread);
    return thread;
  }

  /** Ends the threads that no pool has taken. */
  async close(): Promise<void> {
    await Promise.all([...this.#threads].map((thread) => thread.terminate()));
  }
}

interface Job<Task, Result> {
  readonly task: Task;
  readonly settle: (result: Result) => void;
}

interface Hand<Task, Result> {
  readonly worker: Worker;
  readonly beats: Int32Array;
  readonly jobs: Job<Task, Result>[];
  ready: boolean;
  ended: boolean;
  seen: number;
  /** Time at which the running task started, or at which the pool last noticed a decision of the task. */
  since: number;
  /** Time at which the running task started. */
  started: number;
}

/** Options of a thread pool. */
export interface ThreadPoolOptions<Task, Result> {
  /** Compiled script of a thread. The script calls `serveTasks`. */
  readonly script: URL;
  /** Start data of each thread, without the field `heartbeat`. */
  readonly start: object;
  readonly jobs: number;
  /** Seconds without a decision after which a thread is ended. */
  readonly seconds: number;
  /** Returns the result of a task whose thread was lost. `seconds` is the time since the task started. */
  readonly lost: (task: Task, message: string, seconds: number) => Result;
  /**
   * If true, an abort of the pool waits for running tasks. If false, an abort ends the threads of running
   * tasks.
   */
  readonly finishes: boolean;
  /**
   * Called with text that strategies print. If omitted, standard output is discarded, and standard error is
   * forwarded.
   */
  readonly print?: (text: string) => void;
  /** Idle threads with the same script. Not used if `print` is given. */
  readonly reserve?: ThreadReserve | undefined;
}

/**
 * Runs tasks in threads of this process. A task that hangs or ends its thread does not affect other tasks.
 */
export class ThreadPool<Task, Result> {
  readonly #options: ThreadPoolOptions<Task, Result>;
  readonly #limit: number;
  readonly #waiting: Job<Task, Result>[] = [];
  readonly #hands = new Set<Hand<Task, Result>>();
  readonly #watch: NodeJS.Timeout;
  #fault: AppError | undefined;
  #fail: ((error: AppError) => void) | undefined;
  #closed = false;

  constructor(options: ThreadPoolOptions<Task, Result>) {
    this.#options = options;
    this.#limit = options.seconds * 1000;
    this.#watch = setInterval(() => this.#look(), LOOK);
    this.#watch.unref();
    for (let count = 0; count < options.jobs; count++) this.#add();
  }

  /**
   * Runs tasks and yields their results in order of completion.
   *
   * @throws AppError if a thread cannot be started
   */
  async *run(tasks: Iterable<Task>, signal?: AbortSignal): AsyncIterable<Result> {
    const results: Result[] = [];
    const asked = [...tasks];
    let left = asked.length;
    let wake: () => void = () => undefined;
    let fault: AppError | undefined = this.#fault;
    const settle = (result: Result): void => {
      results.push(result);
      wake();
    };
    this.#fail = (error) => {
      fault = error;
      wake();
    };
    for (const task of asked) this.#waiting.push({ task, settle });
    const stop = (): void => {
      const dropped = this.#waiting.splice(0).length;
      left = this.#options.finishes ? left - dropped : 0;
      wake();
    };
    signal?.addEventListener('abort', stop, { once: true });
    if (signal?.aborted) stop();
    for (const hand of this.#hands) this.#give(hand);
    try {
      while (left > 0) {
        if (fault !== undefined) throw fault;
        const result = results.shift();
        if (result === undefined) {
          await new Promise<void>((resolve) => {
            wake = resolve;
            if (results.length > 0 || left <= 0 || fault !== undefined) resolve();
          });
          continue;
        }
        left -= 1;
        yield result;
      }
    } finally {
      signal?.removeEventListener('abort', stop);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#watch);
    await Promise.all([...this.#hands].map((hand) => this.#end(hand)));
  }

  #add(): void {
    const heartbeat = new SharedArrayBuffer(4);
    const { script, start, print, reserve } = this.#options;
    const worker =
      (print === undefined ? reserve?.take() : undefined) ??
      new Worker(built(script), {
        // Text that a strategy prints is not part of the result and must not reach the standard output of
        // this process.
        stdout: true,
        stderr: print !== undefined,
      });
    worker.postMessage({ type: 'start', start: { ...start, heartbeat } } satisfies ToThread<Task>);
    if (print === undefined) worker.stdout.resume();
    else for (const stream of [worker.stdout, worker.stderr]) stream.setEncoding('utf8').on('data', print);
    const beats = new Int32Array(heartbeat);
    const hand: Hand<Task, Result> = {
      worker,
      beats,
      jobs: [],
      ready: false,
      ended: false,
      seen: 0,
      since: performance.now(),
      started: performance.now(),
    };
    this.#hands.add(hand);
    worker.on('message', (message: FromThread<Result>) => this.#hear(hand, message));
    worker.on('error', (error) => this.#lose(hand, `${THREAD_ENDED}: ${error.message}`));
    worker.on('exit', () => this.#lose(hand, THREAD_ENDED));
  }

  #hear(hand: Hand<Task, Result>, message: FromThread<Result>): void {
    if (message.type === 'ready') {
      hand.ready = true;
      this.#give(hand);
      return;
    }
    if (message.type === 'broken') {
      const { code, hint } = message;
      this.#fault = new AppError({ code, message: message.message, hint, kind: 'run' });
      this.#fail?.(this.#fault);
      return;
    }
    const job = hand.jobs.shift();
    begin(hand);
    this.#give(hand);
    job?.settle(message.result);
  }

  #give(hand: Hand<Task, Result>): void {
    while (hand.ready && !hand.ended && hand.jobs.length < AHEAD) {
      const job = this.#waiting.shift();
      if (job === undefined) return;
      if (hand.jobs.length === 0) begin(hand);
      hand.jobs.push(job);
      hand.worker.postMessage({ type: 'task', task: job.task } satisfies ToThread<Task>);
    }
  }

  /** Ends threads that have made no decision for too long. */
  #look(): void {
    const now = performance.now();
    for (const hand of this.#hands) {
      const beats = Atomics.load(hand.beats, 0);
      if (beats !== hand.seen || hand.jobs.length === 0) {
        hand.seen = beats;
        hand.since = now;
      } else if (now - hand.since > this.#limit) {
        this.#lose(hand, `a decision took longer than ${this.#limit / 1000} s`);
        void hand.worker.terminate();
      }
    }
  }

  #lose(hand: Hand<Task, Result>, message: string): void {
    if (hand.ended) return;
    hand.ended = true;
    this.#hands.delete(hand);
    const [current, ...rest] = hand.jobs.splice(0);
    this.#waiting.unshift(...rest);
    if (this.#closed) return;
    if (!hand.ready) {
      this.#fault ??= new AppError({
        code: 'worker_failed',
        message: `A worker did not start: ${message}.`,
        hint: 'Run the strategy once with sandtable run to see its error.',
        kind: 'run',
      });
      this.#fail?.(this.#fault);
      return;
    }
    this.#add();
    current?.settle(this.#options.lost(current.task, message, (performance.now() - hand.started) / 1000));
  }

  async #end(hand: Hand<Task, Result>): Promise<void> {
    hand.ended = true;
    this.#hands.delete(hand);
    const ended = new Promise<void>((resolve) => hand.worker.once('exit', () => resolve()));
    // An idle thread receives the message `close`, so that it can first end its Python process. A busy thread
    // is ended immediately.
    if (hand.ready && hand.jobs.length === 0) {
      hand.worker.postMessage({ type: 'close' } satisfies ToThread<Task>);
      const timer = setTimeout(() => void hand.worker.terminate(), END_LIMIT);
      await ended;
      clearTimeout(timer);
    } else await hand.worker.terminate();
  }
}

/** Records that the next task of a thread starts. */
function begin(hand: Pick<Hand<unknown, unknown>, 'since' | 'started'>): void {
  hand.started = performance.now();
  hand.since = hand.started;
}

/**
 * Returns true if the compiled script of a thread exists. The script is missing in a checkout that was never
 * built.
 */
export function isBuilt(script: URL): boolean {
  return existsSync(fileURLToPath(script));
}

function built(script: URL): URL {
  if (isBuilt(script)) return script;
  throw new AppError({
    code: 'not_built',
    message: `The worker ${fileURLToPath(script)} is missing.`,
    hint: 'Run: npm run build',
    kind: 'run',
  });
}
