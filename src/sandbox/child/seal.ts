/**
 * Makes state outside the Python heap immutable after Python has started, because restoring the heap does not
 * restore this state. It consists of the in-memory file system and JavaScript's built-in objects. Other state
 * that can still change is checked after every call that was not proved to leave nothing behind.
 */

/** Parts of Emscripten's file system that this module closes or checks. */
export interface FileSystem {
  readonly root: FileNode;
  readonly streams: (FileStream | null | undefined)[];
  currentPath: string;
  readonly ErrnoError: new (errno: number) => Error;
  open(path: unknown, flags: unknown, mode?: unknown): FileStream;
  write(stream: FileStream, ...rest: unknown[]): number;
  close(stream: FileStream): void;
}

interface FileNode {
  readonly contents?: Readonly<Record<string, FileNode>> | Uint8Array | null;
  readonly usedBytes?: number;
  readonly mode: number;
}

interface FileStream {
  position: number;
  readonly tty?: unknown;
}

/** Parts of Pyodide's Emscripten module whose tables this module checks. */
export interface ModuleTables {
  readonly FS: FileSystem;
  readonly wasmTable: { readonly length: number };
  readonly LDSO: { readonly loadedLibsByName: Readonly<Record<string, unknown>> };
  readonly GOT: Readonly<Record<string, unknown>>;
}

/** Error number of EROFS (read-only file system) in Emscripten. */
const READ_ONLY = 69;
const CHANGING = [
  'mknod',
  'create',
  'mkdir',
  'mkdirTree',
  'mkdev',
  'symlink',
  'rename',
  'rmdir',
  'unlink',
  'doSetAttr',
  'doChmod',
  'doChown',
  'doTruncate',
  'chmod',
  'lchmod',
  'fchmod',
  'chown',
  'lchown',
  'fchown',
  'truncate',
  'ftruncate',
  'utime',
  'msync',
  'writeFile',
  'mount',
  'unmount',
  'createPath',
  'createFile',
  'createDataFile',
  'createDevice',
  'createLazyFile',
  'createPreloadedFile',
  'createNode',
  'destroyNode',
  'registerDevice',
];
// Flags O_WRONLY, O_RDWR, O_CREAT, O_TRUNC and O_APPEND, with their values in WebAssembly's C library.
const WRITING_FLAGS = 0o1 | 0o2 | 0o100 | 0o1000 | 0o2000;

/** Prevents creating, changing and removing files from now on. */
export function sealFiles(fileSystem: FileSystem): void {
  const refuse = (): never => {
    throw new fileSystem.ErrnoError(READ_ONLY);
  };
  const replace = (name: string, value: unknown): void => {
    Object.defineProperty(fileSystem, name, { value, writable: false, configurable: false });
  };
  for (const name of CHANGING) if (name in fileSystem) replace(name, refuse);
  const { open, write } = fileSystem;
  replace('open', (path: unknown, flags: unknown, mode?: unknown) => {
    if (typeof flags !== 'number' || (flags & WRITING_FLAGS) !== 0) refuse();
    return open.call(fileSystem, path, flags, mode);
  });
  replace('write', (stream: FileStream, ...rest: unknown[]) => {
    // Only the standard streams stay writable, because Python writes to them when it crashes.
    if (stream.tty === undefined) refuse();
    return write.call(fileSystem, stream, ...rest);
  });
}

/**
 * Freezes all built-in objects of JavaScript. A changed prototype would affect every object of this process.
 */
export function freezeIntrinsics(): void {
  const seen = new Set<unknown>();
  const todo: unknown[] = [
    ...INTRINSICS.map((name) => Reflect.get(globalThis, name) as unknown),
    // Built-in objects that have no global name.
    Object.getPrototypeOf(Int8Array),
    Object.getPrototypeOf([][Symbol.iterator]()),
    Object.getPrototypeOf(new Map()[Symbol.iterator]()),
    Object.getPrototypeOf(new Set()[Symbol.iterator]()),
    Object.getPrototypeOf(''[Symbol.iterator]()),
    Object.getPrototypeOf(function* () {}),
    Object.getPrototypeOf(async () => {}),
    Object.getPrototypeOf(async function* () {}),
  ];
  while (todo.length > 0) {
    const value = todo.pop();
    if ((typeof value !== 'object' && typeof value !== 'function') || value === null || seen.has(value))
      continue;
    seen.add(value);
    todo.push(Object.getPrototypeOf(value));
    for (const key of Reflect.ownKeys(value)) {
      const descriptor = Object.getOwnPropertyDescriptor(value, key)!;
      todo.push(descriptor.value, descriptor.get, descriptor.set);
      if (OVERRIDABLE.has(key) && 'value' in descriptor && descriptor.configurable)
        letOverride(value, key, descriptor.value);
    }
  }
  for (const value of seen) Object.freeze(value);
}

