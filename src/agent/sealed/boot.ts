/**
 * Entry point of a sealed strategy's process. Node runs this text with `--eval`, because the process may not read files.
 * The engine sends the bundled strategy as the first line.
 *
 * Two realms exist here. The outer realm is Node's. The inner realm is a separate context with plain JavaScript only. The
 * strategy runs in the inner realm and must never reach an object of the outer one. Three rules ensure this:
 *
 * 1. Only strings and booleans cross between the realms. The two outer functions `send` and `receive` are known only to
 *    `bridge`, whose code is created in the inner realm and discards every outer error.
 * 2. Inner functions that the outer realm calls catch every error, so that the outer realm never touches a value of the
 *    strategy. Node's formatter of stack traces is replaced by an inner function, because Node would otherwise run
 *    outer code each time the strategy reads `error.stack`.
 * 3. The bundle contains no dynamic `import()` (see `bundle.ts`), which would return an outer promise.
 *
 * `emptyOuterRealm` is the second wall. It removes whatever an outer object could lead to.
 */
import { Buffer } from 'node:buffer';
import { readSync, writeSync } from 'node:fs';
import nodeModule, { createRequire } from 'node:module';
import vm from 'node:vm';

const TO_ENGINE = 3;
const FROM_ENGINE = 4;

/** Arguments of a call that proves that 48 KB of stack are left, so that `send` and `receive` cannot overflow halfway. */
const STACK_RESERVE = Object.freeze(Array.from({ length: 6_000 }, () => 0));

/** Module of Node with `internalBinding`, available with `--expose-internals`. */
const INTERNAL_MODULE = 'internal/test/binding';

/** Properties of `process` that Node's own event loop and its `EventEmitter` read. */
const KEPT_PROCESS = new Set([
  '_events',
  '_eventsCount',
  '_maxListeners',
  '_exiting',
  '_fatalException',
  'domain',
  'emit',
]);

const { wait } = Atomics;
const outer = globalThis;
const { isView } = ArrayBuffer;
const { apply, deleteProperty, getPrototypeOf, ownKeys } = Reflect;
const { freeze, getOwnPropertyDescriptor } = Object;
const later = setImmediate;
const exit = (process as unknown as { reallyExit(code: number): never }).reallyExit.bind(process);
const outerPromise = Promise.prototype;

const pause = new Int32Array(new SharedArrayBuffer(4));
const piece = Buffer.alloc(1 << 16);
let rest = Buffer.alloc(0);

/** Returns the next line, or undefined if the engine is gone. */
function receive(): string | undefined {
  const pieces: Buffer[] = [];
  for (;;) {
    const end = rest.indexOf(10);
    if (end >= 0) {
      pieces.push(rest.subarray(0, end));
      rest = rest.subarray(end + 1);
      return Buffer.concat(pieces).toString('utf8');
    }
    if (rest.length > 0) pieces.push(rest);
    const read = retried(() => readSync(FROM_ENGINE, piece, 0, piece.length, null));
    if (read === 0) return undefined;
    rest = Buffer.from(piece.subarray(0, read));
  }
}

/** Sends a line. Returns false, without sending anything, if the stack has no room for `send` and `receive`. */
function send(text: string): boolean {
  try {
    apply(() => undefined, undefined, STACK_RESERVE);
  } catch {
    return false;
  }
  const bytes = Buffer.from(`${text}\n`);
  for (let offset = 0; offset < bytes.length; ) offset += retried(() => writeSync(TO_ENGINE, bytes, offset));
  return true;
}

function retried(work: () => number): number {
  for (;;) {
    try {
      return work();
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EOF') return 0;
      if (code === 'EPIPE') exit(0);
      if (code !== 'EAGAIN' && code !== 'EINTR') throw error;
      if (code === 'EAGAIN') wait(pause, 0, 0, 1);
    }
  }
}

interface Bridge {
  /** Runs the bundle. Returns false if the strategy threw; the error has been sent. */
  start(run: () => void): boolean;
  /** Handles a line. Returns true if callbacks of the strategy must run before the next line. */
  step(line: string): boolean;
  /** Keeps a rejection of an inner promise that nobody handles. */
  caught(reason: unknown): void;
  formatStack(realm: unknown, error: unknown, sites: readonly { toString(): string }[]): string;
  keepNoStacks(): void;
}

/**
 * The inner side of the channel. Compiled in the inner realm from its own text, so it may use nothing of this module.
 * Strategies replace built-ins: the bridge keeps those that it needs.
 */
