import { closeSync } from 'node:fs';
import type { Writable } from 'node:stream';
import { Worker } from 'node:worker_threads';
import { DecisionFault, strategyUncaught } from '../../engine/index.ts';
import { type AppError, builtPlace, messageOf, writeText } from '../../kernel/index.ts';
import type { LastWords, Watch } from '../../runner/index.ts';
import { LIMIT_MS, LOADING, PLACES, STOPPED, TASK, TICK, WATCH_STEP } from './shared.ts';

interface Guarded {
  readonly shared: Int32Array;
  readonly restoreProcess: () => void;
  readonly file: string;
  write: LastWords | undefined;
  save: (() => void) | undefined;
  seconds: number;
}

const KEY = Symbol.for('sandtable.guard');

/**
 * Protects a process in which the code of a strategy runs. Handles endless loops, `process.exit`, promises
 * that never settle, and uncaught errors. In each case, the process prints an error, writes the run folder
 * and exits with code 1.
 */
export class ProcessGuard {
  readonly #stderr: Writable;
  #guarded: Guarded | undefined;
  #ended = false;
  /**
   * Signal handlers. While the event loop is blocked, they are removed, so that a signal has its default
   * effect and ends the process.
   */
  readonly #signals = new Map<NodeJS.Signals, () => void>();
  #signalsOn = false;
  #early: (() => void) | undefined;
  #used = false;

  constructor(stderr: Writable) {
    this.#stderr = stderr;
  }

  /** True if the code of a strategy has run and may have left timers. */
  get used(): boolean {
    return this.#used;
  }

