import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Lockfile, LockfileInfo, PyodideAPI, PyodideConfig } from 'pyodide';

/**
 * Paths of the two files of an image. The file `data` contains compiled Python modules and data files. The
 * file `index` contains their positions in `data`.
 */
export interface PackageImage {
  readonly index: string;
  readonly data: string;
  /**
   * SHA-256 of both files in hexadecimal, computed by the build. Loading a file with another hash fails.
   * Without this field, the files are not checked.
   */
  readonly sha256?: { readonly index: string; readonly data: string };
}

/** Files for `bootPython`, as absolute paths. The child has only read access to them. */
export interface BootFiles {
  /** Folder of the installed `pyodide` package. */
  readonly pyodideFolder: string;
  /** ZIP file with the standard modules that Python needs before it can read images. */
  readonly stdlib: string;
  readonly stdlibSha256?: string;
  /**
   * Images of the standard library, packages and Sandtable's sources. If two images contain the same module,
   * the earlier image is used.
   */
  readonly packages: readonly PackageImage[];
  /**
   * Copy of Python's memory after it has started and imported the packages. Without it, the start is slower.
   */
  readonly start?: StartImage;
}

/**
 * Files of a start image: the memory of a started Python. The SHA-256 of each file must be equal to the value
 * in `sha256` (hexadecimal).
 */
export interface StartImage {
  /** File with the memory, in the format of Pyodide's snapshots. */
  readonly memory: string;
  /** File with a `StartIndex` as JSON. */
  readonly index: string;
  readonly sha256: { readonly memory: string; readonly index: string };
}

/** State of a started Python that its stored memory does not contain. */
export interface StartIndex {
  /**
   * Paths of the loaded WebAssembly libraries, in the order of loading. The order determines their addresses
   * in memory.
   */
  readonly libraries: readonly string[];
  /** Descriptor and path of each open file. */
  readonly files: readonly (readonly [number, string])[];
  /** SHA-256 of the addresses of all symbols of the libraries. */
  readonly addresses: string;
  /** Number of random bytes that the builder of the image drew while Python started. */
  readonly randomBytes: number;
}

// A sandbox child runs this file. Of Sandtable's code, it can read only the compiled folder `sandbox`. The
// file therefore imports no module of other folders.

export interface BootOptions extends PyodideConfig {
  /** Names of the Python modules that `bootPython` imports. Default: numpy and pandas. */
  readonly preload?: readonly string[];
}

interface ImageIndex {
  /** Folder in the sandbox's file system. The paths in `files` are relative to it. */
  readonly root: string;
  /** `[path, offset, length]` of each file. Offset and length are in bytes of the data file. */
  readonly files: readonly (readonly [string, number, number])[];
  /** `[offset, length]` of the marshalled table of modules. */
  readonly table: readonly [number, number];
}

interface LoadedImage extends ImageIndex {
  readonly bytes: Buffer;
}

/** Parts of Emscripten's file system that this module uses. */
interface FileSystem {
  mkdirTree(folder: string): void;
  symlink(target: string, link: string): void;
  createFile(folder: string, name: string, properties: object, canRead: boolean, canWrite: boolean): FileNode;
}

interface FileNode {
  contents: Uint8Array;
  usedBytes: number;
}

/** Addresses of symbols by name. 0 if no loaded library defines the symbol yet. */
type SymbolTable = Record<string, { readonly value: number }>;

const IMAGE_FOLDER = '/lib/image';

/**
 * Starts Pyodide from a prepared runtime and imports the modules in `options.preload`.
 *
 * @param runtime absolute paths. The process needs read access only to these files
 * @param options options of Pyodide (`jsglobals`, `env`, `stdout` …), except those that name files
 * @throws the error of Pyodide if its files are damaged
 */
export async function bootPython(runtime: BootFiles, options: BootOptions = {}): Promise<PyodideAPI> {
  const { preload = ['numpy', 'pandas'], ...config } = options;
  const pyodide = await loadPython(runtime, config, (module) => settleSymbols(module.GOT));
  for (const name of preload) pyodide.runPython(`import ${name}`, { globals: pyodide.toPy({}) });
  return pyodide;
}

/**
 * Environment variables of Python in a sandbox. They are part of the memory that a start image stores. `LANG`
 * and `_` are set because this memory would otherwise depend on the machine's language and the program's
 * path.
 */
