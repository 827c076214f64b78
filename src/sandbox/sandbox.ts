import type { ChildAnswer } from './child-process.ts';
import { frameColumns, pendingBars, visibleBars } from './pending-bars.ts';
import { verdictOf } from './proof/verdict.ts';
import type { CleanCheck, NewRows } from './protocol.ts';
import {
  readReply,
  type SandboxCall,
  type SandboxCounts,
  type SandboxOptions,
  type SandboxReply,
} from './sandbox-call.ts';
import { contaminated, lostReply, MISSHAPEN, type Worker, Workers } from './workers.ts';

const DEFAULTS = {
  seed: 0,
  timeoutMs: 500,
  graceMs: 400,
  spares: 1,
  memoryMegabytes: 512,
  paranoid: false,
  reusable: false,
  proof: true,
  sampled: 512,
};

/** Size of new bars in bytes, above which they are sent before the call. About 40,000 bars. */
const LONG_FEED = 2_000_000;
const NOTHING = new Uint8Array(0);

/**
 * Timeout in milliseconds for computing a fingerprint: a comparison of Python's state before and after a
 * call.
 */
const FINGERPRINT_LIMIT = 60_000;

/**
 * Python for one agent of one run. Manages a current child process and spare child processes that run Python,
 * and sends them bars as the engine reveals them.
 */
export class Sandbox {
  readonly #options: Required<SandboxOptions>;
  readonly #workers: Workers;
  #queue: Promise<unknown> = Promise.resolve();
  #counts: SandboxCounts = { calls: 0, clean: 0 };

  constructor(options: SandboxOptions) {
    this.#options = { ...DEFAULTS, ...options };
    const { spares, ...child } = this.#options;
    this.#workers = new Workers(spares, child);
  }

  /**
   * Number of all calls since the start or the last reset, and number of proved calls among them. A call is
   * proved if the static check of its code found no change that a later call could see.
   */
  get counts(): SandboxCounts {
    return this.#counts;
  }

  /** Versions of Python and its packages, and their fingerprint, for the manifest of a run. */
  get versions(): Readonly<Record<string, string>> {
    const { versions, fingerprint } = this.#options.runtime;
    return { ...versions, pythonRuntime: fingerprint };
  }

  /** Milliseconds after which code is interrupted. */
  get timeoutMs(): number {
    return this.#options.timeoutMs;
  }

  /**
   * Milliseconds for which calls have waited for a child to start. The time limit of a call does not include
   * this time.
   */
  get waitedMs(): number {
    return this.#workers.waitedMs;
  }

  /** Starts the first child. Optional, because a call starts the child if needed. */
  async start(): Promise<void> {
    await this.#workers.current();
  }

  /** Describes the current child and the spares, for `doctor`. */
  async describe(): Promise<{
    readonly bootMs: number;
    readonly descriptorsClosed: boolean;
    readonly pid: number | undefined;
    readonly spares: { readonly ready: number; readonly starting: number };
  }> {
    const { child } = await this.#workers.current();
    const { bootMs, descriptorsClosed, pid } = child;
    return { bootMs, descriptorsClosed, pid, spares: this.#workers.spares };
  }

  /**
   * Runs one operation. Calls run one after another.
   *
   * @throws AppError `sandbox_failed` if no child can be started; `sandbox_contaminated` if a call changed
   *   Python's state although the static check of its code had found no such change
   */
  call(call: SandboxCall): Promise<SandboxReply> {
    const answer = this.#queue.then(() => this.#run(call));
    this.#queue = answer.catch(() => undefined);
    return answer;
  }

  /**
   * Restores the initial state, for another run with the same seed. Discards bars and sessions. Waits for
   * calls in progress.
   */
  async reset(): Promise<void> {
    if (!this.#options.reusable) throw new Error('a sandbox is made reusable when it is opened');
    await this.#queue;
    this.#workers.reset();
    this.#counts = { calls: 0, clean: 0 };
  }

  /** Ends all children, including those that are still starting. */
  async close(): Promise<void> {
    await this.#workers.close();
  }

  async #run(call: SandboxCall): Promise<SandboxReply> {
    const worker = await this.#workers.take(call.session);
    const timeoutMs = call.timeoutMs ?? this.#options.timeoutMs;
    const pending = pendingBars(worker.barsSent, call.windows, call.published);
    const symbols = visibleBars(worker.barsSent, call);
    const verdict = await verdictOf(call.operation, call.request);
    const clean = verdict.clean && call.session === undefined && this.#options.proof;
    const facts = verdict.clean ? { facts: verdict.facts } : {};
    const body = JSON.stringify({
      ...call.request,
      symbols,
      seed: this.#options.seed,
      bar: call.bar,
      ...facts,
    });
    this.#counts = { calls: this.#counts.calls + 1, clean: this.#counts.clean + (clean ? 1 : 0) };
    const check = clean ? this.#checkOf() : undefined;
    const { operation, time, session } = call;
    const aligned = frameColumns(
      call.request,
      symbols.map(({ symbol }) => symbol),
    );
    const frames = aligned === undefined ? {} : { aligned };
    // Long data are sent before the call, because the time limit of a call is only for its code.
    const isLong = pending.binary.length > LONG_FEED;
    if (isLong && !(await worker.child.feed({ type: 'feed', ...newsOf(pending), ...frames }, pending.binary)))
      return this.#lost(worker, { kind: 'died', detail: 'the bars were not received' }, timeoutMs);
    const header = {
      type: 'call' as const,
      operation,
      ...(isLong ? { feeds: [] } : newsOf(pending)),
      time,
      timeoutMs,
      clean,
      ...frames,
      ...(check === undefined ? {} : { check }),
      ...(session === undefined ? {} : { session }),
    };
    const extra = check === undefined ? 0 : check === 'again' ? timeoutMs : FINGERPRINT_LIMIT;
    worker.restoring = !clean;
    const binary = isLong ? NOTHING : pending.binary;
    const answer = await worker.child.call(header, body, binary, timeoutMs + this.#options.graceMs + extra);
    if (answer.kind === 'reply') {
      if (answer.left !== undefined) throw contaminated(call, answer.left);
      const reply = readReply(answer.body);
      if (reply === undefined) worker.child.kill();
      // A child that can no longer be used is also killed after a valid reply.
      if (!worker.child.alive) this.#workers.noteLoss(worker, false);
      return reply ?? MISSHAPEN;
    }
    return this.#lost(worker, answer, timeoutMs);
  }

  #lost(worker: Worker, answer: Exclude<ChildAnswer, { kind: 'reply' }>, timeoutMs: number): SandboxReply {
    this.#workers.noteLoss(worker, answer.kind === 'killed' && answer.grown);
    return lostReply(answer, timeoutMs);
  }

  /**
   * Returns how the child checks that a proved call left no change. `undefined` if the call is not checked.
   * Depends only on the options and on the number of the call, so that repeated runs make the same checks.
   */
  #checkOf(): CleanCheck | undefined {
    if (this.#options.paranoid) return 'fingerprint';
    const { seed, sampled } = this.#options;
    return drawn(seed, this.#counts.clean) % sampled === 0 ? 'again' : undefined;
  }
}

/** Returns the bars and rows for the header of a request. */
function newsOf({ feeds, known }: ReturnType<typeof pendingBars>): NewRows {
  return { feeds, ...(known.length === 0 ? {} : { known }) };
}

/** Returns a pseudo-random number that depends only on the seed of the run and the number of the call. */
function drawn(seed: number, call: number): number {
  let mixed = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(call, 0xc2b2ae35);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d);
  return (mixed ^ (mixed >>> 13)) >>> 0;
}
