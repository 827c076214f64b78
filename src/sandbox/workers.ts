import { AppError } from '../kernel/index.ts';
import { type ChildAnswer, type ChildOptions, SandboxChild } from './child-process.ts';
import type { BarsSent } from './pending-bars.ts';
import type { SessionHeader } from './protocol.ts';
import type { SandboxCall, SandboxReply } from './sandbox-call.ts';

function closed(): AppError {
  const message = 'The sandbox was closed.';
  return new AppError({ code: 'sandbox_closed', message, hint: 'Create a new sandbox.', kind: 'run' });
}

export function contaminated(call: SandboxCall, left: string): AppError {
  return new AppError({
    code: 'sandbox_contaminated',
    message: `A call at bar ${call.bar} that was proved to leave nothing behind has changed what later calls see: ${left}. Its code: ${String(call.request.code ?? call.operation)}`,
    hint: 'The results of this run cannot be trusted. Report the code as a hole in the sandbox: see SECURITY.md.',
    kind: 'run',
  });
}

/**
 * Returns the reply to a call without a reply from its child: the call was ended, or the child was killed or
 * crashed.
 */
export function lostReply(answer: Exclude<ChildAnswer, { kind: 'reply' }>, timeoutMs: number): SandboxReply {
  if (answer.kind === 'killed') {
    return {
      ok: false,
      replaced: true,
      kind: 'TimeoutError',
      error: `TimeoutError: computation timed out (${timeoutMs} ms)`,
      remediation: 'simplify the code or use fewer bars: it could not be interrupted, so Python was reset',
    };
  }
  return {
    ok: false,
    replaced: true,
    kind: 'SandboxCrash',
    error:
      'SandboxError: the Python process ended while it computed, most likely out of memory; it was replaced',
    remediation: 'use less memory: fewer bars, smaller arrays, no copies',
  };
}

/** Reply to a call whose child sent invalid data. */
export const MISSHAPEN: SandboxReply = {
  ok: false,
  replaced: true,
  kind: 'ProtocolError',
  error: 'SandboxError: the reply was not readable, so the Python process was replaced',
  remediation: 'simplify the code',
};

/** Child (a process that runs Python) with a record of the bars that it has received. */
export interface Worker {
  readonly child: SandboxChild;
  readonly barsSent: BarsSent;
  /** True if the child restores its heap after its last call. The next call may have to wait for this. */
  restoring: boolean;
  /**
   * True if the child's memory has grown during a call that was ended at the hard deadline. A spare child
   * then replaces this child.
   */
  grown: boolean;
  /** Value of the sandbox's reset counter when this child was last in its initial state. */
  resets: number;
}

/**
 * Children of one sandbox: the current child and the spare children.
 *
 * While the current child restores its heap, a spare child handles the next call. The two children then
 * alternate. A session (variables shared by several calls) exists in one child only. After the first call
 * with a session, all calls therefore use the same child until it ends.
 */
export class Workers {
  readonly #options: Omit<ChildOptions, 'signal'>;
  readonly #spares: SpareChildren;
  readonly #ending = new AbortController();
  readonly #starts = new WaitClock();
  #current: Promise<Worker> | undefined;
  #other: Worker | undefined;
  #hasSessions = false;
  #resets = 0;

  /** @param spares number of ready children in addition to the current child */
  constructor(
    spares: number,
    { runtime, seed, memoryMegabytes, paranoid, reusable }: Omit<ChildOptions, 'signal' | 'asks'>,
  ) {
    this.#options = { runtime, seed, memoryMegabytes, paranoid, reusable, asks: false };
    this.#spares = new SpareChildren(spares, () => this.#startChild(), this.#ending.signal);
  }

  /** Milliseconds for which calls have waited for a child to start. */
  get waitedMs(): number {
    return this.#starts.ms;
  }

  /** Number of spare children that are ready, and number of those that are starting. */
  get spares(): SpareChildren['state'] {
    return this.#spares.state;
  }