const INTRINSICS =
  `Object Function Array String Number Boolean Symbol BigInt Promise RegExp Date Error EvalError RangeError
  ReferenceError SyntaxError TypeError URIError AggregateError Map Set WeakMap WeakSet WeakRef FinalizationRegistry
  ArrayBuffer SharedArrayBuffer DataView Atomics JSON Math Reflect Proxy WebAssembly Int8Array Uint8Array
  Uint8ClampedArray Int16Array Uint16Array Int32Array Uint32Array BigInt64Array BigUint64Array Float32Array Float64Array
  TextDecoder TextEncoder Buffer`
    .trim()
    .split(/\s+/);

/**
 * Properties that ordinary code sets on its own objects. If their prototype were simply frozen, JavaScript
 * would forbid setting these properties on all objects that inherit from it.
 */
const OVERRIDABLE: ReadonlySet<string | symbol> = new Set([
  'toString',
  'constructor',
  'valueOf',
  'name',
  'message',
  'toJSON',
]);

function letOverride(owner: object, key: string | symbol, value: unknown): void {
  Object.defineProperty(owner, key, {
    get: () => value,
    set(this: unknown, wanted: unknown) {
      if (this === owner) throw new TypeError(`${String(key)} cannot be changed`);
      Object.defineProperty(this as object, key, {
        value: wanted,
        writable: true,
        configurable: true,
        enumerable: true,
      });
    },
    configurable: false,
    enumerable: false,
  });
}

/** State of the child process outside the Python heap that could have changed during a call. */
export class Surroundings {
  readonly #module: ModuleTables;
  readonly #positions: readonly (number | undefined)[];
  readonly #folder: string;
  readonly #first: readonly string[];

  constructor(module: ModuleTables) {
    this.#module = module;
    this.#positions = module.FS.streams.map((stream) => stream?.position);
    this.#folder = module.FS.currentPath;
    this.#first = this.#tables();
  }

  /** Closes files that a call left open, and restores the working folder. */
  putBack(): void {
    const { FS: fileSystem } = this.#module;
    fileSystem.streams.forEach((stream, place) => {
      if (!stream) return;
      const position = this.#positions[place];
      if (position === undefined) fileSystem.close(stream);
      else stream.position = position;
    });
    fileSystem.currentPath = this.#folder;
  }

  /** Describes state that has changed and cannot be restored. `undefined` if no such state has changed. */
  changed(): string | undefined {
    const now = this.#tables();
    const place = now.findIndex((each, index) => each !== this.#first[index]);
    return place < 0 ? undefined : `${this.#first[place]} became ${now[place]}`;
  }

  #tables(): string[] {
    const { wasmTable, LDSO, GOT, FS: fileSystem } = this.#module;
    return [
      `function table: ${wasmTable.length}`,
      `libraries: ${Object.keys(LDSO.loadedLibsByName).length}`,
      `symbols: ${Object.keys(GOT).length}`,
      `globals: ${Reflect.ownKeys(globalThis).length}`,
      `standard streams: ${this.#positions.every((position, place) => position === undefined || Boolean(fileSystem.streams[place]))}`,
    ];
  }

  /**
   * Describes the state outside the heap that a later call of Python code could see, including every file and its size. Used
   * by `--paranoid` to detect changes.
   */
  describe(): string {
    const lines: string[] = [...this.#tables(), `folder: ${this.#module.FS.currentPath}`];
    const walk = (node: FileNode, path: string): void => {
      const { contents } = node;
      if (contents === null || contents === undefined) return;
      if (contents instanceof Uint8Array || ArrayBuffer.isView(contents)) {
        lines.push(`${path}: ${node.usedBytes} ${node.mode}`);
        return;
      }
      for (const [name, child] of Object.entries(contents)) walk(child, `${path}/${name}`);
    };
    walk(this.#module.FS.root, '');
    return lines.join('\n');
  }
}