const SANDBOX_OPTIONS = { env: { HOME: '/home/agent', LANG: 'C.UTF-8', _: 'python' } };

/**
 * Starts Python for a sandbox. Uses the start image if there is one.
 *
 * The image saves the start of the interpreter and the imports, which take 1.5 s. It does not contain
 * WebAssembly libraries. They are loaded first, in the same order as in the builder of the image, so that
 * they get the same addresses. Then the memory of the image replaces the memory of the new Python.
 *
 * @param jsglobals the only JavaScript object that Python can reach
 * @returns Python, and the number of random bytes that the builder of the image has drawn
 */
export async function startPython(
  runtime: BootFiles,
  jsglobals: object,
): Promise<{ python: PyodideAPI; randomBytes?: number }> {
  const { start } = runtime;
  if (start === undefined) return { python: await bootPython(runtime, { ...SANDBOX_OPTIONS, jsglobals }) };
  const index = JSON.parse(readVerified(start.index, start.sha256.index).toString('utf8')) as StartIndex;
  const memory = readVerified(start.memory, start.sha256.memory);
  const options: PyodideConfig = { ...SANDBOX_OPTIONS, jsglobals, _loadSnapshot: memory };
  const python = await loadPython(runtime, options, (module) => {
    const fits =
      loadLibraries(module, index.libraries) === index.addresses &&
      index.files.every(([descriptor, file]) => module.FS.open(file, 'r').fd === descriptor);
    if (!fits) throw new OtherAddresses();
  }).catch((error: unknown) => {
    if (!(error instanceof OtherAddresses)) throw error;
    return undefined;
  });
  // The addresses of the libraries differ from those in the image, so the image cannot be used. Python starts
  // without it.
  if (python === undefined) return startPython(withoutStart(runtime), jsglobals);
  return { python, randomBytes: index.randomBytes };
}

class OtherAddresses extends Error {}

/** Returns the runtime without its start image, so that Python starts in the ordinary way. */
export function withoutStart({ start: _, ...runtime }: BootFiles): BootFiles {
  return runtime;
}

/**
 * Makes a start image: the memory of a started Python.
 *
 * @param drawn returns the number of random bytes that this process has drawn so far
 */
export async function makeStartImage(
  runtime: BootFiles,
  drawn: () => number,
): Promise<{ memory: Uint8Array; index: StartIndex }> {
  // The names of the WebAssembly libraries are known only after the imports. A first Python therefore imports
  // the packages. Then a second Python is started with these libraries, and its memory is stored.
  const prepare = 'from sandtable_runtime.boot import prepare\nprepare()';
  const first = (await bootPython(runtime, {
    ...SANDBOX_OPTIONS,
    jsglobals: Object.create(null),
  })) as Started;
  first.runPython(prepare, { globals: first.toPy({}) });
  const libraries = Object.keys(first._module.LDSO.loadedLibsByName).filter((name) => name.startsWith('/'));
  const before = drawn();
  const options: PyodideConfig = {
    ...SANDBOX_OPTIONS,
    jsglobals: Object.create(null),
    _makeSnapshot: true,
  };
  let addresses = '';
  const python = (await loadPython(runtime, options, (module) => {
    addresses = loadLibraries(module, libraries);
  })) as Started;
  python.runPython(`import numpy\nimport pandas\n${prepare}\nimport gc\ngc.collect()`, {
    globals: python.toPy({}),
  });
  // Pyodide refuses to store this list. The list is filled again at each start.
  for (const name of Object.keys(python.loadedPackages)) delete python.loadedPackages[name];
  const files = python._module.FS.streams.flatMap((stream) =>
    stream && stream.fd > 2 ? [[stream.fd, stream.path] as const] : [],
  );
  return {
    memory: python.makeMemorySnapshot(),
    index: { libraries, files, addresses, randomBytes: drawn() - before },
  };
}

/** Pyodide with parts that its types do not contain. */
type Started = PyodideAPI & {
  readonly _module: EmscriptenModule;
  readonly loadedPackages: Record<string, string>;
  makeMemorySnapshot(): Uint8Array;
};

/** Parts of Pyodide's Emscripten module that this module uses. */
interface EmscriptenModule {
  readonly GOT: SymbolTable;
  readonly LDSO: { readonly loadedLibsByName: Readonly<Record<string, unknown>> };
  readonly FS: FileSystem & {
    readonly streams: readonly ({ readonly fd: number; readonly path: string } | null | undefined)[];
    open(file: string, flags: string): { readonly fd: number };
  };
  loadDynamicLibrary(file: string, flags: object, scope: object): unknown;
  onRuntimeInitialized?: () => void;
  thisProgram?: string;
}

