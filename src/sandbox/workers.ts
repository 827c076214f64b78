import { type ChildOptions, SandboxChild } from './child-process.ts';
import { closed } from './failed-call.ts';
import type { BarsSent } from './pending-bars.ts';
import type { SessionHeader } from './protocol.ts';
import { SpareChildren } from './spare-children.ts';
import { WaitClock } from './wait-clock.ts';

/** A child and the bars it holds. */
export interface Worker {
  readonly child: SandboxChild;
  readonly barsSent: BarsSent;
  /** Whether it puts its heap back after its last call: the next one would wait for that. */
  restoring: boolean;
  /** True if a call that was ended has made its memory grow: a spare takes its place. */
  grown: boolean;
  /** How often the sandbox had been put back when this one was last as it began. */
  resets: number;
}

/**
 * The children of one sandbox: one at work, spares behind it.
 *
 * While the one at work puts its heap back, a spare takes the next call, and the two change places from then on. Sessions
 * live in one heap: from the first of them on the child stays the same until it dies.
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

  /** @param spares children kept ready beside the one at work */
  constructor(
    spares: number,
    { runtime, seed, memoryMegabytes, paranoid, reusable }: Omit<ChildOptions, 'signal'>,
  ) {
    this.#options = { runtime, seed, memoryMegabytes, paranoid, reusable };
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

  /** The child at work, or another where it died since the last call. */
  current(): Promise<Worker> {
    return this.#starts.during(this.#find());
  }

  /** The child for the next call. */
  async take(session?: SessionHeader): Promise<Worker> {
    const found = await this.current();
    const worker = found.grown && !this.#hasSessions ? this.#retire(found) : found;
    if (session !== undefined) this.#hasSessions = true;
    const chosen = worker.restoring && !this.#hasSessions ? this.#change(worker) : worker;
    return this.#fresh(chosen);
  }

  /** From here on no child shows anything of what was asked before; each is put back when it is next needed. */
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
   * A call was lost, with all sessions.
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

  /** Ends every child, those that are still starting too. */
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
      // Of several that wait here, the first to go on lets it go.
      if (this.#current === current) this.#current = undefined;
    }
    return this.#next();
  }

  /** The one whose heap is back first, or has been all along. */
  #change(worker: Worker): Worker {
    const other = this.#takeOther() ?? this.#ready(this.#spares.takeReady());
    if (other === undefined || !other.child.alive) return worker;
    this.#other = worker;
    this.#current = Promise.resolve(other);
    return other;
  }

  /** Ends a child whose memory has grown, once another is ready. */
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
      // A failed start is reported to this caller and tried anew by the next.
      this.#current.catch(() => {
        this.#current = undefined;
      });
    }
    return this.#current;
  }

  async #take(): Promise<Worker> {
    const next = this.#spares.take() ?? this.#startChild();
    // A spare that died while it waited is no use, and one start that went wrong is worth another try.
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
    // A start that was aborted is not tried again.
    if (this.#ending.signal.aborted) return Promise.reject(closed());
    return SandboxChild.start({ ...this.#options, signal: this.#ending.signal });
  }
}
