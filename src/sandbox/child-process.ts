import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { AppError, builtPlace, childEnvironment } from '../kernel/index.ts';
import {
  decodeFrame,
  encodeFrame,
  type Frame,
  frameBytes,
  PREFIX_BYTES,
  type ReplyHeader,
  type RequestHeader,
} from './protocol.ts';
import { type PythonRuntime, V8_OPTIONS } from './provision/index.ts';
import { replyHeaderSchema } from './sandbox-call.ts';

/**
 * Returns the path of the compiled child program. A checkout that runs from TypeScript sources also uses the
 * compiled program.
 */
function childEntry(): string {
  const file = fileURLToPath(builtPlace('sandbox/child/main.js'));
  if (existsSync(file)) return file;
  throw new AppError({
    code: 'not_built',
    message: `The sandbox child ${file} is missing.`,
    hint: 'Run: npm run build',
    kind: 'run',
  });
}

/**
 * Returns Node's command-line flag for the permission model. In Node 22 before 22.13, in Node 23 before 23.5
 * and in older versions, the flag has `experimental` in its name.
 */
export function permissionFlag(version: string): string {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const stable = major >= 24 || (major === 23 && minor >= 5) || (major === 22 && minor >= 13);
  return stable ? '--permission' : '--experimental-permission';
}

/**
 * Returns the command-line arguments of Node for a sandbox child, the process that runs Python. The child can
 * read only the files of the Python runtime and Sandtable's compiled sandbox code.
 *
 * @param version version of Node, for example `20.18.1`
 */
export function childArguments(runtime: PythonRuntime, version: string = process.versions.node): string[] {
  const entry = childEntry();
  const sandboxFolder = dirname(dirname(entry));
  const packageFile = join(sandboxFolder, '..', '..', 'package.json');
  const readable = [runtime.pyodideFolder, runtime.stdlib, sandboxFolder, packageFile];
  for (const { index, data } of runtime.packages) readable.push(index, data);
  if (runtime.start !== undefined) readable.push(runtime.start.index, runtime.start.memory);
  const paths = new Set(readable.flatMap((path) => [path, realPath(path)]));
  return [
    permissionFlag(version),
    ...[...paths].map((path) => `--allow-fs-read=${path}`),
    '--disallow-code-generation-from-strings',
    '--no-warnings',
    ...V8_OPTIONS,
    entry,
  ];
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch (cause) {
    throw new AppError({
      code: 'sandbox_failed',
      message: `Missing file of the Python runtime: ${path}.`,
      hint: 'Run: npx sandtable setup',
      kind: 'run',
      cause,
    });
  }
}

/** Outcome of a request to a sandbox child. */
export type ChildAnswer =
  | {
      readonly kind: 'reply';
      readonly body: string;
      /**
       * Description of state changes that the call left behind. Present only if a static check of the code
       * (the proof) had found that the call cannot leave any.
       */
      readonly left?: string;
    }
  /**
   * The call exceeded the hard deadline and was ended. All sessions (Python variables shared by several
   * calls) are lost. If `grown` is true, the child is still alive and its heap has become larger.
   */
  | { readonly kind: 'killed'; readonly grown: boolean }
  /**
   * The child ended before the hard deadline, for example because it ran out of memory. `detail` is its error
   * message or the end of its output.
   */
  | { readonly kind: 'died'; readonly detail: string };

export interface ChildOptions {
  readonly runtime: PythonRuntime;
  readonly seed: number;
  readonly memoryMegabytes: number;
  readonly paranoid: boolean;
  /** True if the child supports `reset`. */
  readonly reusable: boolean;
  /**
   * True if Python may send questions to the engine during a call, for example for a strategy's resting
   * orders. The argument `answerTo` of `call` must then answer them.
   */
  readonly asks: boolean;
  /** Signal that kills the child, even while the child starts. */
  readonly signal: AbortSignal;
}

