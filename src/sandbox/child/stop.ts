/**
 * Stopping a calculation from outside, in the process it runs in.
 *
 * Compiled code that runs for minutes never looks at Pyodide's interrupt buffer. V8 can end WebAssembly at any loop and
 * any function, and Node requests this when a SIGINT arrives during `runInThisContext` with `breakOnSigint`. JavaScript
 * cannot catch that end, so agent code cannot prevent it.
 */
import { Script } from 'node:vm';

/** A script sees globals only. */
const GLOBAL = 'sandtableWork';

let work: () => unknown = () => undefined;
let script: Script | undefined;

/** Prepares `stoppable`. Call before the globals of this process are counted. */
export function prepareStop(): void {
  Object.defineProperty(globalThis, GLOBAL, { value: () => work(), writable: false, configurable: false });
  script = new Script(`${GLOBAL}()`);
}

/**
 * Runs `next`; a SIGINT ends it. With calls inside each other, a SIGINT ends the innermost one.
 *
 * The outermost call starts the thread that waits for the signal. Further calls cost about a microsecond.
 *
 * @throws an error for which `isStop` is true
 */
export function stoppable<Value>(next: () => Value): Value {
  if (script === undefined) throw new Error('prepareStop was not called');
  work = next;
  return script.runInThisContext({ breakOnSigint: true }) as Value;
}

/** True if the error is a SIGINT during `stoppable`. */
export function isStop(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_INTERRUPTED';
}
