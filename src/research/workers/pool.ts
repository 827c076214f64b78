import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { AppError } from '../../kernel/index.ts';
import type { TrialExecutor, TrialResult, TrialTask } from '../executor.ts';
import { THREAD_ENDED } from '../lost.ts';
import type { FromWorker, ToWorker, WorkerStart } from './messages.ts';

/** Tasks a worker has at once: while it says what one came to, it is at the next. */
const AHEAD = 2;
/** How often the workers' decisions are looked at, in milliseconds. */
const LOOK = 500;
/** A worker that has to be ended does not get longer to end its Python, in milliseconds. */
const END_LIMIT = 5_000;

type Settle = (result: TrialResult) => void;

interface Job {
  readonly task: TrialTask;
  readonly settle: Settle;
}

interface Hand {
  readonly worker: Worker;
  readonly beats: Int32Array;
  readonly jobs: Job[];
  ready: boolean;
  ended: boolean;
  seen: number;
  since: number;
}

/** Runs trials in threads of this process, a world each. What hangs or breaks a thread costs one failed trial. */
export class WorkerPool implements TrialExecutor {
  readonly #start: Omit<WorkerStart, 'heartbeat'>;
  readonly #size: number;
  readonly #limit: number;
  readonly #waiting: Job[] = [];
  readonly #hands = new Set<Hand>();
  readonly #watch: NodeJS.Timeout;
  #fault: AppError | undefined;
  #fail: ((error: AppError) => void) | undefined;
  #closed = false;

  /**
   * @param jobs threads
   * @param seconds without a decision after which a thread is given up
   */
  constructor(start: Omit<WorkerStart, 'heartbeat'>, jobs: number, seconds: number) {
    this.#start = start;
    this.#size = jobs;
    this.#limit = seconds * 1000;
    this.#watch = setInterval(() => this.#look(), LOOK);
    this.#watch.unref();
    for (let count = 0; count < jobs; count++) this.#add();
  }

  async *run(tasks: readonly TrialTask[], signal?: AbortSignal): AsyncIterable<TrialResult> {
    const results: TrialResult[] = [];
    let left = tasks.length;
    let wake: () => void = () => undefined;
    let fault: AppError | undefined = this.#fault;
    const settle: Settle = (result) => {
      results.push(result);
      wake();
    };
    this.#fail = (error) => {
      fault = error;
      wake();
    };
    this.#waiting.push(...tasks.map((task) => ({ task, settle })));
    const stop = (): void => {
      // Those under way are waited for.
      left -= this.#waiting.splice(0).length;
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
    const worker = new Worker(builtWorker(), {
      workerData: { ...this.#start, heartbeat } satisfies WorkerStart,
      // What a strategy prints is not what the sweep says.
      stdout: true,
    });
    const beats = new Int32Array(heartbeat);
    const hand: Hand = {
      worker,
      beats,
      jobs: [],
      ready: false,
      ended: false,
      seen: 0,
      since: performance.now(),
    };
    this.#hands.add(hand);
    worker.on('message', (message: FromWorker) => this.#hear(hand, message));
    worker.on('error', (error) => this.#lose(hand, `${THREAD_ENDED}: ${error.message}`));
    worker.on('exit', () => this.#lose(hand, THREAD_ENDED));
  }

  #hear(hand: Hand, message: FromWorker): void {
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
    hand.since = performance.now();
    this.#give(hand);
    job?.settle(message.result);
  }

  #give(hand: Hand): void {
    while (hand.ready && !hand.ended && hand.jobs.length < AHEAD) {
      const job = this.#waiting.shift();
      if (job === undefined) return;
      if (hand.jobs.length === 0) hand.since = performance.now();
      hand.jobs.push(job);
      hand.worker.postMessage({ type: 'task', task: job.task } satisfies ToWorker);
    }
  }

  /** Gives up threads that have made no decision for too long. */
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

  #lose(hand: Hand, message: string): void {
    if (hand.ended) return;
    hand.ended = true;
    this.#hands.delete(hand);
    const [current, ...rest] = hand.jobs.splice(0);
    this.#waiting.unshift(...rest);
    if (this.#closed) return;
    if (!hand.ready) {
      this.#fault ??= new AppError({
        code: 'worker_failed',
        message: `A worker of the sweep did not start: ${message}.`,
        hint: 'Run the strategy once with sandtable run; its fault is shown there.',
        kind: 'run',
      });
      this.#fail?.(this.#fault);
      return;
    }
    this.#add();
    current?.settle({
      id: current.task.trial.id,
      outcome: 'failed',
      error: { code: 'worker_lost', message },
      figures: null,
      seconds: (performance.now() - hand.since) / 1000,
    });
  }

  async #end(hand: Hand): Promise<void> {
    hand.ended = true;
    this.#hands.delete(hand);
    const ended = new Promise<void>((resolve) => hand.worker.once('exit', () => resolve()));
    // One that is idle ends its Python first; one that is at work is not waited for.
    if (hand.ready && hand.jobs.length === 0) {
      hand.worker.postMessage({ type: 'close' } satisfies ToWorker);
      const timer = setTimeout(() => void hand.worker.terminate(), END_LIMIT);
      await ended;
      clearTimeout(timer);
    } else await hand.worker.terminate();
  }

  /** Threads there are to be. */
  get size(): number {
    return this.#size;
  }
}

/** The compiled worker; a checkout that runs from its sources uses it too. */
function builtWorker(): URL {
  const file = new URL('./worker.js', import.meta.url.replace('/src/research/', '/dist/research/'));
  if (existsSync(fileURLToPath(file))) return file;
  throw new AppError({
    code: 'not_built',
    message: `The worker of sweeps ${fileURLToPath(file)} is missing.`,
    hint: 'Run: npm run build',
    kind: 'run',
  });
}
