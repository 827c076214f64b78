/**
 * Entry point of a sealed strategy's process. Node runs this text with `--eval`, because the process may not
 * read files. The engine sends the bundled strategy as the first line.
 *
 * Two realms exist here. The outer realm is Node's. The inner realm is a separate context with plain
 * JavaScript only. The strategy runs in the inner realm and must never reach an object of the outer one.
 * Three rules ensure this:
 *
 * 1. Only strings and booleans cross between the realms. The two outer functions `send` and `receive` are
 *   known only to `bridge`, whose code is created in the inner realm and discards every outer error.
 * 2. Inner functions that the outer realm calls catch every error, so that the outer realm never touches a
 *   value of the strategy. Node's formatter of stack traces is replaced by an inner function, because Node
 *   would otherwise run outer code each time the strategy reads `error.stack`.
 * 3. The bundle contains no dynamic `import()` (see `bundle.ts`), which would return an outer promise.
 *
 * `emptyOuterRealm` is the second line of defence. It removes everything that an outer object could lead to.
 */
import vm from 'node:vm';
import { bridge } from './bridge.ts';
import { emptyOuterRealm, formatInside } from './outer-realm.ts';
import { exit, receive, send } from './pipe.ts';

// Stored here because `emptyOuterRealm` deletes the globals.
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
    // With `displayErrors`, Node would read `error.stack` of the strategy's error from the outer realm.
    new vm.Script(code, { filename }).runInContext(context, { displayErrors: false });
  const make = inside(`(${bridge.toString()})`, 'bridge.js') as typeof bridge;
  const inner = make(send, receive, file);
  const { start, step, caught } = inner;
  let run: () => void;
  try {
    run = inside(bundle, file) as () => void;
  } catch (error) {
    // The bundle does not compile, so this error belongs to the outer realm.
    const { message, stack = '' } = error as Error;
    send(JSON.stringify({ type: 'failed', how: 'threw', code: '', remedy: '', message, stack }));
    exit(1);
    return;
  }
  process.on('unhandledRejection', (reason, promise) => {
    if (getPrototypeOf(promise) !== outerPromise) caught(reason);
  });
  process.on('uncaughtException', () => {
    // The error may come from the strategy. Reading it could run the strategy's code, so a fixed message is
    // sent.
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
      // A decision that awaits something needs its callbacks to run. They run now, before the next line is
      // read.
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
