/**
 * Fills the memory of new numpy arrays with zeros.
 *
 * `np.empty`, a ufunc with `where=`, and some pandas functions return uninitialised memory, which may contain
 * data of earlier calls. Therefore numpy's data allocator (NEP 49) is replaced by one that clears the memory.
 */
import type { PyodideAPI } from 'pyodide';

/** Parts of Pyodide's Emscripten module used here. */
interface NativeModule {
  readonly HEAPU8: Uint8Array;
  readonly wasmTable: WebAssembly.Table;
  addFunction(native: CallableFunction, signature: string): number;
}

/** Index of `PyDataMem_GetHandler` in numpy's table of C functions, stable since numpy 1.22. */
const GET_HANDLER = 305;
/** Offsets in bytes of two functions in `PyDataMem_Handler`, after a name of 127 bytes and a version. */
const MALLOC = 128 + 4;
const CALLOC = MALLOC + 4;
/** Offset of the pointer in a PyCapsule, after the reference count and the type. */
const CAPSULE_POINTER = 8;

/**
 * Hand-assembled `(ctx, size) => calloc(ctx, 1, size)`. A JavaScript function would be slower at each call.
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
 * Makes numpy fill the memory of all further arrays with zeros.
 *
 * @throws if numpy's layout is unexpected or an array still shows earlier data; agent code must not run then
 */
export function zeroArrays(python: PyodideAPI): void {
  const native = (python as PyodideAPI & { _module: NativeModule })._module;
  const word = (address: number): number => new DataView(native.HEAPU8.buffer).getUint32(address, true);
  const run = (code: string): unknown => python.runPython(code, { globals: python.toPy({}) });
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
