import type { BarContext } from '../../src/engine/index.ts';
import {
  type PythonRuntime,
  provisionRuntime,
  Sandbox,
  type SandboxOptions,
} from '../../src/sandbox/index.ts';

/** Timeout in milliseconds for scenarios that do not test timeouts. No call needs it, even on a busy machine. */
export const PATIENT_MS = 30_000;

/**
 * Python for the whole test process. It is prepared one time and has one sandbox that scenarios may share.
 */
export class Python {
  readonly #runtime: PythonRuntime;
  readonly shared: Sandbox;
  readonly #fed = new Map<string, number>();

  private constructor(runtime: PythonRuntime) {
    this.#runtime = runtime;
    this.shared = new Sandbox({ runtime, spares: 0, timeoutMs: PATIENT_MS });
  }

  static async prepare(): Promise<Python> {
    const ready = new Python(await provisionRuntime());
    await ready.shared.start();
    return ready;
  }

  /** Returns a separate sandbox. The caller must close it. */
  own(options: Omit<SandboxOptions, 'runtime'> = {}): Sandbox {
    return new Sandbox({ ...options, runtime: this.#runtime });
  }

  /**
   * Checks that sharing the sandbox is safe: each symbol must have the same bars in all scenarios and must
   * not go back. Calls have no state, but the process stores the bars it received.
   */
  checkShared(turn: BarContext): void {
    for (const symbol of turn.symbols) {
      const { revealed } = turn.windowOf(symbol);
      const fed = this.#fed.get(symbol) ?? 0;
      if (revealed < fed) {
        throw new Error(
          `The shared sandbox has ${fed} bars of ${symbol}, this scenario ${revealed}: give it Python of its own.`,
        );
      }
      this.#fed.set(symbol, revealed);
    }
  }
}

let preparing: Promise<void> | undefined;
let prepared: Python | undefined;

/** Prepares Python before the first scenario that computes. Later calls wait for the same preparation. */
export function preparePython(): Promise<void> {
  preparing ??= Python.prepare().then((ready) => {
    prepared = ready;
  });
  return preparing;
}

export async function closePython(): Promise<void> {
  await prepared?.shared.close();
}

export function python(): Python {
  if (prepared === undefined) throw new Error('Python was not prepared: tag the feature @python.');
  return prepared;
}

/** Replaces Python in scenarios that do not compute. */
export const NO_PYTHON = {
  timeoutMs: PATIENT_MS,
  call: () => Promise.reject(new Error('Python was not prepared: tag the feature @python.')),
} as unknown as Sandbox;
