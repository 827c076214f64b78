/**
 * Closes what Node leaves open in the child. None of it is reachable from Python unless the Python fence has a hole:
 * this, the permission model and the descriptor limit are the walls behind that fence.
 */
import { constants } from 'node:fs';

const realNow = performance.now.bind(performance);

/** Milliseconds of real time, for the deadline; the rest of the process sees the bar's clock. */
export function elapsed(): number {
  return realNow();
}

let frozenAt: number | undefined;

/** From the first call on, every clock of this process stands at this instant. */
export function setClock(instant: number): void {
  frozenAt = instant;
}

/** Replaces clocks and random sources; called before Pyodide is loaded, so that it picks these up. */
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

// xorshift32: fills hash seeds and the like; nothing secret.
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

/** Remembers where the random numbers are, for `rewindRandom`. */
export function markRandom(): void {
  random.marked = random.state;
}

/** Has the random numbers go on from where they were marked. */
export function rewindRandom(): void {
  random.state = random.marked;
}

/** Caps how far the Python heap can grow: a memory bomb becomes a MemoryError. */
export function capMemory(megabytes: number): void {
  const RealMemory = WebAssembly.Memory;
  const pages = megabytes * 16;
  WebAssembly.Memory = new Proxy(RealMemory, {
    construct: (_, [descriptor]: [WebAssembly.MemoryDescriptor]) =>
      new RealMemory({ ...descriptor, maximum: Math.min(descriptor.maximum ?? pages, pages) }),
  });
}

/** Emscripten asks for the file-system constants this way; everything else of `process.binding` is refused. */
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

/** Takes away what reaches other processes and the network; called once Python is up. */
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
