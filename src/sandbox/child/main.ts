/**
 * Program of a sandbox child. Starts Python, then answers one request after another until the engine closes
 * the pipe.
 *
 * The child runs under Node's permission model. After the start, it has no network and cannot open new files.
 */
import type { PyodideInterface } from 'pyodide';
import type { CleanCheck, Frame, RequestHeader } from '../protocol.ts';
import { startPython, withoutStart } from '../provision/start-python.ts';
import { type Align, BarStore, type Learn, type Reserve } from './bar-store.ts';
import {
  capMemory,
  closeDoors,
  drawRandom,
  elapsed,
  installDeterminism,
  markRandom,
  narrowBindings,
  rewindRandom,
  setClock,
  zeroArrays,
} from './harden.ts';
import { type GrowingModule, HeapSnapshots } from './heap-snapshots.ts';
import { connectQuestions, isStop, prepareStop, readRequest, stoppable, writeReply } from './pipe.ts';
import { freezeIntrinsics, type ModuleTables, Surroundings, sealFiles } from './seal.ts';
import { steadyHashes } from './steady-hashes.ts';

type CallRequest = Extract<RequestHeader, { type: 'call' }>;
type FeedRequest = Extract<RequestHeader, { type: 'feed' }>;
type BatchRequest = Extract<RequestHeader, { type: 'batch' }>;

/**
 * Milliseconds between two requests to interrupt one call. Without the pause, the second request would
 * interrupt the handler of the first one.
 */
const INTERRUPT_PAUSE = 30;
const SIGINT = 2;

interface PythonSide {
  readonly call: (operation: string, request: string) => string;
  readonly reserve: Reserve;
  readonly learn: Learn;
  readonly align: Align;
  /**
   * Returns a description of Python's state changes since the last call of this function. Empty without
   * changes. `undefined` unless the child was started with `paranoid`.
   */
  readonly fingerprint: (() => string) | undefined;
}

class Deadline {
  #at = Number.POSITIVE_INFINITY;
  /** True if the current call was interrupted. Its changes to Python's state may then be incomplete. */
  passed = false;

  start(timeoutMs: number): void {
    this.passed = false;
    this.#at = elapsed() + timeoutMs;
  }

  stop(): void {
    this.#at = Number.POSITIVE_INFINITY;
  }

  /**
   * Returns an interrupt buffer, which Pyodide reads regularly. After the deadline, its value is 2 (SIGINT),
   * and Pyodide raises a KeyboardInterrupt.
   */
  interruptBuffer(): { 0: number } {
    const poll = (): number => {
      if (elapsed() < this.#at) return 0;
      this.#at = elapsed() + INTERRUPT_PAUSE;
      this.passed = true;
      return SIGINT;
    };
    return Object.defineProperty({ 0: 0 }, 0, { get: poll, set: () => undefined });
  }
}

/** Answer to a call of a session that this process does not have. */
const SESSION_LOST = JSON.stringify({
  ok: false,
  kind: 'SessionLost',
  error: 'SessionLost: this process does not have the session',
  remediation: 'begin the session again',
});

class Server {
  readonly #python: PythonSide;
  readonly #module: GrowingModule & ModuleTables;
  readonly #bars: BarStore;
  readonly #heaps: HeapSnapshots;
  readonly #surroundings: Surroundings;

  constructor(
    python: PythonSide,
    module: GrowingModule & ModuleTables,
    { memoryMegabytes, reusable }: { readonly memoryMegabytes: number; readonly reusable: boolean },
  ) {
    this.#python = python;
    this.#module = module;
    this.#bars = new BarStore(python, () => module.HEAPU8.buffer as ArrayBuffer);
    this.#heaps = new HeapSnapshots(module, this.#bars, memoryMegabytes * 1024 * 1024, reusable);
    this.#surroundings = new Surroundings(module);
  }

  serve(): void {
    for (let frame = readRequest(); frame !== undefined; frame = readRequest()) {
      if (frame.header.type === 'call') this.#reply(frame as Frame<CallRequest>);
      if (frame.header.type === 'batch') this.#replyInTurn(frame as Frame<BatchRequest>);
      if (frame.header.type === 'feed') this.#feed(frame as Frame<FeedRequest>);
      if (frame.header.type === 'reset') this.#reset();
    }
  }