/** Loads WebAssembly libraries, and returns the SHA-256 of the addresses of all symbols. */
function loadLibraries(module: EmscriptenModule, files: readonly string[]): string {
  settleSymbols(module.GOT);
  for (const file of files)
    module.loadDynamicLibrary(file, { global: false, nodelete: true, loadAsync: false }, {});
  const addresses = Object.entries(module.GOT).map(([name, { value }]) => [name, value]);
  return createHash('sha256').update(JSON.stringify(addresses)).digest('hex');
}

/**
 * Loads Pyodide with the images of a runtime and checks the hashes of their files.
 *
 * @param initialize called with Pyodide's Emscripten module, after WebAssembly has started and before Python
 *   starts
 */
async function loadPython(
  runtime: BootFiles,
  config: PyodideConfig,
  initialize: (module: EmscriptenModule) => void,
): Promise<PyodideAPI> {
  readVerified(runtime.stdlib, runtime.stdlibSha256);
  const images = runtime.packages.map(readImage);
  const restoreCompiler = compileAhead(images);
  const restoreRequire = pretendRequire();
  let fault: { readonly error: unknown } | undefined;
  try {
    // Pyodide ignores errors of this function. The first error is therefore stored and thrown later.
    const checked = (module: EmscriptenModule): void => {
      try {
        initialize(module);
      } catch (error) {
        fault ??= { error };
      }
    };
    loadEmscriptenScript(runtime.pyodideFolder, checked);
    const { loadPyodide } = await importPyodide(runtime.pyodideFolder);
    const python = await loadPyodide({
      ...config,
      indexURL: runtime.pyodideFolder,
      stdLibURL: runtime.stdlib,
      // The images replace Pyodide's package loader, so the list of packages is empty.
      lockFileContents: { info: readLockInfo(runtime.pyodideFolder), packages: {} },
      packageBaseUrl: runtime.pyodideFolder,
      env: { PYTHONHASHSEED: '0', PYTHONDONTWRITEBYTECODE: '1', ...config.env },
      async fsInit(fileSystem, info) {
        placeImages(fileSystem, images, info.sitePackages);
        await config.fsInit?.(fileSystem, info);
      },
    });
    if (fault !== undefined) throw fault.error;
    return python;
  } catch (error) {
    throw fault === undefined ? error : fault.error;
  } finally {
    restoreRequire();
    restoreCompiler();
  }
}

function readLockInfo(pyodideFolder: string): LockfileInfo {
  const lock = JSON.parse(fs.readFileSync(path.join(pyodideFolder, 'pyodide-lock.json'), 'utf8')) as Lockfile;
  return lock.info;
}

function readImage(image: PackageImage): LoadedImage {
  const index = readVerified(image.index, image.sha256?.index);
  return {
    ...(JSON.parse(index.toString('utf8')) as ImageIndex),
    bytes: readVerified(image.data, image.sha256?.data),
  };
}

/**
 * Reads a file. Without `sha256`, the file is not checked.
 *
 * @throws Error if the SHA-256 of the bytes that were read is not `sha256`
 */
function readVerified(file: string, sha256: string | undefined): Buffer {
  const bytes = fs.readFileSync(file);
  if (sha256 !== undefined && createHash('sha256').update(bytes).digest('hex') !== sha256) {
    throw new Error(
      `the prepared Python is damaged: ${file} is not what was built. Delete ${path.dirname(file)} and run: npx sandtable setup`,
    );
  }
  return bytes;
}

function slice(image: LoadedImage, offset: number, length: number): Buffer {
  return image.bytes.subarray(offset, offset + length);
}

/**
 * Compiles all WebAssembly libraries on other threads while Python starts. Replaces `new WebAssembly.Module`,
 * which Emscripten calls on the main thread, by a function that returns a library that is already compiled.
 *
 * @returns function that restores `WebAssembly.Module`
 */