  /** Returns the current child. If it has ended since the last call, returns a new one. */
  current(): Promise<Worker> {
    return this.#starts.during(this.#find());
  }

  /** Returns the child for the next call. */
  async take(session?: SessionHeader): Promise<Worker> {
    const found = await this.current();
    const worker = found.grown && !this.#hasSessions ? this.#retire(found) : found;
    if (session !== undefined) this.#hasSessions = true;
    const chosen = worker.restoring && !this.#hasSessions ? this.#change(worker) : worker;
    return this.#fresh(chosen);
  }

  /** Requests a reset of all children. Each child is reset before its next use. */
  reset(): void {
    this.#resets += 1;
    this.#hasSessions = false;
  }

  async #fresh(worker: Worker): Promise<Worker> {
    if (worker.resets === this.#resets) return worker;
    if (!(await this.#starts.during(worker.child.reset()))) {
      if ((await this.#current) === worker) this.#current = undefined;
      return this.current();
    }
    worker.barsSent.clear();
    worker.restoring = false;
    worker.resets = this.#resets;
    return worker;
  }

  /**
   * Records that a call of the child was ended, or that the child crashed or was killed. All sessions are
   * then lost.
   *
   * @param grown true if the child is alive and its memory has grown
   */
  noteLoss(worker: Worker, grown: boolean): void {
    this.#hasSessions = false;
    if (worker.child.alive) {
      worker.restoring = true;
      worker.grown ||= grown;
      return;
    }
    this.#current = undefined;
    this.#spares.noteLoss();
  }

  /** Ends all children, including those that are still starting. */
  async close(): Promise<void> {
    this.#ending.abort();
    const children = [this.#current, ...this.#spares.takeAll()];
    this.#current = undefined;
    await Promise.allSettled(children);
  }

  async #find(): Promise<Worker> {
    const current = this.#current;
    if (current !== undefined) {
      const worker = await current;
      if (worker.child.alive) return worker;
      // Several callers may wait for a child that has ended. The first one to resume removes the child.
      if (this.#current === current) this.#current = undefined;
    }
    return this.#next();
  }

  /**
   * Returns another child whose heap has already been restored. Without such a child, returns the given
   * worker.
   */
  #change(worker: Worker): Worker {
    const other = this.#takeOther() ?? this.#ready(this.#spares.takeReady());
    if (other === undefined || !other.child.alive) return worker;
    this.#other = worker;
    this.#current = Promise.resolve(other);
    return other;
  }

  /** Replaces a child whose memory has grown. Ends this child only when another child is ready. */
  #retire(worker: Worker): Worker {
    const next = this.#takeOther() ?? this.#ready(this.#spares.takeReady());
    if (next === undefined) return worker;
    worker.child.kill();
    this.#current = Promise.resolve(next);
    this.#spares.fill();
    return next;
  }

  #takeOther(): Worker | undefined {
    const other = this.#other;
    this.#other = undefined;
    return other?.child.alive ? other : undefined;
  }

  #next(): Promise<Worker> {
    if (this.#ending.signal.aborted) return Promise.reject(closed());
    if (this.#current === undefined) {
      const other = this.#takeOther();
      this.#current = other === undefined ? this.#take() : Promise.resolve(other);
      if (other !== undefined) this.#spares.fill();
      // This caller gets the error of the failed start. The next caller starts a new child.
      this.#current.catch(() => {
        this.#current = undefined;
      });
    }
    return this.#current;
  }

  async #take(): Promise<Worker> {
    const next = this.#spares.take() ?? this.#startChild();
    // If the spare child has ended or failed to start, one more start is attempted.
    const child = await next.then(
      (spare) => (spare.alive ? spare : this.#startChild()),
      () => this.#startChild(),
    );
    this.#spares.fill();
    return { child, barsSent: new Map(), restoring: false, grown: false, resets: this.#resets };
  }

  #ready(child: SandboxChild | undefined): Worker | undefined {
    if (child === undefined) return undefined;
    return { child, barsSent: new Map(), restoring: false, grown: false, resets: this.#resets };
  }

  #startChild(): Promise<SandboxChild> {
    // After an abort, no new child is started.
    if (this.#ending.signal.aborted) return Promise.reject(closed());
    return SandboxChild.start({ ...this.#options, signal: this.#ending.signal });
  }
}

/**
 * Maximum number of spare children in addition to the normal number. Each child that was lost in the last
 * `REMEMBERED` milliseconds adds one.
 */
const MOST_MORE = 2;
/** Milliseconds after which the loss of a child no longer adds a spare child. */
const REMEMBERED = 30_000;
/**
 * Maximum number of children that start at the same time. A start uses more than one core, and callers wait
 * for the first ready child.
 */
const AT_ONCE = 2;

/** Spare children that are ready or starting, in addition to the current child. */
export class SpareChildren {
  readonly #wanted: number;
  readonly #start: () => Promise<SandboxChild>;
  readonly #ending: AbortSignal;
  readonly #children: Promise<SandboxChild>[] = [];
  readonly #started = new WeakMap<Promise<SandboxChild>, SandboxChild>();
  #starting = 0;
  #losses: number[] = [];

  /** @param wanted normal number of spare children. If 0, no spare child is ever started */
  constructor(wanted: number, start: () => Promise<SandboxChild>, ending: AbortSignal) {
    this.#wanted = wanted;
    this.#start = start;
    this.#ending = ending;
  }

  /** Returns the spare child that was started first. It may still be starting. */
  take(): Promise<SandboxChild> | undefined {
    return this.#children.shift();
  }

  /** Returns a ready spare child. `undefined` if no spare child is ready. */
  takeReady(): SandboxChild | undefined {
    const place = this.#children.findIndex((child) => this.#started.get(child)?.alive);
    return place < 0 ? undefined : this.#started.get(this.#children.splice(place, 1)[0]!);
  }

  takeAll(): Promise<SandboxChild>[] {
    return this.#children.splice(0);
  }

  /** Number of spare children that are ready, and number of those that are starting. */
  get state(): { readonly ready: number; readonly starting: number } {
    const ready = this.#children.filter((child) => this.#started.get(child)?.alive).length;
    return { ready, starting: this.#starting };
  }

  /** Records that the current child was lost, and starts missing and additional spare children. */
  noteLoss(): void {
    this.#losses.push(Date.now());
    this.fill();
  }

  /** Starts spare children until the wanted number is ready or starting. */
  fill(): void {
    const now = Date.now();
    this.#losses = this.#losses.filter((time) => now - time < REMEMBERED);
    const wanted = this.#wanted === 0 ? 0 : this.#wanted + Math.min(MOST_MORE, this.#losses.length);
    while (!this.#ending.aborted && this.#children.length < wanted && this.#starting < AT_ONCE) this.#add();
  }

  #add(): void {
    this.#starting += 1;
    const spare = this.#start();
    this.#children.push(spare);
    const started = (): void => {
      this.#starting -= 1;
    };
    spare.then(
      (child) => {
        this.#started.set(spare, child);
        started();
        this.fill();
      },
      () => {
        started();
        const place = this.#children.indexOf(spare);
        if (place >= 0) this.#children.splice(place, 1);
      },
    );
  }
}

/** Measures the total time during which at least one caller waits. */
export class WaitClock {
  #underWay = 0;
  #since = 0;
  #total = 0;

  /** Total milliseconds so far, including a wait in progress. */
  get ms(): number {
    return this.#total + (this.#underWay > 0 ? performance.now() - this.#since : 0);
  }

  async during<Value>(waiting: Promise<Value>): Promise<Value> {
    if (this.#underWay === 0) this.#since = performance.now();
    this.#underWay += 1;
    try {
      return await waiting;
    } finally {
      this.#underWay -= 1;
      if (this.#underWay === 0) this.#total += performance.now() - this.#since;
    }
  }
}