/** Timeout for the start of a child, in milliseconds. */
const BOOT_LIMIT = 45_000;
/** Timeout for `reset`, in milliseconds. */
const RESET_LIMIT = 10_000;
/** Timeout for `feed`, in milliseconds. Long enough for millions of bars on a busy machine. */
const FEED_LIMIT = 120_000;
/**
 * Milliseconds after the hard deadline of a call in which the child must end the call itself. After this
 * time, the child is killed.
 */
const STOP_LIMIT = 300;
const KEPT_OUTPUT = 4_000;

/**
 * Client of one sandbox child. Exchanges messages (frames) with the child, and kills a child that does not
 * answer.
 */
export class SandboxChild {
  /** Milliseconds from start to ready, as measured by the child. */
  bootMs = 0;
  /** True if the child cannot open new files, sockets or pipes. */
  descriptorsClosed = false;
  readonly #process: ChildProcess;
  readonly #requests: Writable;
  #received: Buffer[] = [];
  #receivedBytes = 0;
  #waiting: ((answer: Frame<ReplyHeader> | undefined) => void) | undefined;
  #answerTo: ((question: string) => string) | undefined;
  #onPart: ((body: string) => void) | undefined;
  /** Number of replies received in the current batch of calls. The last reply of a batch is not counted. */
  #parts = 0;
  /** Restarts the time limit of the current request. */
  #restartLimit: () => void = () => undefined;
  #output = '';
  #alive = true;
  /** True after the child was requested to end the current call. */
  #stopping = false;