  watch(file: string, seconds: number): Watch {
    const shared = new Int32Array(new SharedArrayBuffer(PLACES * 4));
    const guarded: Guarded = {
      shared,
      restoreProcess: keepProcess(),
      file,
      write: undefined,
      save: undefined,
      seconds,
    };
    this.#guarded = guarded;
    this.#used = true;
    shared[TASK] = LOADING;
    shared[LIMIT_MS] = seconds * 1000;
    const worker = new Worker(builtPlace('cli/guard/watchdog.js'), {
      workerData: shared,
      execArgv: [],
    });
    worker.unref();
    // If the watchdog thread fails, the run continues without it.
    worker.on('error', () => undefined);
    const ticking = setInterval(() => {
      shared[TICK] = shared[TICK]! + 1;
      this.#listen();
    }, WATCH_STEP / 2);
    ticking.unref();
    const callBacks = {
      release: () => {
        guarded.save?.();
        this.#unlisten();
        // Also removes signal listeners that the strategy has added. With such a listener, the signal would
        // not end the process.
        for (const name of this.#signals.keys()) process.removeAllListeners(name);
      },
      note: () => {
        this.#say(`note: ${taskName(shared)} has been running for several seconds${stackPlace(file)}.`);
        this.#say('  Press Ctrl-C to end the process. Results so far are saved.');
      },
      timeout: () => {
        this.#end(timedOut(shared, guarded.seconds, stackPlace(file)), 'failed');
        // The watchdog's inspector is still connected, so Node would print a message. Closing stderr
        // suppresses this message.
        closeSync(2);
        process.exit(1);
      },
    };
    Object.defineProperty(globalThis, KEY, { value: callBacks, configurable: true });
    const rejected = (error: unknown): void => {
      // The error may come from a timer of an earlier run. It must not change the outcome of the current run,
      // or the exit code.
      if (this.#guarded !== guarded) return;
      const bar = shared[TASK]! - 1;
      this.#end(strategyUncaught(file, error, bar < 0 ? undefined : bar), 'failed');
      process.exit(1);
    };
    process.on('uncaughtException', rejected);
    const idle = (): void => {
      // An empty event loop means that no pending work can continue the program. If the strategy's file is
      // being loaded, loading would never end. During a decision, the engine's own `beforeExit` listener ends
      // the run.
      if (shared[TASK] !== LOADING) return;
      this.#end(neverLoaded(file), 'failed');
      process.exit(1);
    };
    process.on('beforeExit', idle);
    let worst = 0;
    const exiting = (): void => {
      if (this.#guarded !== guarded) {
        if (worst > 0) process.exitCode = worst;
        return;
      }
      if (this.#ended) return;
      this.#end(exited(file, shared), 'failed');
      process.exitCode = 1;
    };
    process.on('exit', exiting);
    // Every exit calls `reallyExit`. The function is replaced, because a strategy may call it directly, or
    // may set another exit code in a listener.
    const internals = process as typeof process & { reallyExit(code?: number): never };
    const leave = internals.reallyExit;
    internals.reallyExit = (code) => {
      exiting();
      const least = this.#guarded === guarded || worst > 0 ? Number(process.exitCode ?? 0) : 0;
      return leave.call(process, Math.max(least, Number(code ?? 0)));
    };
    return {
      deciding: (bar) => {
        shared[TASK] = bar + 1;
      },
      limit: (limit) => {
        guarded.seconds = limit;
        shared[LIMIT_MS] = Math.min(limit * 1000, 2 ** 31 - 1);
      },
      loading: () => {
        shared[TASK] = LOADING;
      },
      loaded: () => {
        shared[TASK] = 0;
      },
      onEnd: (write) => {
        guarded.write = write;
      },
      onBlocked: (save) => {
        guarded.save = save;
      },
      release: (exitCode = 0) => {
        worst = Math.max(worst, exitCode);
        if (this.#guarded !== guarded) return;
        this.#guarded = undefined;
        // `write` and `save` refer to the data of the whole run. They are removed, so that this memory can be
        // freed.
        guarded.write = undefined;
        guarded.save = undefined;
        shared[TASK] = 0;
        shared[STOPPED] = 1;
        clearInterval(ticking);
        guarded.restoreProcess();
        process.off('beforeExit', idle);
        Reflect.deleteProperty(globalThis, KEY);
        void worker.terminate();
      },
    };
  }

  /**
   * Handles signals while the files of a run are being read. A signal prints one line and ends the process.
   * The run later replaces these handlers.
   */
  hearBeforeRun(): void {
    const stop = (): void => {
      this.#say('error: Interrupted before the run began: nothing was written.');
      this.interrupt();
    };
    this.#early ??= this.hear(stop);
  }

  /**
   * Calls `stop` on SIGINT and SIGTERM while the event loop is not blocked. Returns a function that removes the
   * handlers.
   */
  hear(stop: () => void): () => void {
    this.#early?.();
    this.#signals.set('SIGINT', stop).set('SIGTERM', stop);
    this.#listen();
    return () => {
      this.#unlisten();
      this.#signals.clear();
    };
  }

  /** Ends a run immediately. Called on the second Ctrl-C. */
  interrupt(): never {
    this.#end(undefined, 'interrupted');
    process.exit(1);
  }

  #say(text: string): void {
    writeText(this.#stderr, `${text}\n`);
  }

  #listen(): void {
    if (this.#signalsOn || this.#signals.size === 0) return;
    this.#signalsOn = true;
    for (const [name, stop] of this.#signals) process.on(name, stop);
  }

  #unlisten(): void {
    this.#signalsOn = false;
    for (const [name, stop] of this.#signals) process.off(name, stop);
  }

  #end(error: AppError | undefined, outcome: 'failed' | 'interrupted'): void {
    if (this.#ended) return;
    this.#ended = true;
    if (this.#guarded !== undefined) this.#guarded.shared[STOPPED] = 1;
    this.#guarded?.restoreProcess();
    const write = this.#guarded?.write;
    try {
      if (write !== undefined) write(error, outcome);
      else if (error !== undefined) this.#say(`error: ${error.message}\n  ${error.hint}`);
    } catch (problem) {
      if (error !== undefined) this.#say(`error: ${error.message}\n  ${error.hint}`);
      this.#say(`error: ${messageOf(problem)}`);
    }
  }
}

/**
 * Redirects the strategy's output to stderr, because stdout is for results. Also prevents closing stdout. The
 * returned function undoes both and restores the working directory.
 */
function keepProcess(): () => void {
  const { stdout, stderr } = process;
  const { write, end } = stdout;
  const folder = process.cwd();
  const redirected = stderr.write.bind(stderr) as typeof write;
  stdout.write = redirected;
  stdout.end = ((...given: Parameters<typeof write>) => {
    if (typeof given[0] === 'string' || ArrayBuffer.isView(given[0])) redirected(...given);
    return stdout;
  }) as typeof end;
  return () => {
    stdout.write = write;
    stdout.end = end;
    process.chdir(folder);
  };
}

function taskName(shared: Int32Array): string {
  const task = shared[TASK]!;
  if (task === LOADING) return 'loading the strategy file';
  return task === 0 ? 'the process' : `the decision at bar ${task - 1}`;
}

/**
 * Returns the innermost line of the strategy on the current stack, as ` (file:line)`. Empty if the stack
 * contains no line of the strategy.
 */
function stackPlace(file: string): string {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 50;
  const { stack = '' } = new Error('where');
  Error.stackTraceLimit = limit;
  const name = file.split(/[\\/]/).at(-1) ?? file;
  const line = /:(\d+):\d+\)?$/.exec(
    stack
      .split('\n')
      .find((frame) => frame.includes(name))
      ?.trim() ?? '',
  );
  return line === null ? '' : ` (${file}:${line[1]})`;
}

function misbehaved(code: string, message: string, hint: string): AppError {
  return new DecisionFault(code, message, hint);
}

function timedOut(shared: Int32Array, seconds: number, place: string): AppError {
  const what = shared[TASK] === LOADING ? 'the strategy file' : `The decision at bar ${shared[TASK]! - 1}`;
  return misbehaved(
    'decision_timeout',
    shared[TASK] === LOADING
      ? `Loading ${what} did not end within ${seconds} s${place}.`
      : `${what} did not end within ${seconds} s${place}.`,
    'Look for an endless loop, or allow more time with --decision-timeout SECONDS.',
  );
}

function exited(file: string, shared: Int32Array): AppError {
  const when =
    shared[TASK] === LOADING ? 'while it was being loaded' : `at bar ${Math.max(shared[TASK]! - 1, 0)}`;
  return misbehaved(
    'strategy_exited',
    `${file} ended the process ${when}.`,
    'Remove process.exit from the strategy. Throw an error, or stop placing orders.',
  );
}

function neverLoaded(file: string): AppError {
  return misbehaved(
    'strategy_never_loads',
    `${file} waits at its top level for a promise that never settles.`,
    'Look for an await whose promise is never resolved.',
  );
}
