import type { BarSeries, Window } from '../../market/index.ts';
import { Interpreter, type PythonRuntime } from '../../sandbox/index.ts';
import type { LoadedReply } from './replies.ts';

/** Python process with its current state. It can be reused by later runs. */
export interface Held {
  interpreter: Interpreter;
  readonly fingerprint: string;
  /** Starts another process with the same Python runtime. */
  readonly start: () => Promise<Interpreter>;
  /**
   * Hash of the loaded strategy's files and seed. `undefined` if no strategy is loaded, or if the strategy
   * may have changed the state of the interpreter. The interpreter must then be reset before its next use.
   */
  loaded: string | undefined;
  /** Declarations of the loaded strategy, as Python reported them. */
  reply?: LoadedReply;
  /** Bars in the memory of the interpreter. `undefined` if it has no bars, for example after a reset. */
  bars?: { readonly series: readonly BarSeries[]; readonly windows: readonly Window[] } | undefined;
  /** Number of a sweep's trials that have used the interpreter since its last reset. */
  trials: number;
}

/** Number of a sweep's trials after which an interpreter is reset, even if its strategy leaves no state. */
const MOST_TRIALS = 256;

/** Milliseconds after which an unused interpreter ends. */
const IDLE_MS = 20_000;
const MOST_IDLE = 2;

/** Interpreters of this process that no strategy uses at the moment. */
const idle: { readonly held: Held; readonly timer: NodeJS.Timeout }[] = [];

/**
 * Returns an interpreter for one run. Prefers an idle one in which this strategy is loaded, then any other
 * idle one, which is reset. Starts a process only if no interpreter is idle, because starting takes seconds.
 *
 * @param loaded hash of the strategy's files and seed
 * @param series bars of the run. A reused interpreter contains exactly these bars, or no bars. Default: no
 *   bars
 */
export async function takeInterpreter(
  runtime: PythonRuntime,
  loaded: string,
  series: readonly BarSeries[] = [],
): Promise<Held> {
  const { fingerprint } = runtime;
  const fits = idle.filter(({ held }) => held.fingerprint === fingerprint);
  const suits = ({ loaded: has, bars, trials }: Held): boolean =>
    has === loaded && trials < MOST_TRIALS && (bars === undefined || isSame(bars.series, series));
  const found = fits.find(({ held }) => suits(held)) ?? fits.at(-1);
  if (found !== undefined) {
    idle.splice(idle.indexOf(found), 1);
    clearTimeout(found.timer);
    const { held } = found;
    if (suits(held) && held.interpreter.isFree) return held;
    await renew(held);
    return held;
  }
  const start = (): Promise<Interpreter> =>
    // The seed of the process has no effect on runs, because each run seeds Python's random numbers itself.
    Interpreter.start({ runtime, seed: 0 });
  return { interpreter: await start(), fingerprint, start, loaded: undefined, trials: 0 };
}

/** Resets an interpreter to its state after the start. Starts a new process if the reset fails. */
export async function renew(held: Held): Promise<void> {
  held.loaded = undefined;
  held.bars = undefined;
  held.trials = 0;
  if (await held.interpreter.reset()) return;
  held.interpreter.close();
  held.interpreter = await held.start();
}

function isSame(one: readonly BarSeries[], other: readonly BarSeries[]): boolean {
  return one.length === other.length && one.every((series, place) => series === other[place]);
}

/**
 * Stores an interpreter that is no longer used, so that later runs can reuse it. An interpreter with a
 * running call is closed instead.
 */
export function giveBack(held: Held): void {
  if (!held.interpreter.isFree) {
    held.interpreter.close();
    return;
  }
  if (idle.length >= MOST_IDLE) {
    const oldest = idle.shift()!;
    clearTimeout(oldest.timer);
    oldest.held.interpreter.close();
  }
  const timer = setTimeout(() => {
    const place = idle.findIndex((one) => one.held === held);
    if (place >= 0) idle.splice(place, 1);
    held.interpreter.close();
  }, IDLE_MS);
  timer.unref();
  idle.push({ held, timer });
}