  private constructor(process_: ChildProcess) {
    this.#process = process_;
    this.#requests = process_.stdio[4] as Writable;
    const replies = process_.stdio[3] as Readable;
    replies.on('data', (chunk: Buffer) => this.#receive(chunk));
    for (const stream of [process_.stdout, process_.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        this.#output = (this.#output + chunk.toString('utf8')).slice(-KEPT_OUTPUT);
      });
    }
    // A write to a child that has just died causes an error, which must not end the engine. The `exit` event
    // reports the end of the child.
    for (const stream of process_.stdio) stream?.on('error', () => undefined);
    process_.on('error', () => this.#ended());
    process_.on('exit', () => this.#ended());
    process_.unref();
    for (const stream of process_.stdio) (stream as { unref?: () => void } | null)?.unref?.();
  }

  /**
   * Starts a child and waits until its Python is ready.
   *
   * @throws AppError `sandbox_failed`
   */
  static async start(options: ChildOptions): Promise<SandboxChild> {
    keepInspectorClosed();
    const process_ = spawn(process.execPath, childArguments(options.runtime), {
      stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'pipe'],
      // Started in a separate process group so that the engine handles Ctrl-C.
      detached: process.platform !== 'win32',
      windowsHide: true,
      // With a fixed time zone, local times do not depend on the machine.
      env: { PATH: process.env.PATH ?? '', TZ: 'UTC' },
    });
    const child = new SandboxChild(process_);
    const { signal, ...boot } = options;
    const stop = (): void => child.kill();
    signal.addEventListener('abort', stop, { once: true });
    process_.once('exit', () => signal.removeEventListener('abort', stop));
    const header: RequestHeader = { type: 'boot', ...boot };
    const answer = await child.#exchange(encodeFrame(header), BOOT_LIMIT);
    if (answer?.header.type === 'ready') {
      child.bootMs = answer.header.bootMs;
      child.#closeDescriptors();
      return child;
    }
    child.kill();
    const reason = answer?.header.type === 'broken' ? answer.header.message : lastLines(child.#output);
    throw new AppError({
      code: 'sandbox_failed',
      message: `The Python sandbox did not start: ${reason || `no answer within ${BOOT_LIMIT / 1000} s`}.`,
      hint: 'Run: npx sandtable doctor',
      kind: 'run',
    });
  }

  get alive(): boolean {
    return this.#alive;
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  /**
   * Sends one call to the child and waits for its outcome. Only one request can be in progress.
   *
   * @param hardLimitMs milliseconds after which the call is ended
   * @param answerTo returns the answer to a question that Python sends during the call
   */
  async call(
    header: Extract<RequestHeader, { type: 'call' }>,
    body: string,
    binary: Uint8Array,
    hardLimitMs: number,
    answerTo?: (question: string) => string,
  ): Promise<ChildAnswer> {
    this.#answerTo = answerTo;
    return this.#outcome(encodeFrame(header, body, binary), hardLimitMs);
  }

  /**
   * Sends several calls of a strategy in one message. The child makes them in order. Returns the outcome of
   * the last call.
   *
   * @param hardLimitMs maximum duration of each call in milliseconds
   * @param onPart receives the reply to each call except the last one
   * @param onSent called when all calls have been written to the child's pipe
   */
  async batch(
    header: Extract<RequestHeader, { type: 'batch' }>,
    body: string,
    binary: Uint8Array,
    hardLimitMs: number,
    onPart: (body: string) => void,
    onSent: () => void,
  ): Promise<ChildAnswer> {
    this.#answerTo = undefined;
    this.#onPart = onPart;
    const outcome = await this.#outcome(encodeFrame(header, body, binary), hardLimitMs, onSent);
    this.#onPart = undefined;
    return outcome;
  }

  async #outcome(frame: Buffer, hardLimitMs: number, onSent?: () => void): Promise<ChildAnswer> {
    this.#stopping = false;
    const answer = await this.#exchange(frame, hardLimitMs, STOP_LIMIT, onSent);
    if (answer?.header.type === 'reply') {
      const { spent, left, stopped } = answer.header;
      // The reply may have been sent just before the request to end the call arrived. The request could then
      // end a later call, so the child is killed.
      if (spent !== undefined || this.#stopping !== (stopped !== undefined)) this.kill();
      if (stopped !== undefined) {
        if (this.#stopping) return { kind: 'killed', grown: stopped.grown };
        return { kind: 'died', detail: 'the call ended without a request to end it' };
      }
      return { kind: 'reply', body: answer.body, ...(left === undefined ? {} : { left }) };
    }
    this.kill();
    if (this.#stopping) return { kind: 'killed', grown: false };
    if (answer?.header.type === 'broken') return { kind: 'died', detail: answer.header.message };
    return { kind: 'died', detail: lastLines(this.#output) };
  }

  /** Resets the child to its first state. Returns true if the child can be used again. */
  reset(): Promise<boolean> {
    return this.#succeeds(encodeFrame({ type: 'reset' }), RESET_LIMIT);
  }

  /** Sends new bars and feature rows before a call. Returns true if the child has stored them. */
  feed(header: Extract<RequestHeader, { type: 'feed' }>, binary: Uint8Array): Promise<boolean> {
    return this.#succeeds(encodeFrame(header, '', binary), FEED_LIMIT);
  }

  async #succeeds(frame: Buffer, limitMs: number): Promise<boolean> {
    const answer = await this.#exchange(frame, limitMs);
    if (answer?.header.type === 'reply' && answer.header.spent === undefined) return true;
    this.kill();
    return false;
  }

  kill(): void {
    this.#process.kill('SIGKILL');
    this.#ended();
  }

  /**
   * Sends a frame and waits for the reply.
   *
   * @param stopMs milliseconds in which the child may end the call itself after `limitMs`. Omitted if the
   *   child cannot end the request
   */
  #exchange(
    frame: Buffer,
    limitMs: number,
    stopMs?: number,
    onSent?: () => void,
  ): Promise<Frame<ReplyHeader> | undefined> {
    if (!this.#alive) return Promise.resolve(undefined);
    this.#process.ref();
    return new Promise((resolve) => {
      const giveUp = (): void => this.#settle(undefined);
      const expire = (): void => {
        if (stopMs === undefined) return giveUp();
        this.#stopping = true;
        this.#process.kill('SIGINT');
        timer = setTimeout(giveUp, stopMs);
      };
      let timer = setTimeout(() => {
        if (this.#onPart === undefined) return expire();
        // During a batch, the engine does other work, so a reply may have arrived without being read. The
        // call is ended only if the event loop then delivers no such reply.
        const { waiting, parts } = { waiting: this.#waiting, parts: this.#parts };
        setImmediate(() => {
          if (this.#waiting === waiting && this.#parts === parts) expire();
        });
      }, limitMs);
      this.#restartLimit = () => {
        if (!this.#stopping) timer.refresh();
      };
      this.#waiting = (answer) => {
        clearTimeout(timer);
        this.#process.unref();
        resolve(answer);
      };
      this.#requests.write(frame, onSent);
    });
  }

  #settle(answer: Frame<ReplyHeader> | undefined): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.(answer);
  }

  #receive(chunk: Buffer): void {
    this.#received.push(chunk);
    this.#receivedBytes += chunk.length;
    try {
      while (this.#receivedBytes >= PREFIX_BYTES) {
        if (this.#received.length > 1 && this.#received[0]!.length < PREFIX_BYTES)
          this.#received = [Buffer.concat(this.#received)];
        const expected = frameBytes(this.#received[0]!);
        if (this.#receivedBytes < expected) return;
        const whole = this.#received.length === 1 ? this.#received[0]! : Buffer.concat(this.#received);
        this.#received = [whole.subarray(expected)];
        this.#receivedBytes = whole.length - expected;
        // Each request has one reply. Data without a request, or after the reply, violate the protocol.
        if (this.#waiting === undefined) throw new Error('an unexpected reply');
        this.#take(decodeFrame<unknown>(whole));
      }
    } catch {
      this.kill();
    }
  }

  #take({ header: given, ...frame }: Frame<unknown>): void {
    const header = replyHeaderSchema.parse(given) as ReplyHeader;
    if (header.type === 'part') return this.#takePart(frame.body);
    if (this.#receivedBytes > 0) throw new Error('a reply with more data');
    if (header.type === 'ask') this.#answer(frame.body);
    else this.#settle({ ...frame, header });
  }

  /**
   * Passes a reply of a batch to `onPart`.
   *
   * @throws Error if the current request is not a batch
   */
  #takePart(body: string): void {
    if (this.#onPart === undefined) throw new Error('an unexpected part');
    this.#parts += 1;
    this.#restartLimit();
    this.#onPart(body);
  }

  /**
   * Answers a question of the child.
   *
   * @throws Error if the child must not send questions
   */
  #answer(question: string): void {
    if (this.#answerTo === undefined) throw new Error('an unexpected question');
    this.#requests.write(encodeFrame({ type: 'answer' }, this.#answerTo(question)));
  }

  #ended(): void {
    this.#alive = false;
    this.#settle(undefined);
  }

  #closeDescriptors(): void {
    this.descriptorsClosed = limitDescriptors(this.pid);
  }
}

/**
 * Prevents a process from opening new files and sockets. Returns false if the machine does not support this
 * (it needs `prlimit` of util-linux).
 */
export function limitDescriptors(pid: number | undefined): boolean {
  if (process.platform !== 'linux' || pid === undefined) return false;
  const done = spawnSync('prlimit', ['--pid', String(pid), '--nofile=0:0', '--fsize=0:0'], {
    stdio: 'ignore',
    env: childEnvironment(process.env, ['PATH']),
  });
  return done.status === 0;
}

let inspectorClosed = false;

/**
 * Prevents the signal SIGUSR1 from opening the debugger (inspector) of the engine's process. A child that can
 * send signals could otherwise open it. A handler for the signal disables Node's default action.
 */
export function keepInspectorClosed(): void {
  if (inspectorClosed || process.platform === 'win32') return;
  inspectorClosed = true;
  process.on('SIGUSR1', () => undefined);
}

/**
 * Returns the last lines of a process's output, without the addresses that V8 prints when it runs out of
 * memory.
 */
function lastLines(output: string): string {
  const lines = output.split('\n').filter((line) => line.trim() !== '' && !NATIVE_STACK.test(line));
  return lines.slice(-3).join(' ').slice(-500);
}

const NATIVE_STACK = /^\s*(?:\d+: 0x|-----.*-----|<---.*--->|\[\d+:0x)/;