function compileAhead(images: readonly LoadedImage[]): () => void {
  const CompileNow = WebAssembly.Module;
  const ready: { bytes: Buffer; module: WebAssembly.Module }[] = [];
  for (const image of images) {
    for (const [name, offset, length] of image.files) {
      if (!name.endsWith('.so')) continue;
      const bytes = slice(image, offset, length);
      WebAssembly.compile(bytes as BufferSource).then(
        (module) => ready.push({ bytes, module }),
        // An error is ignored here. The main thread compiles the library again and reports an error with the
        // name of the library.
        () => {},
      );
    }
  }
  const moduleFromCache = (source: NodeJS.ArrayBufferView | ArrayBuffer): WebAssembly.Module => {
    const bytes = ArrayBuffer.isView(source)
      ? Buffer.from(source.buffer, source.byteOffset, source.byteLength)
      : Buffer.from(source);
    const found = ready.find((one) => one.bytes.length === bytes.length && one.bytes.equals(bytes));
    return found?.module ?? new CompileNow(source as BufferSource);
  };
  WebAssembly.Module = new Proxy(CompileNow, {
    construct: (_, [source]: [NodeJS.ArrayBufferView | ArrayBuffer]) => moduleFromCache(source),
  });
  return () => {
    WebAssembly.Module = CompileNow;
  };
}

/**
 * Loads Emscripten's script as CommonJS. Pyodide would import it as a module, which parses it two more times.
 */
function loadEmscriptenScript(pyodideFolder: string, initialize: (module: EmscriptenModule) => void): void {
  createRequire(import.meta.url)(path.join(pyodideFolder, 'pyodide.asm.js'));
  type Create = (module: EmscriptenModule) => Promise<unknown>;
  const scope = globalThis as { _createPyodideModule?: Create & { original?: Create } };
  const create = scope._createPyodideModule!.original ?? scope._createPyodideModule!;
  const started = (module: EmscriptenModule): Promise<unknown> => {
    module.thisProgram = 'python';
    module.onRuntimeInitialized = () => initialize(module);
    return create(module);
  };
  scope._createPyodideModule = Object.assign(started, { original: create });
}

/**
 * Defines a global `require`. Without this global, Pyodide's loader would import child_process and ws, which
 * a sandbox must not have.
 *
 * @returns function that restores the global
 */
function pretendRequire(): () => void {
  const scope = globalThis as { require?: unknown };
  const before = scope.require;
  scope.require = () => undefined;
  return () => {
    if (before === undefined) delete scope.require;
    else scope.require = before;
  };
}

async function importPyodide(pyodideFolder: string): Promise<typeof import('pyodide')> {
  return (await import(
    pathToFileURL(path.join(pyodideFolder, 'pyodide.mjs')).href
  )) as typeof import('pyodide');
}

function placeImages(fileSystem: FileSystem, images: readonly LoadedImage[], sitePackages: string): void {
  const folders = new Set<string>();
  const place = (file: string, contents: Uint8Array): void => {
    const folder = path.posix.dirname(file);
    if (!folders.has(folder)) fileSystem.mkdirTree(folder);
    folders.add(folder);
    const node = fileSystem.createFile(folder, path.posix.basename(file), {}, true, true);
    // The contents are set directly, so that the file uses the bytes that were read. `writeFile` would copy
    // all 40 MB.
    node.contents = contents;
    node.usedBytes = contents.length;
  };
  images.forEach((image, position) => {
    const name = `${IMAGE_FOLDER}/${String(position).padStart(3, '0')}`;
    place(`${name}.bin`, image.bytes);
    place(`${name}.table`, slice(image, ...image.table));
    for (const [file, offset, length] of image.files) {
      place(`${image.root}/${file}`, slice(image, offset, length));
    }
  });
  // At its import, pandas requests UTC from dateutil. If there is no time-zone folder, dateutil unpacks
  // 600 zones, which takes 0.3 s.
  fileSystem.mkdirTree('/usr/share');
  fileSystem.symlink(`${sitePackages}/pytz/zoneinfo`, '/usr/share/zoneinfo');
}

/**
 * Moves resolved symbols to the prototype of Emscripten's global offset table.
 *
 * After loading a library, Emscripten searches the table's 10,000 own entries for unresolved symbols. For 57
 * libraries this takes 0.6 s. Look-ups by name still find the moved entries.
 */
function settleSymbols(table: SymbolTable): void {
  const settled: SymbolTable = Object.create(null);
  for (const [name, symbol] of Object.entries(table)) {
    if (symbol.value === 0) continue;
    settled[name] = symbol;
    delete table[name];
  }
  Object.setPrototypeOf(table, settled);
}
