import { Interpreter, type PythonRuntime } from '../../sandbox/index.ts';
import type { LoadedReply } from './replies.ts';

/** Interpreter with what was done in it. */
export interface Held {
  readonly interpreter: Interpreter;
  readonly fingerprint: string;
  /** Key of the strategy that is loaded and was not called since. Undefined if the interpreter must be reset. */
  loaded: string | undefined;
  /** Declarations of the loaded strategy. */
  reply?: LoadedReply;
}

/** Milliseconds after which an unused interpreter ends. */
const IDLE_MS = 20_000;
const MOST_IDLE = 2;

/** Interpreters of this process that no strategy uses at the moment. */
const idle: { readonly held: Held; readonly timer: NodeJS.Timeout }[] = [];

/**
 * Returns an interpreter for one run: one that has this strategy loaded, or an empty one. Starting takes seconds, so
 * interpreters are reused after a reset that restores their first state.
 *
 * @param loaded key of the strategy
 */
export async function takeInterpreter(runtime: PythonRuntime, loaded: string): Promise<Held> {
  const { fingerprint } = runtime;
  const fits = idle.filter(({ held }) => held.fingerprint === fingerprint);
  const found = fits.find(({ held }) => held.loaded === loaded) ?? fits.at(-1);
  if (found !== undefined) {
    idle.splice(idle.indexOf(found), 1);
    clearTimeout(found.timer);
    const { held } = found;
    if (held.loaded === loaded && held.interpreter.isFree) return held;
    held.loaded = undefined;
    if (await held.interpreter.reset()) return held;
    held.interpreter.close();
  }
  // The seed of the process is constant; each run seeds Python's random numbers itself.
  const interpreter = await Interpreter.start({ runtime, seed: 0 });
  return { interpreter, fingerprint, loaded: undefined };
}

/** Takes back an interpreter that is no longer used. One whose call is still in progress ends. */
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
