import { AppError } from '../kernel/index.ts';
import type { Window } from '../market/index.ts';
import { type ChildAnswer, SandboxChild } from './child-process.ts';
import type { Feed, SessionHeader } from './protocol.ts';
import type { PythonRuntime } from './provision/index.ts';

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
  | ({ readonly ok: true; readonly result: unknown; readonly note?: string } & SessionOutput)
  | ({
      readonly ok: false;
      readonly error: string;
      readonly remediation: string;
      readonly kind: string;
      readonly line?: number;
      /** Of a session: the agent's own frames. */
      readonly traceback?: string;
      /** The process is gone, and every session with it. */
      readonly replaced?: true;
    } & SessionOutput);

/** What a call printed, and what a session holds after it. */
interface SessionOutput {
  readonly stdout?: string;
  readonly stderr?: string;
  /** Names the agent has bound, the first of them. */
  readonly names?: readonly string[];
}

/** A child and how many bars of each symbol it holds. */
interface Worker {
  readonly child: SandboxChild;
  readonly held: Map<string, { count: number; revealed: number }>;
}

const DEFAULTS = { seed: 0, timeoutMs: 500, graceMs: 400, spares: 1, memoryMegabytes: 512 };

/** Python for one agent of one run: a child at work, spares ready behind it, and bars pushed as they close. */
export class Sandbox {
  readonly #options: Required<SandboxOptions>;
  readonly #spares: Promise<SandboxChild>[] = [];
  #worker: Promise<Worker> | undefined;
  #queue: Promise<unknown> = Promise.resolve();
  readonly #ending = new AbortController();

  constructor(options: SandboxOptions) {
    this.#options = { ...DEFAULTS, ...options };
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
   * @throws AppError `sandbox_failed` only when no child can be started at all
   */
  call(call: SandboxCall): Promise<SandboxReply> {
    const answer = this.#queue.then(() => this.#run(call));
    this.#queue = answer.catch(() => undefined);
    return answer;
  }

  /** Ends every child, those that are still starting too. */
  async close(): Promise<void> {
    this.#ending.abort();
    const children = [this.#worker, ...this.#spares.splice(0)];
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
    const body = JSON.stringify({ ...call.request, symbols, seed: this.#options.seed, bar: call.bar });
    const { operation, time, session } = call;
    const header = {
      type: 'call' as const,
      operation,
      feeds,
      time,
      timeoutMs,
      ...(session === undefined ? {} : { session }),
    };
    const answer = await worker.child.call(header, body, binary, timeoutMs + this.#options.graceMs);
    if (answer.kind === 'reply') return readReply(answer.body);
    this.#worker = undefined;
    return lostReply(answer, timeoutMs);
  }

  /** The worker, or another where its process died since the last call. */
  async #ready(): Promise<Worker> {
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
      const next = this.#spares.shift() ?? this.#startChild();
      this.#worker = next
        // A spare that died while it waited is no use, and one start that went wrong is worth another try.
        .then(
          (child) => (child.alive ? child : this.#startChild()),
          () => this.#startChild(),
        )
        .then((child) => {
          this.#fillSpares();
          return { child, held: new Map() };
        });
      // A failed start is reported to this caller and tried anew by the next.
      this.#worker.catch(() => {
        this.#worker = undefined;
      });
    }
    return this.#worker;
  }

  #fillSpares(): void {
    while (!this.#ending.signal.aborted && this.#spares.length < this.#options.spares) {
      const spare = this.#startChild();
      spare.catch(() => {
        const index = this.#spares.indexOf(spare);
        if (index >= 0) this.#spares.splice(index, 1);
      });
      this.#spares.push(spare);
    }
  }

  #startChild(): Promise<SandboxChild> {
    // A start that was aborted is not tried again.
    if (this.#ending.signal.aborted) return Promise.reject(closed());
    const { runtime, seed, memoryMegabytes } = this.#options;
    return SandboxChild.start({ runtime, seed, memoryMegabytes, signal: this.#ending.signal });
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

// What a child says is not trusted further than its shape.
function readReply(body: string): SandboxReply {
  try {
    const value: unknown = JSON.parse(body);
    if (typeof value === 'object' && value !== null && 'ok' in value && typeof value.ok === 'boolean') {
      const reply = { ...value } as Record<string, unknown>;
      delete reply.dirty;
      return reply as unknown as SandboxReply;
    }
  } catch {
    // falls through to the error below
  }
  return {
    ok: false,
    kind: 'ProtocolError',
    error: 'SandboxError: the reply was not readable',
    remediation: 'simplify the code',
  };
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
