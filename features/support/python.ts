import type { BarContext } from '../../src/engine/index.ts';
import {
  type PythonRuntime,
  provisionRuntime,
  Sandbox,
  type SandboxOptions,
} from '../../src/sandbox/index.ts';

/** For scenarios that are not about time: a loaded machine must not turn an ordinary call into a time-out. */
export const PATIENT_MS = 2_000;

/** Python of the whole test process: fetched and prepared once, with one sandbox that scenarios may share. */
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

  /** A sandbox that nobody else uses; whoever asks for it closes it. */
  own(options: Omit<SandboxOptions, 'runtime'> = {}): Sandbox {
    return new Sandbox({ ...options, runtime: this.#runtime });
  }

  /**
   * Sharing is right as long as a symbol always has the same bars and never steps back: calls keep no state, but the
   * process keeps the bars it was given.
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

/** Prepares Python before the first scenario that computes; later calls wait for the same. */
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

/** Stands where Python would, in scenarios that compute nothing. */
export const NO_PYTHON = {
  timeoutMs: PATIENT_MS,
  call: () => Promise.reject(new Error('Python was not prepared: tag the feature @python.')),
} as unknown as Sandbox;
