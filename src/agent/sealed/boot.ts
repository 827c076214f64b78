/**
 * A sealed strategy's process. It is started from this text, not from a file, and may read none: the engine sends the
 * strategy, bundled with what it imports, as its first line. The strategy runs in a context without any of Node's
 * objects; the walls behind that are Node's permission model and, where there is one, the limit of descriptors.
 */
import { readSync, writeSync } from 'node:fs';
import { createContext, Script } from 'node:vm';

const TO_ENGINE = 3;
const FROM_ENGINE = 4;
const CLOSED_PROCESS = ['kill', '_kill', '_debugProcess', '_debugEnd', 'dlopen', 'chdir', 'abort', 'binding'];
const CLOSED_GLOBALS = [
  'fetch',
  'WebSocket',
  'EventSource',
  'XMLHttpRequest',
  'BroadcastChannel',
  'navigator',
];

const pause = new Int32Array(new SharedArrayBuffer(4));
const piece = Buffer.alloc(1 << 16);
let rest = Buffer.alloc(0);
/** What nobody caught: rejections of promises, and errors of callbacks. */
const uncaught: unknown[] = [];

/** The next line; undefined when the engine is gone. */
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
    const read = patiently(() => readSync(FROM_ENGINE, piece, 0, piece.length, null));
    if (read === 0) return undefined;
    rest = Buffer.from(piece.subarray(0, read));
  }
}

function send(text: string): void {
  const bytes = Buffer.from(`${text}\n`);
  for (let offset = 0; offset < bytes.length; )
    offset += patiently(() => writeSync(TO_ENGINE, bytes, offset));
}

function patiently(work: () => number): number {
  for (;;) {
    try {
      return work();
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EOF') return 0;
      if (code === 'EPIPE') process.exit(0);
      if (code !== 'EAGAIN' && code !== 'EINTR') throw error;
      if (code === 'EAGAIN') Atomics.wait(pause, 0, 0, 1);
    }
  }
}

function closeDoors(): void {
  const refuse = (): never => {
    throw new Error('closed in a sealed strategy');
  };
  for (const name of CLOSED_PROCESS)
    if (name in process)
      Object.defineProperty(process, name, { value: refuse, configurable: false, writable: false });
  for (const name of CLOSED_GLOBALS) Reflect.deleteProperty(globalThis, name);
  process.env = {};
}

async function main(): Promise<void> {
  process.on('unhandledRejection', (error) => uncaught.push(error));
  process.on('uncaughtException', (error) => uncaught.push(error));
  closeDoors();
  send('{"type":"ready"}');
  const [file, bundle] = JSON.parse(receive() ?? '["",""]') as [string, string];
  const context = createContext(Object.create(null), {
    codeGeneration: { strings: false, wasm: false },
  });
  let handle = (_: string): boolean => false;
  context.sandtableChannel = {
    send,
    receive,
    uncaught,
    serve(given: (line: string) => boolean) {
      handle = given;
    },
  };
  new Script(bundle, { filename: file }).runInContext(context);
  for (let line = receive(); line !== undefined; line = receive()) {
    // While a decision waits its callbacks run between two messages; what none of them catches is known after that.
    for (let waits = handle(line); waits; waits = handle('')) await new Promise(setImmediate);
  }
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    // Of the other context: no instance of this one's class.
    const { message = String(error), stack = '' } = (error ?? {}) as { message?: unknown; stack?: unknown };
    const failure = { type: 'failed', how: 'threw', code: '', remedy: '' };
    const said = { message: String(message).slice(0, 2000), stack: String(stack).slice(0, 4000) };
    send(JSON.stringify({ ...failure, ...said }));
    process.exit(1);
  },
);
