import { AppError } from '../kernel/index.ts';
import type { Window } from '../market/index.ts';
import { type ChildAnswer, SandboxChild } from './child-process.ts';
import { type BarsSent, pendingBars, visibleBars } from './pending-bars.ts';
import type { PythonRuntime } from './provision/index.ts';
import type { PublishedTable } from './sandbox-call.ts';

/** Call of a Python strategy in its own process. */
export interface InterpreterCall {
  readonly operation: 'strategy_load' | 'strategy_begin' | 'strategy_bar' | 'strategy_signals';
  readonly request: Readonly<Record<string, unknown>>;
  /** Time that the clock of the interpreter shows, in milliseconds since 1970. */
  readonly time: number;
  /** Visible bars of every symbol. */
  readonly windows?: readonly Window[];
  readonly published?: readonly PublishedTable[];
  /** Milliseconds after which the code is interrupted. */
  readonly timeoutMs: number;
  /** Returns the answer to a question that the strategy sends during the call, for example for its orders. */
  readonly answerTo?: (question: string) => string;
}

/**
 * Milliseconds from `timeoutMs` to the hard deadline. At the hard deadline, code that cannot be interrupted
 * is ended.
 */
const GRACE_MS = 400;

/**
 * Python process of one strategy. In contrast to a `Sandbox`, its memory is not restored between calls, so
 * that variables of the strategy's modules persist. All other restrictions of a `Sandbox` also apply.
 */
export class Interpreter {
  readonly #child: SandboxChild;
  #barsSent: BarsSent = new Map();
  /** True while a call is in progress. */
  #isBusy = false;
  /** True if a call was made since the start or the last reset. */
  #isUsed = false;

  private constructor(child: SandboxChild) {
    this.#child = child;
  }

  /**
   * Starts the process.
   *
   * @throws AppError `sandbox_failed`
   */
  static async start(
    { runtime, seed }: { readonly runtime: PythonRuntime; readonly seed: number },
    signal: AbortSignal = new AbortController().signal,
  ): Promise<Interpreter> {
    const child = await SandboxChild.start({
      ...{ runtime, seed, memoryMegabytes: 512, paranoid: false, reusable: true, asks: true },
      signal,
    });
    return new Interpreter(child);
  }

  /** True if the process is alive and no call is in progress. */
  get isFree(): boolean {
    return this.#child.alive && !this.#isBusy;
  }

  /** True if the process cannot open new files, sockets or pipes. */
  get descriptorsClosed(): boolean {
    return this.#child.descriptorsClosed;
  }

  /**
   * Calls the strategy. Returns the content of the reply. The caller must validate it, because agent code can
   * influence it.
   *
   * @throws AppError `strategy_stopped` if the call exceeded its limit and could not be interrupted;
   *   `strategy_ended` if the process ended or its reply is not JSON. The process is then ended
   */
  async call({ answerTo, ...call }: InterpreterCall): Promise<unknown> {
    const { timeoutMs } = call;
    this.#isUsed = true;
    this.#isBusy = true;
    const { header, body, binary } = this.#frame(call);
    const answer = await this.#child.call(
      { type: 'call', ...header, clean: true, keeps: true },
      body,
      binary,
      timeoutMs + GRACE_MS,
      answerTo,
    );
    this.#isBusy = false;
    try {
      if (answer.kind === 'reply') return parsed(answer.body);
      throw lost(answer, timeoutMs);
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /**
   * Sends several calls together. Python makes them in order, while the engine's process does other work.
   * During these calls, Python cannot send questions to the engine. Each call can read the bars of its
   * `windows`. These windows may grow from call to call.
   *
   * @param calls calls to make. All are read before the first call is made
   * @param timeoutMs milliseconds after which the code of a call is interrupted
   * @param onReply receives the content of each reply, and must validate it. If it throws an error, the
   *   Python process is ended and the error is thrown again
   * @param onSent called when the Python process has received all calls. Until then, Python waits whenever
   *   the engine's process is busy
   * @throws AppError in the same cases as `call`
   */
  async callInTurn(
    calls: Iterable<Omit<InterpreterCall, 'answerTo' | 'timeoutMs'>>,
    timeoutMs: number,
    onReply: (body: unknown) => void,
    onSent: () => void = () => undefined,
  ): Promise<void> {
    this.#isUsed = true;
    this.#isBusy = true;
    const frames = Array.from(calls, (call) => this.#frame({ ...call, timeoutMs }));
    let left = frames.length;
    let failure: { readonly error: unknown } | undefined;
    const take = (body: string): void => {
      if (failure !== undefined) return;
      left -= 1;
      try {
        if (left < 0) throw new Error('more replies than calls');
        onReply(parsed(body));
      } catch (error) {
        failure = { error };
        this.close();
      }
    };
    const answer = await this.#child.batch(
      { type: 'batch', calls: frames.map(({ header, binary }) => ({ ...header, bytes: binary.length })) },
      frames.map(({ body }) => body).join('\n'),
      Buffer.concat(frames.map(({ binary }) => binary)),
      timeoutMs + GRACE_MS,
      take,
      onSent,
    );
    this.#isBusy = false;
    if (answer.kind === 'reply') take(answer.body);
    if (failure !== undefined) throw failure.error;
    if (answer.kind === 'reply' && left === 0) return;
    this.close();
    throw lost(answer.kind === 'reply' ? { kind: 'died', detail: 'replies are missing' } : answer, timeoutMs);
  }

  #frame({
    operation,
    request,
    time,
    windows = [],
    published,
    timeoutMs,
  }: Omit<InterpreterCall, 'answerTo'>) {
    const { feeds, known, binary } = pendingBars(this.#barsSent, windows, published);
    const shown = visibleBars(this.#barsSent, { operation, request, bar: 0, time, windows });
    return {
      header: { operation, feeds, ...(known.length === 0 ? {} : { known }), time, timeoutMs },
      body: JSON.stringify({ ...request, ...(windows.length === 0 ? {} : { shown }) }),
      binary,
    };
  }

  /** Restores the initial state of Python. Returns true if the process can be used again. */
  async reset(): Promise<boolean> {
    if (!this.#child.alive) return false;
    if (this.#isUsed && !(await this.#child.reset())) return false;
    this.#barsSent = new Map();
    this.#isUsed = false;
    return true;
  }

  close(): void {
    this.#child.kill();
  }
}

/**
 * Parses the body of a reply. The body is not trusted, because agent code can influence it.
 *
 * @throws AppError `strategy_ended` if the body is not JSON
 */
function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch (cause) {
    throw new AppError({
      code: 'strategy_ended',
      message: 'The process of the strategy sent an invalid reply (it is not JSON).',
      hint: 'Report the strategy as a hole in the sandbox: see SECURITY.md.',
      kind: 'run',
      cause,
    });
  }
}

function lost(answer: Exclude<ChildAnswer, { kind: 'reply' }>, timeoutMs: number): AppError {
  if (answer.kind === 'killed') {
    return new AppError({
      code: 'strategy_stopped',
      message: `The strategy did not end within ${timeoutMs / 1000} s and could not be interrupted.`,
      hint: 'Look for one operation that takes long, or allow more with --decision-timeout SECONDS.',
      kind: 'run',
    });
  }
  return new AppError({
    code: 'strategy_ended',
    message: `The process of the strategy ended${answer.detail === '' ? '' : `: ${answer.detail}`}.`,
    hint: 'Most likely it was out of memory (512 MB): use fewer bars or smaller tables.',
    kind: 'run',
  });
}