  #reset(): void {
    const spent = this.#putBackSurroundings();
    this.#heaps.reset();
    this.#described = '';
    rewindRandom();
    writeReply({ type: 'reply', ...(spent === undefined ? {} : { spent }) }, '');
  }

  /**
   * Stores new bars and feature rows, and writes them to the current heap before a call. The time limit of
   * the call then does not include this work.
   */
  #feed({ header, binary }: Frame<FeedRequest>): void {
    this.#bars.accept(header.feeds, binary, header.known);
    if (header.aligned !== undefined) this.#bars.alignFor(header.aligned);
    this.#heaps.clean();
    this.#bars.flush();
    writeReply({ type: 'reply' });
  }

  #reply(frame: Frame<CallRequest>): void {
    const { header } = frame;
    this.#bars.accept(header.feeds, frame.binary, header.known);
    if (header.aligned !== undefined) this.#bars.alignFor(header.aligned);
    if (!this.#heaps.enter(header.session, header.time)) return writeReply({ type: 'reply' }, SESSION_LOST);
    if (header.check === 'fingerprint') {
      // The new bars are written before the first fingerprint (comparison of Python's state). They would
      // otherwise count as changes that the call made.
      this.#bars.flush();
      this.#fingerprint();
    }
    try {
      this.#run(frame);
    } catch (error) {
      if (!isStop(error)) throw error;
      this.#stopped();
    }
  }

  /** Answers a batch of calls of a strategy in order. The memory of a strategy is never restored. */
  #replyInTurn({ header: { calls }, body, binary }: Frame<BatchRequest>): void {
    const requests = body.split('\n');
    let start = 0;
    try {
      for (const [place, { feeds, known, bytes, ...call }] of calls.entries()) {
        this.#bars.accept(feeds, binary.subarray(start, start + bytes), known);
        start += bytes;
        const answer = this.#answer(call, requests[place]!);
        writeReply({ type: place === calls.length - 1 ? 'reply' : 'part' }, answer);
      }
    } catch (error) {
      if (!isStop(error)) throw error;
      this.#stopped();
    }
  }

  #run(frame: Frame<CallRequest>): void {
    const { header } = frame;
    const grown = this.#module.HEAPU8.length;
    const answer = this.#answer(header, frame.body);
    if (header.keeps === true) return writeReply({ type: 'reply' }, answer);
    // `header.clean` is the result of the engine's static check before the call: the call leaves no change
    // that a later call could see. The call counts as clean only if Python also reports no change, the call
    // was not interrupted and the heap has not grown.
    const clean =
      header.clean &&
      !deadlineOfProcess.passed &&
      this.#module.HEAPU8.length === grown &&
      answer.endsWith('"dirty":false}');
    const left = clean && header.check !== undefined ? this.#leftBy(frame, header.check, answer) : undefined;
    const spent = clean ? undefined : this.#putBackSurroundings();
    writeReply(
      { type: 'reply', ...(spent === undefined ? {} : { spent }), ...(left === undefined ? {} : { left }) },
      answer,
    );
    // Done after the reply, so that the engine can continue while the heap is restored.
    if (!clean) this.#heaps.clean();
  }

  #answer(
    { operation, time, timeoutMs }: Pick<CallRequest, 'operation' | 'time' | 'timeoutMs'>,
    request: string,
  ): string {
    setClock(time);
    this.#bars.flush();
    deadlineOfProcess.start(timeoutMs);
    try {
      return stoppable(() => this.#python.call(operation, request));
    } finally {
      deadlineOfProcess.stop();
    }
  }

  /** Restores the clean heap after a call was ended at an arbitrary point. All sessions are lost. */
  #stopped(): void {
    // The memory may have grown without an update of Emscripten's views of it, such as `HEAPU8`.
    this.#module._emscripten_notify_memory_growth(0);
    const spent = this.#putBackSurroundings();
    const grown = this.#heaps.hasGrown();
    // Restores the random state of a new process. Otherwise the state would depend on the point at which the
    // call was ended.
    rewindRandom();
    writeReply({ type: 'reply', stopped: { grown }, ...(spent === undefined ? {} : { spent }) });
    this.#heaps.abandon();
  }

  #putBackSurroundings(): string | undefined {
    this.#surroundings.putBack();
    return this.#surroundings.changed();
  }

  /**
   * Checks after a call that it left no change in Python's state, as the engine's static check had found.
   * Returns a description of the changes. `undefined` if the call left no change.
   */
  #leftBy(frame: Frame<CallRequest>, check: CleanCheck, answer: string): string | undefined {
    if (check === 'fingerprint') return this.#fingerprint();
    this.#heaps.clean();
    const again = this.#answer(frame.header, frame.body);
    if (withoutAddresses(again) === withoutAddresses(answer) || deadlineOfProcess.passed) return undefined;
    return `the same call on the first heap answers ${again.slice(0, 200)} and not ${answer.slice(0, 200)}`;
  }

  #described = '';

  /**
   * Describes changes of the state inside and outside Python since the last call of this function.
   * `undefined` without changes.
   */
  #fingerprint(): string | undefined {
    const inside = this.#python.fingerprint?.() ?? '';
    const outside = this.#surroundings.describe();
    const before = this.#described;
    this.#described = outside;
    if (inside !== '') return inside;
    return before === '' || before === outside ? undefined : firstDifference(before, outside);
  }
}

