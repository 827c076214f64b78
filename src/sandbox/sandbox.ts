import { AppError } from '../kernel/index.ts';
import type { Window } from '../market/index.ts';
import { type ChildAnswer, SandboxChild } from './child-process.ts';
import { verdictOf } from './proof/verdict.ts';
import type { CleanCheck, Feed, SessionHeader } from './protocol.ts';
import type { PythonRuntime } from './provision/index.ts';
import { type PythonReply, readReply } from './reply.ts';
import { SpareChildren } from './spare-children.ts';
import { WaitClock } from './wait-clock.ts';

export interface SandboxOptions {
  readonly runtime: PythonRuntime;
  readonly seed?: number;
  /** When code is interrupted, in milliseconds. */
  readonly timeoutMs?: number;
  /** What code that cannot be interrupted gets beyond that before its process is killed, in milliseconds. */
  readonly graceMs?: number;
  /** Children kept ready beside the one at work. */
  readonly spares?: number;
  /** What the Python heap may grow to. */
  readonly memoryMegabytes?: number;
  /**
   * Looks after every call that was proved clean whether it has left anything behind, and ends the run when it has.
   * Without it a few calls of a run, drawn by its seed, are made again on the first heap and must answer the same.
   */
  readonly paranoid?: boolean;
  /** Of clean calls one in so many is made again; default 512. */
  readonly sampled?: number;
}

/** One call into a sandbox. */
export interface SandboxCall {
  /** Of the Python runtime: `compute` … */
  readonly operation: string;
  /** Added to what the sandbox itself sends: symbols, seed, bar, time. */
  readonly request: Readonly<Record<string, unknown>>;
  readonly bar: number;
  readonly time: number;
  /** Every symbol's bars up to now. */
  readonly windows: readonly Window[];
  readonly timeoutMs?: number;
  /** The session it works in; a call without one starts clean and leaves nothing. */
  readonly session?: SessionHeader;
  /** Shows the bars as they were at an earlier call, to run that call again: by symbol, as far as the windows have them. */
  readonly sight?: ReadonlyMap<string, Sight>;
}

/** How much of a symbol's bars a call saw. */
export interface Sight {
  /** Bars revealed since the start. */
  readonly revealed: number;
  /** Of them, those within the look-back. */
  readonly length: number;
}

/** Python's reply, or an error of the same shape when its process had to be replaced. */
export type SandboxReply =
  | Extract<PythonReply, { ok: true }>
  | (Extract<PythonReply, { ok: false }> & {
      /** The process is gone, and every session with it. */
      readonly replaced?: true;
    });

/** How many calls were proved clean, of all that were made. */
export interface SandboxCounts {
  readonly calls: number;
  readonly clean: number;
}

/** A child and how many bars of each symbol it holds. */
interface Worker {
  readonly child: SandboxChild;
  readonly held: Map<string, { count: number; revealed: number }>;
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
    const { feeds, binary } = pendingBars(worker, call.windows);
    const symbols = call.windows.map((window) => {
      const held = worker.held.get(window.symbol)?.count ?? 0;
      const { revealed, length } = call.sight?.get(window.symbol) ?? window;
      const end = Math.max(0, held - (window.revealed - revealed));
      return { symbol: window.symbol, start: Math.max(0, end - length), length: end };
    });
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
    return {
      ok: false,
      replaced: true,
      kind: 'ProtocolError',
      error: 'SandboxError: the reply was not readable, so the Python process was replaced',
      remediation: 'simplify the code',
    };
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

function closed(): AppError {
  const message = 'The sandbox was closed.';
  return new AppError({ code: 'sandbox_closed', message, remedy: 'Open a new one.', kind: 'run' });
}

/** The bars that were revealed since the child was last fed, as the protocol's feeds. */
function pendingBars(worker: Worker, windows: readonly Window[]): { feeds: Feed[]; binary: Uint8Array } {
  const feeds: Feed[] = [];
  const columns: Float64Array[] = [];
  for (const window of windows) {
    let held = worker.held.get(window.symbol);
    if (held === undefined) {
      held = { count: 0, revealed: 0 };
      worker.held.set(window.symbol, held);
    }
    const count = Math.min(window.revealed - held.revealed, window.length);
    if (count === 0) continue;
    const { time, open, high, low, close, volume } = window;
    for (const column of [time, open, high, low, close, volume]) columns.push(column.tail(count));
    feeds.push({ symbol: window.symbol, count });
    held.count += count;
    held.revealed = window.revealed;
  }
  const binary = new Uint8Array(columns.reduce((bytes, column) => bytes + column.byteLength, 0));
  let offset = 0;
  for (const column of columns) {
    binary.set(new Uint8Array(column.buffer, column.byteOffset, column.byteLength), offset);
    offset += column.byteLength;
  }
  return { feeds, binary };
}

/** A number that looks random and depends on the run's seed and the call alone. */
function drawn(seed: number, call: number): number {
  let mixed = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(call, 0xc2b2ae35);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d);
  return (mixed ^ (mixed >>> 13)) >>> 0;
}

function contaminated(call: SandboxCall, left: string): AppError {
  return new AppError({
    code: 'sandbox_contaminated',
    message: `A call at bar ${call.bar} that was proved to leave nothing behind has changed what later calls see: ${left}. Its code: ${String(call.request.code ?? call.operation)}`,
    remedy:
      'The results of this run cannot be trusted. Report the code as a hole in the sandbox: see SECURITY.md.',
    kind: 'run',
  });
}

function lostReply(answer: Exclude<ChildAnswer, { kind: 'reply' }>, timeoutMs: number): SandboxReply {
  if (answer.kind === 'killed') {
    return {
      ok: false,
      replaced: true,
      kind: 'TimeoutError',
      error: `TimeoutError: computation timed out (${timeoutMs} ms)`,
      remediation:
        'simplify the code or use fewer bars: it could not be interrupted, so its process was replaced',
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
