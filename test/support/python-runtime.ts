import type { PyodideAPI } from 'pyodide';
import { zeroArrays } from '../../src/sandbox/child/harden.ts';
import { proveText } from '../../src/sandbox/proof/prove.ts';
import { loadTestPython } from './ta-python.ts';

/** A reply of the Python runtime's `call`. */
export interface RuntimeReply {
  readonly ok: boolean;
  readonly result?: unknown;
  readonly error?: string;
  readonly remediation?: string;
  readonly kind?: string;
  readonly line?: number;
  readonly stdout?: string;
  readonly note?: string;
  readonly dirty: boolean;
}

interface PythonRuntime {
  boot(config: string): void;
  reserve(symbol: string, capacity: number): { toJs(): number[]; destroy(): void };
  call(operation: string, request: string): string;
}

/** What a test may change in a request. */
export interface RequestChanges {
  readonly length?: number;
  readonly start?: number;
  readonly symbols?: readonly string[];
  readonly seed?: number;
  readonly bar?: number;
  /** Leaves the memory as the call left it, whatever the verdict: what it must not have changed is then seen. */
  readonly keepMemory?: boolean;
  /** What a judge has seen of the code. */
  readonly facts?: string;
  readonly limits?: Partial<typeof defaultLimits>;
}

const defaultLimits = {
  timeoutMs: 500,
  resultBytes: 32_768,
  stdoutCharacters: 4_096,
  codeCharacters: 20_000,
};

/** The price of a bar, for expectations: rises, falls and never repeats. */
export const closeOf = (bar: number, period = 7): number => 100 + 10 * Math.sin(bar / period) + bar / 100;

/** The runtime in this process, fed 60 bars of two symbols; memory goes back to its first state after a dirty call. */
export class RuntimeUnderTest {
  private readonly saved: Uint8Array;
  private readonly python: PyodideAPI;
  private readonly heap: { HEAPU8: Uint8Array };
  private readonly runtime: PythonRuntime;

  private constructor(python: PyodideAPI, runtime: PythonRuntime) {
    this.python = python;
    this.heap = (python as PyodideAPI & { _module: { HEAPU8: Uint8Array } })._module;
    this.runtime = runtime;
    this.feed('AAPL', 60, 7);
    this.feed('SPY', 60, 6.5);
    this.call('1');
    this.saved = this.heap.HEAPU8.slice();
  }

  /** @returns undefined where no wheels are at hand, so that tests can skip. */
  static async load(): Promise<RuntimeUnderTest | undefined> {
    const python = await loadTestPython();
    if (python === undefined) return undefined;
    zeroArrays(python);
    const runtime = python.pyimport('sandtable_runtime') as unknown as PythonRuntime;
    runtime.boot('{}');
    return new RuntimeUnderTest(python, runtime);
  }

  /** Writes bars 0 … count-1 of a symbol, as the child process does, into memory for `capacity` of them. */
  feed(symbol: string, count: number, period: number, capacity = count): void {
    const list = this.runtime.reserve(symbol, capacity);
    const [priceAddress = 0, timeAddress = 0, reserved = 0] = list.toJs();
    list.destroy();
    const prices = new Float64Array(this.heap.HEAPU8.buffer, priceAddress, 5 * reserved);
    const times = new BigInt64Array(this.heap.HEAPU8.buffer, timeAddress, reserved);
    for (let bar = 0; bar < count; bar += 1) {
      const close = closeOf(bar, period);
      const row = [close - Math.cos(bar) / 2, close + 1, close - 1, close, 1_000 + bar];
      for (const [column, value] of row.entries()) prices[column * reserved + bar] = value;
      times[bar] = BigInt(Date.UTC(2020, 0, 1 + bar)) * 1_000_000n;
    }
  }

  /** One `compute`; a dirty reply restores the memory, as the child process does. */
  compute(code: string, changes: RequestChanges = {}): RuntimeReply {
    const reply = this.call(code, changes);
    if (reply.dirty && !changes.keepMemory) this.heap.HEAPU8.set(this.saved);
    return reply;
  }

  /** A `compute` whose soft deadline comes at the given polls of the interrupt buffer, counted from 1. */
  computeUntil(code: string, ...deadlines: number[]): RuntimeReply {
    let polls = 0;
    const buffer = {
      get 0() {
        polls += 1;
        return deadlines.includes(polls) ? 2 : 0;
      },
      set 0(_: number) {},
    };
    this.python.setInterruptBuffer(buffer as unknown as Uint8Array);
    try {
      return this.compute(code);
    } finally {
      this.python.setInterruptBuffer(new Uint8Array(1));
    }
  }

  private call(code: string, changes: RequestChanges = {}): RuntimeReply {
    const { length = 60, start = 0, symbols = ['AAPL', 'SPY'], seed = 1, limits = {} } = changes;
    const proof = proveText(code);
    const request = {
      code,
      symbol: symbols[0],
      symbols: symbols.map((symbol) => ({ symbol, start, length })),
      account: { cash: 100_000, equity: 110_000, positions: { AAPL: { size: 10, avg_price: 99 } } },
      seed,
      bar: changes.bar ?? length - 1,
      limits: { ...defaultLimits, ...limits },
      facts: changes.facts ?? (proof.clean ? proof.facts : undefined),
    };
    return JSON.parse(this.runtime.call('compute', JSON.stringify(request))) as RuntimeReply;
  }

  /** A request no operation answers, or that is no request at all. */
  raw(operation: string, request: string): RuntimeReply {
    return JSON.parse(this.runtime.call(operation, request)) as RuntimeReply;
  }
}
