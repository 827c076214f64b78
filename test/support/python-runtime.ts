import type { PyodideAPI } from 'pyodide';
import { zeroArrays } from '../../src/sandbox/child/harden.ts';
import { proveText } from '../../src/sandbox/proof/prove.ts';
import { loadTestPython } from './ta-python.ts';

/** Reply of the function `call` of the Python runtime. */
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

/** Fields of a request that a test may change. */
export interface RequestChanges {
  readonly length?: number;
  readonly start?: number;
  readonly symbols?: readonly string[];
  readonly seed?: number;
  readonly bar?: number;
  /**
   * If true, memory is not restored after the call, even if the call may have changed state. A test can then
   * see these changes.
   */
  readonly keepMemory?: boolean;
  /** Identifiers that the static check found in the code. Default: the actual result of `proveText`. */
  readonly facts?: string;
  readonly limits?: Partial<typeof defaultLimits>;
}

const defaultLimits = {
  timeoutMs: 500,
  resultBytes: 32_768,
  stdoutCharacters: 4_096,
  codeCharacters: 20_000,
};

/** Returns the close of a bar, for expected values. The prices rise and fall, and no price occurs twice. */
export const closeOf = (bar: number, period = 7): number => 100 + 10 * Math.sin(bar / period) + bar / 100;

/**
 * Python runtime in this process, with 60 bars of AAPL and SPY. After a call that may have changed state (a
 * dirty call), the memory is restored to its first state.
 */
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

  /** @returns `undefined` if the Python wheels are unavailable, so that tests can be skipped */
  static async load(): Promise<RuntimeUnderTest | undefined> {
    const python = await loadTestPython();
    if (python === undefined) return undefined;
    zeroArrays(python);
    const runtime = python.pyimport('sandtable_runtime') as unknown as PythonRuntime;
    runtime.boot('{}');
    return new RuntimeUnderTest(python, runtime);
  }

  /**
   * Writes bars 0 to `count` − 1 of a symbol to Python's memory, as the child process does. `capacity`:
   * number of bars for which memory is reserved.
   */
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

  /** Runs code with `compute`. If the reply is dirty, restores the memory, as the child process does. */
  compute(code: string, changes: RequestChanges = {}): RuntimeReply {
    const reply = this.call(code, changes);
    if (reply.dirty && !changes.keepMemory) this.heap.HEAPU8.set(this.saved);
    return reply;
  }

  /**
   * Runs code that is interrupted when Python reads the interrupt buffer for the given times, counted from 1.
   */
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

  /** Sends any request, for example with an unknown operation or invalid JSON. */
  raw(operation: string, request: string): RuntimeReply {
    return JSON.parse(this.runtime.call(operation, request)) as RuntimeReply;
  }
}