/**
 * Removes memory addresses from Python's answer to a call, for example to `str(map(str, []))`. Addresses
 * depend on earlier calls, so two answers are compared without them.
 */
function withoutAddresses(answer: string): string {
  return answer.replace(/\b0x[0-9a-f]+/gi, '0x');
}

function firstDifference(before: string, after: string): string {
  const known = new Set(before.split('\n'));
  return after.split('\n').find((line) => !known.has(line)) ?? 'something is gone';
}

const deadlineOfProcess = new Deadline();

async function main(): Promise<void> {
  const first = readRequest();
  if (first?.header.type !== 'boot') return;
  const { runtime, seed, memoryMegabytes, paranoid, reusable, asks } = first.header;
  const startedAt = elapsed();
  installDeterminism(seed);
  narrowBindings();
  capMemory(memoryMegabytes);
  // The only JavaScript object that Python can reach.
  const nothing = Object.create(null) as object;
  const { python: pyodide, randomBytes = 0 } = await startPython(
    paranoid ? withoutStart(runtime) : runtime,
    nothing,
  );
  drawRandom(randomBytes);
  // The cast is safe, because Pyodide reads only the first element.
  pyodide.setInterruptBuffer(deadlineOfProcess.interruptBuffer() as unknown as Uint8Array);
  zeroArrays(pyodide);
  steadyHashes(pyodide);
  if (asks) connectQuestions(pyodide);
  const runtimeModule = pyodide.pyimport('sandtable_runtime');
  const fingerprint: PythonSide['fingerprint'] = runtimeModule.boot(
    JSON.stringify({ paranoid, ...(asks ? { warm_ups: 1 } : {}) }),
  );
  const side: PythonSide = {
    call: runtimeModule.call,
    reserve: runtimeModule.reserve,
    learn: runtimeModule.learn,
    align: runtimeModule.align,
    fingerprint,
  };
  const version = String(pyodide.version);
  const module = (pyodide as PyodideInterface & { readonly _module: GrowingModule & ModuleTables })._module;
  closeDoors();
  sealFiles(module.FS);
  freezeIntrinsics();
  Object.freeze(nothing);
  prepareStop();
  const server = new Server(side, module, { memoryMegabytes, reusable });
  markRandom();
  // A SIGINT ends a call only inside `stoppable`. Otherwise it ends the process.
  stoppable(() => {
    writeReply({ type: 'ready', bootMs: elapsed() - startedAt, versions: { python: version } });
    server.serve();
  });
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    const message = error instanceof Error ? error.message : String(error);
    writeReply({ type: 'broken', message: message.slice(0, 2000) });
    process.exit(1);
  },
);
