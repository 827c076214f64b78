/**
 * Closes interfaces that Node leaves open in the child. Python code can reach them only through a hole in the Python
 * fence. This module, the permission model and the descriptor limit protect against such holes.
 */
import { constants } from 'node:fs';

const realNow = performance.now.bind(performance);

/** Returns real milliseconds for the deadline. All other code sees the time of the bar. */
export function elapsed(): number {
  return realNow();
}

let frozenAt: number | undefined;

/** Sets the time that every clock of this process shows from now on. */
export function setClock(instant: number): void {
  frozenAt = instant;
}

/**
 * Replaces clocks and random sources. Call before Pyodide is loaded, so that Pyodide uses the replacements.
 */
export function installDeterminism(seed: number): void {
  const RealDate = Date;
  const dateNow = Date.now;
  const readClock = (): number => frozenAt ?? dateNow();
  class BarDate extends RealDate {
    constructor(...parts: unknown[]) {
      super(...((parts.length === 0 ? [readClock()] : parts) as [number]));
    }
    static override now(): number {
      return readClock();
    }
  }
  globalThis.Date = BarDate as DateConstructor;
  performance.now = () => (frozenAt === undefined ? realNow() : 0);
  const bytes = seededBytes(seed);
  Math.random = () => (bytes() * 0x1000000 + bytes() * 0x10000 + bytes() * 0x100 + bytes()) / 0x100000000;
  const fill = <View extends ArrayBufferView | null>(view: View): View => {
    if (view !== null) {
      const target = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
      for (let index = 0; index < target.length; index++) target[index] = bytes();
    }
    return view;
  };
  Object.defineProperty(globalThis, 'crypto', {
    value: { getRandomValues: fill },
    configurable: false,
    writable: false,
  });
}

// xorshift32. Used for hash seeds and similar values, not for secrets.
function seededBytes(seed: number): () => number {
  random.state = seed >>> 0 || 0x9e3779b9;
  return () => {
    random.state ^= random.state << 13;
    random.state ^= random.state >>> 17;
    random.state ^= random.state << 5;
    return random.state & 0xff;
  };
}

const random = { state: 0, marked: 0 };

/** Stores the state of the random numbers for `rewindRandom`. */
export function markRandom(): void {
  random.marked = random.state;
}

/** Restores the state of the random numbers stored by `markRandom`. */
export function rewindRandom(): void {
  random.state = random.marked;
}

/** Limits the growth of the Python heap. Excessive allocation then raises a MemoryError. */
export function capMemory(megabytes: number): void {
  const RealMemory = WebAssembly.Memory;
  const pages = megabytes * 16;
  WebAssembly.Memory = new Proxy(RealMemory, {
    construct: (_, [descriptor]: [WebAssembly.MemoryDescriptor]) =>
      new RealMemory({ ...descriptor, maximum: Math.min(descriptor.maximum ?? pages, pages) }),
  });
}

/** Restricts `process.binding` to the file-system constants, which Emscripten requests. */
export function narrowBindings(): void {
  Object.defineProperty(process, 'binding', {
    value: (name: string) => {
      if (name === 'constants') return { fs: constants };
      throw new Error(`process.binding(${name}) is closed in the sandbox`);
    },
    configurable: false,
    writable: false,
  });
}

const CLOSED_PROCESS = [
  'kill',
  '_kill',
  '_debugProcess',
  '_debugEnd',
  'dlopen',
  'chdir',
  'abort',
  'setuid',
  'setgid',
];
const CLOSED_GLOBALS = [
  'fetch',
  'WebSocket',
  'EventSource',
  'XMLHttpRequest',
  'MessageChannel',
  'BroadcastChannel',
];

/** Removes access to other processes and the network. Call after Python has started. */
export function closeDoors(): void {
  const refuse = (): never => {
    throw new Error('closed in the sandbox');
  };
  for (const name of CLOSED_PROCESS) {
    if (name in process)
      Object.defineProperty(process, name, { value: refuse, configurable: false, writable: false });
  }
  for (const name of CLOSED_GLOBALS) Reflect.deleteProperty(globalThis, name);
  process.env = {};
  Object.defineProperty(process, 'mainModule', { value: undefined, configurable: false, writable: false });
}
