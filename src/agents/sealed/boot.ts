/**
 * Entry point of the isolated process in which a sealed strategy runs. Node runs this text with `--eval`,
 * because the process may not read files. The engine sends the bundled strategy as the first line.
 *
 * The process has two realms (JavaScript contexts with their own built-in objects). The outer realm is
 * Node's. The inner realm contains plain JavaScript only. The strategy runs in the inner realm and must never
 * reach an object of the outer realm. Three rules ensure this:
 *
 * 1. Only strings and booleans cross between the realms. The two outer functions `send` and `receive` are
 *    known only to `bridge`. The code of `bridge` is created in the inner realm and discards every outer
 *    error.
 * 2. Inner functions that the outer realm calls catch every error, so that the outer realm never uses a value
 *    of the strategy. Node's formatter of stack traces is replaced by an inner function, because Node would
 *    otherwise run outer code each time the strategy reads `error.stack`.
 * 3. The bundle contains no dynamic `import()` (see `bundle.ts`), because it would return an outer promise.
 *
 * A further protection is `emptyOuterRealm`. It deletes all objects that are reachable from an outer object.
 */
import vm from 'node:vm';
import { bridge } from './bridge.ts';
import { emptyOuterRealm, formatInside } from './outer-realm.ts';
import { exit, receive, send } from './pipe.ts';

// Saved here, because `emptyOuterRealm` deletes the globals.
const later = setImmediate;
const { getPrototypeOf } = Reflect;
const outerPromise = Promise.prototype;

function main(): void {
  send('{"type":"ready"}');
  const [file, bundle] = JSON.parse(receive() ?? '["",""]') as [string, string];
  const context = vm.createContext(vm.constants.DONT_CONTEXTIFY, {
    codeGeneration: { strings: false, wasm: false },
  });
  const inside = (code: string, filename: string): unknown =>
    // If `displayErrors` is true, Node reads `error.stack` of the strategy's error from the outer realm.
    new vm.Script(code, { filename }).runInContext(context, { displayErrors: false });
  const make = inside(`(${bridge.toString()})`, 'bridge.js') as typeof bridge;
  const inner = make(send, receive, file);
  const { start, step, caught } = inner;
  let run: () => void;
  try {
    run = inside(bundle, file) as () => void;
  } catch (error) {
    // Only an error of the outer realm can arrive here: the bundle does not compile.
    const { message, stack = '' } = error as Error;
    send(JSON.stringify({ type: 'failed', how: 'threw', code: '', remedy: '', message, stack }));
    exit(1);
    return;
  }
  process.on('unhandledRejection', (reason, promise) => {
    if (getPrototypeOf(promise) !== outerPromise) caught(reason);
  });
  process.on('uncaughtException', () => {
    // The error may come from the strategy. Reading its fields could run the strategy's code, so a fixed
    // message is sent.
    const message = 'an error outside of any decision ended the process';
    send(`{"type":"failed","how":"threw","code":"","message":"${message}","remedy":""}`);
    exit(1);
  });
  formatInside(inner);
  emptyOuterRealm();
  if (!start(run)) exit(1);
  const callbacks = (): void => {
    if (step('')) later(callbacks);
    else lines();
  };
  const lines = (): void => {
    for (let line = receive(); line !== undefined; line = receive()) {
      // If a decision awaits a promise, its callbacks must run before the next line is read.
      if (step(line)) {
        later(callbacks);
        return;
      }
    }
    exit(0);
  };
  lines();
}

main();