function bridge(toEngine: (text: string) => boolean, fromEngine: () => string | undefined): Bridge {
  const realm = globalThis;
  const { RangeError: Overflow, TypeError: Mistake, Error: Base, String: text } = realm;
  const { apply: invoke, defineProperty: define } = Reflect;
  const { toString: errorText } = Base.prototype;
  const { slice } = text.prototype;
  const { stringify } = JSON;
  const uncaught: unknown[] = [];
  let handle: ((line: string) => boolean) | undefined;
  const transmit = (line: string): void => {
    if (typeof line !== 'string') throw new Mistake('a message is a string');
    let sent = false;
    try {
      sent = toEngine(line);
    } catch {
      // An error of the outer realm, which is not for the strategy.
    }
    if (!sent) throw new Overflow('Maximum call stack size exceeded');
  };
  const fail = (error: unknown): void => {
    let message = 'an error that cannot be read';
    let stack = '';
    try {
      const { message: given = text(error), stack: trace = '' } = (error ?? {}) as Partial<Error>;
      message = text(given);
      stack = text(trace);
    } catch {
      // Getters of the error threw.
    }
    const failure = { __proto__: null, type: 'failed', how: 'threw', code: '', remedy: '' };
    transmit(
      stringify({
        ...failure,
        message: invoke(slice, message, [0, 2000]),
        stack: invoke(slice, stack, [0, 4000]),
      }),
    );
  };
  const channel = {
    send: transmit,
    receive(): string | undefined {
      let line: string | undefined;
      let isRead = false;
      try {
        line = fromEngine();
        isRead = true;
      } catch {
        // As above.
      }
      if (!isRead) throw new Overflow('Maximum call stack size exceeded');
      return line;
    },
    uncaught,
    serve(given: (line: string) => boolean): void {
      handle = given;
    },
  };
  define(realm, 'sandtableChannel', { value: channel, configurable: true });
  return {
    start(run) {
      try {
        run();
        return true;
      } catch (error) {
        fail(error);
        return false;
      }
    },
    step(line) {
      try {
        return handle !== undefined && handle(line) === true;
      } catch (error) {
        fail(error);
        return false;
      }
    },
    caught(reason) {
      define(uncaught, uncaught.length, { value: reason });
    },
    formatStack(of, error, sites) {
      // Errors of the outer realm are Node's own; nobody reads their stacks.
      if (of !== realm) return '';
      let lines: string;
      try {
        lines = invoke(errorText, error, []);
      } catch {
        lines = 'Error';
      }
      for (let index = 0; index < sites.length; index++) lines += `\n    at ${sites[index]!.toString()}`;
      return lines;
    },
    keepNoStacks() {
      define(Base, 'stackTraceLimit', { value: undefined, writable: false, configurable: false });
    },
  };
}

/** Makes stack traces inside. Without Node's internal module no stack is recorded: then errors are named without a line. */
function formatInside({ formatStack, keepNoStacks }: Bridge): void {
  try {
    const require = createRequire(`${process.cwd()}/sealed.js`);
    const { internalBinding } = require(INTERNAL_MODULE) as {
      internalBinding(name: string): { setPrepareStackTraceCallback(format: unknown): void };
    };
    internalBinding('errors').setPrepareStackTraceCallback(formatStack);
  } catch {
    keepNoStacks();
  }
}

/** Removes what an outer object could lead to: the clock, `process`, modules, and prototypes that can be changed. */
function emptyOuterRealm(): void {
  const prototypes: object[] = [];
  for (const name of ownKeys(outer)) {
    const descriptor = getOwnPropertyDescriptor(outer, name);
    const value: unknown = descriptor !== undefined && 'value' in descriptor ? descriptor.value : undefined;
    if (typeof value === 'function')
      prototypes.push(value, (value as { prototype?: object }).prototype ?? value);
  }
  const samples = [async () => undefined, function* () {}, async function* () {}, [].values(), pause, piece];
  for (const sample of [...samples, new Map().values(), new Set().values(), ''.matchAll(/x/g)])
    for (let each: object | null = getPrototypeOf(sample); each !== null; each = getPrototypeOf(each))
      prototypes.push(each);
  deleteProperty(Date.prototype, 'constructor');
  for (const holder of [nodeModule, vm, Date, process] as object[])
    for (const name of ownKeys(holder))
      if (holder !== process || !KEPT_PROCESS.has(String(name))) deleteProperty(holder, name);
  freeze(getPrototypeOf(process));
  for (const name of ownKeys(outer)) deleteProperty(outer, name);
  for (const each of prototypes) if (!isView(each)) freeze(each);
}

function main(): void {
  send('{"type":"ready"}');
  const [file, bundle] = JSON.parse(receive() ?? '["",""]') as [string, string];
  const context = vm.createContext(vm.constants.DONT_CONTEXTIFY, {
    codeGeneration: { strings: false, wasm: false },
  });
  const inside = (code: string, filename: string): unknown =>
    // Decorating an error would read `error.stack` from the outer realm.
    new vm.Script(code, { filename }).runInContext(context, { displayErrors: false });
  const make = inside(`(${bridge.toString()})`, 'bridge.js') as typeof bridge;
  const inner = make(send, receive);
  const { start, step, caught } = inner;
  let run: () => void;
  try {
    run = inside(bundle, file) as () => void;
  } catch (error) {
    // The bundle does not compile, so this error is one of this realm.
    const { message, stack = '' } = error as Error;
    send(JSON.stringify({ type: 'failed', how: 'threw', code: '', remedy: '', message, stack }));
    exit(1);
    return;
  }
  process.on('unhandledRejection', (reason, promise) => {
    if (getPrototypeOf(promise) !== outerPromise) caught(reason);
  });
  process.on('uncaughtException', () => {
    // The error may be one of the strategy's, so it is not read here.
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
      // While a decision waits, its callbacks run between two messages.
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
