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

/** Returns the reply to a call that was ended in its process, was ended with its process, or crashed. */
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

/** Reply to invalid data from a child. */
export const MISSHAPEN: SandboxReply = {
  ok: false,
  replaced: true,
  kind: 'ProtocolError',
  error: 'SandboxError: the reply was not readable, so the Python process was replaced',
  remediation: 'simplify the code',
};

/** Child with the number of bars it contains. */
export interface Worker {
  readonly child: SandboxChild;
  readonly barsSent: BarsSent;
  /** True while the child restores its heap after its last call. The next call would wait for this. */
  restoring: boolean;
  /** True if an ended call enlarged the child's memory. A spare then replaces the child. */
  grown: boolean;
  /** Number of resets of the sandbox when this child was last in its first state. */
  resets: number;
}

/**
 * Children of one sandbox: the current child and spares.
 *
 * While the current child restores its heap, a spare handles the next call, and both alternate from then on.
 * Sessions are part of one heap. After the first session, the child stays the same until it dies.
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

  /** @param spares number of ready children in addition to the current one */
  constructor(
    spares: number,
    { runtime, seed, memoryMegabytes, paranoid, reusable }: Omit<ChildOptions, 'signal' | 'asks'>,
  ) {
    this.#options = { runtime, seed, memoryMegabytes, paranoid, reusable, asks: false };
    this.#spares = new SpareChildren(spares, () => this.#startChild(), this.#ending.signal);
  }

  /** Milliseconds that calls have waited so far for a child to start. */
  get waitedMs(): number {
    return this.#starts.ms;
  }

  /** Number of spares that are ready, and of those still starting. */
  get spares(): SpareChildren['state'] {
    return this.#spares.state;
  }

  /** Returns the current child, or a new one if it died since the last call. */
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

  /** Resets all children. Each child is reset before its next use. */
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
   * Records that a call was lost, with all sessions.
   *
   * @param grown true if the child lives and its memory has grown
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

  /** Ends every child, including starting ones. */
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
      // The first waiter to resume removes the failed child.
      if (this.#current === current) this.#current = undefined;
    }
    return this.#next();
  }

  /** Returns a child whose heap is restored. */
  #change(worker: Worker): Worker {
    const other = this.#takeOther() ?? this.#ready(this.#spares.takeReady());
    if (other === undefined || !other.child.alive) return worker;
    this.#other = worker;
    this.#current = Promise.resolve(other);
    return other;
  }

  /** Ends a child whose memory has grown, after another child is ready. */
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
      // A failed start is reported to this caller. The next caller starts a new child.
      this.#current.catch(() => {
        this.#current = undefined;
      });
    }
    return this.#current;
  }

  async #take(): Promise<Worker> {
    const next = this.#spares.take() ?? this.#startChild();
    // If the spare died while it waited or failed to start, another start is attempted once.
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
    // An aborted start is not repeated.
    if (this.#ending.signal.aborted) return Promise.reject(closed());
    return SandboxChild.start({ ...this.#options, signal: this.#ending.signal });
  }
}

/** Maximum number of additional spares after repeated losses of the current child. */
const MOST_MORE = 2;
/** Milliseconds after which the loss of a child no longer counts. */
const REMEMBERED = 30_000;
/**
 * Maximum number of parallel starts. A start uses more than one core, and the first ready child matters most.
 */
const AT_ONCE = 2;

/** Spare children that are ready or starting, in addition to the current one. */
export class SpareChildren {
  readonly #wanted: number;
  readonly #start: () => Promise<SandboxChild>;
  readonly #ending: AbortSignal;
  readonly #children: Promise<SandboxChild>[] = [];
  readonly #started = new WeakMap<Promise<SandboxChild>, SandboxChild>();
  #starting = 0;
  #losses: number[] = [];

  /** @param wanted normal number of spares; with 0 there is never a spare */
  constructor(wanted: number, start: () => Promise<SandboxChild>, ending: AbortSignal) {
    this.#wanted = wanted;
    this.#start = start;
    this.#ending = ending;
  }

  /** Returns the spare that was started first. */
  take(): Promise<SandboxChild> | undefined {
    return this.#children.shift();
  }

  /** Returns a ready spare. Undefined if no spare is ready. */
  takeReady(): SandboxChild | undefined {
    const place = this.#children.findIndex((child) => this.#started.get(child)?.alive);
    return place < 0 ? undefined : this.#started.get(this.#children.splice(place, 1)[0]!);
  }

  takeAll(): Promise<SandboxChild>[] {
    return this.#children.splice(0);
  }

  /** Number of spares that are ready, and of those still starting. */
  get state(): { readonly ready: number; readonly starting: number } {
    const ready = this.#children.filter((child) => this.#started.get(child)?.alive).length;
    return { ready, starting: this.#starting };
  }

  /** Records that the current child had to be replaced. After repeated losses, more spares are started. */
  noteLoss(): void {
    this.#losses.push(Date.now());
    this.fill();
  }

  /** Starts missing spares. */
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

/** Measures the total time in which at least one wait is in progress. */
export class WaitClock {
  #underWay = 0;
  #since = 0;
  #total = 0;

  /** Milliseconds waited so far, including a wait in progress. */
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
