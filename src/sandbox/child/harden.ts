import { constants } from 'node:fs';
import type { PyodideAPI } from 'pyodide';

/**
 * Removes access to processes and the network from the sandbox child (a Node process that runs Python), and
 * replaces its clocks and random numbers. Python code could use this access only after escaping from its
 * isolation. This module, Node's permission model and the descriptor limit protect the machine in this case.
 */

const realNow = performance.now.bind(performance);

/**
 * Returns the real time in milliseconds since the process started, for deadlines. All other clocks of the
 * process show the time of the bar.
 */
export function elapsed(): number {
  return realNow();
}

let frozenAt: number | undefined;

/** Sets the time that every clock of this process shows from now on. */
export function setClock(instant: number): void {
  frozenAt = instant;
}

/**
 * Replaces clocks and random sources by deterministic ones. Must be called before Pyodide is loaded, so that
 * Pyodide uses the replacements.
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

// Generator xorshift32. Its numbers are used for hash seeds and similar values, not for secrets.
function seededBytes(seed: number): () => number {
  random.state = seed >>> 0 || 0x9e3779b9;
  return () => {
    random.drawn += 1;
    random.state ^= random.state << 13;
    random.state ^= random.state >>> 17;
    random.state ^= random.state << 5;
    return random.state & 0xff;
  };
}

const random = { state: 0, marked: 0, drawn: 0 };

/** Returns the number of random bytes that this process has drawn. */
export function drawnRandom(): number {
  return random.drawn;
}

/**
 * Draws random bytes until this process has drawn `count` bytes. After a start from an image, the random
 * state then equals that of an ordinary start.
 */
export function drawRandom(count: number): void {
  const byte = new Uint8Array(1);
  while (random.drawn < count) globalThis.crypto.getRandomValues(byte);
}

/** Saves the state of the random numbers for `rewindRandom`. */
export function markRandom(): void {
  random.marked = random.state;
}

/** Restores the state of the random numbers that `markRandom` saved. */
export function rewindRandom(): void {
  random.state = random.marked;
}

const memories: WebAssembly.Memory[] = [];

/**
 * Returns the WebAssembly memory that owns a buffer. Only memories that were created after the call of
 * `capMemory` are found.
 */
export function memoryOf(buffer: ArrayBufferLike): WebAssembly.Memory {
  const memory = memories.find((each) => each.buffer === buffer);
  if (memory === undefined) throw new Error('the memory of Python is not known');
  return memory;
}

/**
 * Limits the size of the Python heap. An allocation beyond this limit then raises a MemoryError in Python.
 */
export function capMemory(megabytes: number): void {
  const RealMemory = WebAssembly.Memory;
  const pages = megabytes * 16;
  WebAssembly.Memory = new Proxy(RealMemory, {
    construct(_, [descriptor]: [WebAssembly.MemoryDescriptor]) {
      const maximum = Math.min(descriptor.maximum ?? pages, pages);
      const memory = new RealMemory({ ...descriptor, maximum });
      memories.push(memory);
      return memory;
    },
  });
}

/** Restricts `process.binding` to the file-system constants, which are all that Emscripten needs. */
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

/** Removes access to other processes and the network. Must be called after Python has started. */
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

/**
 * Fills the memory of new numpy arrays with zeros.
 *
 * `np.empty`, a ufunc with `where=`, and some pandas functions return uninitialised memory, which may contain
 * data of earlier calls. Therefore numpy's data allocator (NEP 49) is replaced by one that clears memory.
 */

/** Parts of Pyodide's Emscripten module that are needed to replace C functions. */
interface NativeModule {
  readonly HEAPU8: Uint8Array;
  readonly wasmTable: WebAssembly.Table;
  addFunction(native: CallableFunction, signature: string): number;
}

/**
 * Returns access to Python's C code: the Emscripten module, a function that reads a 32-bit word of memory,
 * and a function that runs Python code in a separate namespace.
 */
export function nativeOf(python: PyodideAPI) {
  const native = (python as PyodideAPI & { _module: NativeModule })._module;
  const word = (address: number): number => new DataView(native.HEAPU8.buffer).getUint32(address, true);
  const run = (code: string): unknown => python.runPython(code, { globals: python.toPy({}) });
  return { native, word, run };
}

/** Index of `PyDataMem_GetHandler` in numpy's table of C functions. Unchanged since numpy 1.22. */
const GET_HANDLER = 305;
/** Byte offsets of two functions in `PyDataMem_Handler`. A name of 127 bytes and a version precede them. */
const MALLOC = 128 + 4;
const CALLOC = MALLOC + 4;
/** Byte offset of the pointer in a PyCapsule. The reference count and the type precede it. */
const CAPSULE_POINTER = 8;

/**
 * WebAssembly module with the function `(ctx, size) => calloc(ctx, 1, size)`. Calls of a JavaScript function
 * would be slower.
 */
// prettier-ignore
const ZEROING = new Uint8Array([
  0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00,
  // type 0: (i32, i32, i32) -> i32; type 1: (i32, i32) -> i32
  0x01, 0x0e, 0x02, 0x60, 0x03, 0x7f, 0x7f, 0x7f, 0x01, 0x7f, 0x60, 0x02, 0x7f, 0x7f, 0x01, 0x7f,
  // import a.f, a function of type 0; one function of type 1, exported as f
  0x02, 0x07, 0x01, 0x01, 0x61, 0x01, 0x66, 0x00, 0x00, 0x03, 0x02, 0x01, 0x01, 0x07, 0x05, 0x01, 0x01, 0x66,
  0x00, 0x01,
  // local.get 0, i32.const 1, local.get 1, call 0
  0x0a, 0x0c, 0x01, 0x0a, 0x00, 0x20, 0x00, 0x41, 0x01, 0x20, 0x01, 0x10, 0x00, 0x0b,
]);

/**
 * Makes numpy fill the memory of all new arrays with zeros.
 *
 * @throws if numpy's memory layout is unexpected, or an array still shows earlier data. Agent code must not
 *   run then
 */
export function zeroArrays(python: PyodideAPI): void {
  const { native, word, run } = nativeOf(python);
  const table = run('import numpy\nid(numpy._core._multiarray_umath._ARRAY_API)') as number;
  const functions = word(table + CAPSULE_POINTER);
  const getHandler = native.wasmTable.get(word(functions + 4 * GET_HANDLER)) as () => number;
  const handler = word(getHandler() + CAPSULE_POINTER);
  const name = Buffer.from(native.HEAPU8.buffer, handler, 17).toString('latin1');
  if (name !== 'default_allocator') throw new Error('numpy has another allocator than the one known here');
  const calloc = native.wasmTable.get(word(handler + CALLOC)) as CallableFunction;
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(ZEROING), { a: { f: calloc } });
  const malloc = native.addFunction(exports.f as CallableFunction, 'iii');
  new DataView(native.HEAPU8.buffer).setUint32(handler + MALLOC, malloc, true);
  if (run(SELF_TEST) !== true) throw new Error('numpy still hands out memory as it was left');
}

const SELF_TEST = `
import numpy
def zeroed():
    for size in (1, 7, 120, 5_000, 400_000):
        for _ in range(3):
            numpy.full(size, 77, dtype="u1")
            if numpy.empty(size, dtype="u1").any():
                return False
    return True
zeroed()
`;
