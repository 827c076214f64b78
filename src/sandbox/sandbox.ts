import { SandboxChild } from './child-process.ts';
import { closed, contaminated, lostReply, MISSHAPEN } from './failed-call.ts';
import { type BarsSent, pendingBars, visibleBars } from './pending-bars.ts';
import { verdictOf } from './proof/verdict.ts';
import type { CleanCheck } from './protocol.ts';
import { readReply } from './reply.ts';
import type { SandboxCall, SandboxCounts, SandboxOptions, SandboxReply } from './sandbox-call.ts';
import { SpareChildren } from './spare-children.ts';
import { WaitClock } from './wait-clock.ts';

/** A child and the bars it holds. */
interface Worker {
  readonly child: SandboxChild;
  readonly held: BarsSent;
}

const DEFAULTS = {
  seed: 0,
  timeoutMs: 500,
  graceMs: 400,
  spares: 1,
  memoryMegabytes: 512,
  paranoid: false,
  sampled: 512,
};

/** What a fingerprint may take, in milliseconds. */
const FINGERPRINT_LIMIT = 60_000;

/** Python for one agent of one run: a child at work, spares ready behind it, and bars pushed as they close. */
export class Sandbox {
  readonly #options: Required<SandboxOptions>;
  readonly #spares: SpareChildren;
  #worker: Promise<Worker> | undefined;
  #queue: Promise<unknown> = Promise.resolve();
  readonly #ending = new AbortController();
  #counts: SandboxCounts = { calls: 0, clean: 0 };
  readonly #starts = new WaitClock();

  constructor(options: SandboxOptions) {
    this.#options = { ...DEFAULTS, ...options };
    this.#spares = new SpareChildren(this.#options.spares, () => this.#startChild(), this.#ending.signal);
  }

  /** Calls made so far, and how many of them were proved to leave nothing behind. */
  get counts(): SandboxCounts {
    return this.#counts;
  }

  /** Versions of Python and its packages, and the fingerprint of them all, for a run's manifest. */
  get versions(): Readonly<Record<string, string>> {
    const { versions, fingerprint } = this.#options.runtime;
    return { ...versions, pythonRuntime: fingerprint };
  }

  /** When code is interrupted, in milliseconds. */
  get timeoutMs(): number {
    return this.#options.timeoutMs;
  }

  /** Milliseconds that calls have waited so far for a child to start: the machine's time, not that of their code. */
  get waitedMs(): number {
    return this.#starts.ms;
  }

  /** Starts the first child; calls do so themselves when this was left out. */
  async start(): Promise<void> {
    await this.#ready();
  }

  /** The child at work, for `doctor`. */
  async describe(): Promise<{ bootMs: number; descriptorsClosed: boolean; pid: number | undefined }> {
    const { child } = await this.#ready();
    return { bootMs: child.bootMs, descriptorsClosed: child.descriptorsClosed, pid: child.pid };
  }

  /**
   * Runs one operation; calls run one after the other.
   *
   * @throws AppError `sandbox_failed` only when no child can be started at all, `sandbox_contaminated` when a call has
   * left something behind although it was proved to leave nothing
   */
  call(call: SandboxCall): Promise<SandboxReply> {
    const answer = this.#queue.then(() => this.#run(call));
    this.#queue = answer.catch(() => undefined);
    return answer;
  }

  /** Ends every child, those that are still starting too. */
  async close(): Promise<void> {
    this.#ending.abort();
    const children = [this.#worker, ...this.#spares.takeAll()];
    this.#worker = undefined;
    await Promise.allSettled(children);
  }

  async #run(call: SandboxCall): Promise<SandboxReply> {
    const worker = await this.#ready();
    const timeoutMs = call.timeoutMs ?? this.#options.timeoutMs;
    const { feeds, binary } = pendingBars(worker.held, call.windows);
    const symbols = visibleBars(worker.held, call);
    const verdict = await verdictOf(call.operation, call.request);
    const clean = verdict.clean && call.session === undefined;
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
    const header = {
      type: 'call' as const,
      operation,
      feeds,
      time,
      timeoutMs,
      clean,
      ...(check === undefined ? {} : { check }),
      ...(session === undefined ? {} : { session }),
    };
    const extra = check === undefined ? 0 : check === 'again' ? timeoutMs : FINGERPRINT_LIMIT;
    const answer = await worker.child.call(header, body, binary, timeoutMs + this.#options.graceMs + extra);
    if (answer.kind === 'reply') {
      if (answer.left !== undefined) throw contaminated(call, answer.left);
      return readReply(answer.body) ?? this.#misshapen(worker);
    }
    this.#worker = undefined;
    this.#spares.noteLoss();
    return lostReply(answer, timeoutMs);
  }

  /** What is done to find a proof that was wrong: always the same at the same call of the same run. */
  #checkOf(): CleanCheck | undefined {
    if (this.#options.paranoid) return 'fingerprint';
    const { seed, sampled } = this.#options;
    return drawn(seed, this.#counts.clean) % sampled === 0 ? 'again' : undefined;
  }

  /** A child that says what is no reply is not asked again. */
  #misshapen({ child }: Worker): SandboxReply {
    child.kill();
    return MISSHAPEN;
  }

  /** The worker, or another where its process died since the last call. */
  #ready(): Promise<Worker> {
    return this.#starts.during(this.#findWorker());
  }

  async #findWorker(): Promise<Worker> {
    const current = this.#worker;
    if (current !== undefined) {
      const worker = await current;
      if (worker.child.alive) return worker;
      // Of several that wait here, the first to go on lets it go.
      if (this.#worker === current) this.#worker = undefined;
    }
    return this.#next();
  }

  #next(): Promise<Worker> {
    if (this.#ending.signal.aborted) {
      return Promise.reject(closed());
    }
    if (this.#worker === undefined) {
      const next = this.#spares.take() ?? this.#startChild();
      this.#worker = next
        // A spare that died while it waited is no use, and one start that went wrong is worth another try.
        .then(
          (child) => (child.alive ? child : this.#startChild()),
          () => this.#startChild(),
        )
        .then((child) => {
          this.#spares.fill();
          return { child, held: new Map() };
        });
      // A failed start is reported to this caller and tried anew by the next.
      this.#worker.catch(() => {
        this.#worker = undefined;
      });
    }
    return this.#worker;
  }

  #startChild(): Promise<SandboxChild> {
    // A start that was aborted is not tried again.
    if (this.#ending.signal.aborted) return Promise.reject(closed());
    const { runtime, seed, memoryMegabytes, paranoid } = this.#options;
    return SandboxChild.start({ runtime, seed, memoryMegabytes, paranoid, signal: this.#ending.signal });
  }
}

/** A number that looks random and depends on the run's seed and the call alone. */
function drawn(seed: number, call: number): number {
  let mixed = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(call, 0xc2b2ae35);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d);
  return (mixed ^ (mixed >>> 13)) >>> 0;
}
