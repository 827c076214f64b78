import type { PyodideAPI } from 'pyodide';
import { memoryOf, nativeOf } from './harden.ts';

/**
 * Gives all NaN and NaT values the hash 0, as Python did before 3.10.
 *
 * Since 3.10, the hash is derived from the memory address of the object. The order of a set with such values
 * would then depend on the memory that earlier calls used.
 */

/** Byte offset of `tp_hash` in a PyTypeObject. */
const TYPE_HASH = 60;
/** Byte offset of the value in a Python object. The reference count and the type precede the value. */
const VALUE = 8;

const GET = [0x20, 0x00];
/**
 * Returns WebAssembly instructions that test the float at an offset of the Python object. They push 1 if the
 * float is NaN, otherwise 0. The test is that NaN is not equal to itself. `float64` is for 64-bit floats,
 * `float32` for 32-bit floats.
 */
const float64 = (offset: number): number[] => [...GET, 0x2b, 3, offset, ...GET, 0x2b, 3, offset, 0x62];
const float32 = (offset: number): number[] => [...GET, 0x2a, 2, offset, ...GET, 0x2a, 2, offset, 0x5c];
const OR = 0x72;
/** Instructions that test the 16-bit float at `VALUE`: `(load16_u & 0x7fff) > 0x7c00`. */
const FLOAT16 = [...GET, 0x2f, 1, VALUE, 0x41, 0xff, 0xff, 0x01, 0x71, 0x41, 0x80, 0xf8, 0x01, 0x4b];
/** Instructions that test if a time is NaT: `load64 == -2 ** 63`. */
const NOT_A_TIME = [
  ...[...GET, 0x29, 3, VALUE],
  ...[0x42, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x7f, 0x51],
];

/** Python types, each with the instructions that push 1 if a value is NaN or NaT. */
const KINDS: readonly (readonly [types: string, isNothing: readonly number[]])[] = [
  ['float, np.float64', float64(VALUE)],
  ['np.float32', float32(VALUE)],
  ['np.float16', FLOAT16],
  ['complex, np.complex128', [...float64(VALUE), ...float64(VALUE + 8), OR]],
  ['np.complex64', [...float32(VALUE), ...float32(VALUE + 4), OR]],
  ['np.datetime64, np.timedelta64', NOT_A_TIME],
];

/**
 * Replaces the hash functions of floats, complex numbers and times, so that NaN and NaT have the hash 0.
 * Other values have the same hash as before.
 *
 * @throws if the memory layout of Python's types is unexpected, or a hash still differs. Agent code must not
 *   run then
 */
export function steadyHashes(python: PyodideAPI): void {
  const { native, word, run } = nativeOf(python);
  const memory = memoryOf(native.HEAPU8.buffer);
  const names = KINDS.map(([types]) => `[id(each) for each in (${types},)]`);
  const found = run(`import numpy as np\n[${names.join(', ')}]`) as { toJs(): number[][]; destroy(): void };
  for (const [kind, types] of found.toJs().entries()) {
    const module = new WebAssembly.Module(moduleOf(KINDS[kind]![1]));
    for (const type of types) {
      const original = native.wasmTable.get(word(type + TYPE_HASH)) as CallableFunction;
      const { exports } = new WebAssembly.Instance(module, { a: { f: original, m: memory } });
      const hash = native.addFunction(exports.f as CallableFunction, 'ii');
      new DataView(native.HEAPU8.buffer).setUint32(type + TYPE_HASH, hash, true);
    }
  }
  found.destroy();
  if (run(SELF_TEST) !== true) throw new Error('NaN still has another hash in each object');
}

/** Returns a WebAssembly module with the function `(object) => isNothing ? 0 : original(object)`. */
function moduleOf(isNothing: readonly number[]): Uint8Array<ArrayBuffer> {
  const body = [0x00, ...isNothing, 0x04, 0x7f, 0x41, 0x00, 0x05, ...GET, 0x10, 0x00, 0x0b, 0x0b];
  return new Uint8Array([
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    // type 0: (i32) -> i32
    ...[0x01, 0x06, 0x01, 0x60, 0x01, 0x7f, 0x01, 0x7f],
    // import a.f, a function of type 0, and a.m, the memory
    ...[0x02, 0x0e, 0x02, 0x01, 0x61, 0x01, 0x66, 0x00, 0x00, 0x01, 0x61, 0x01, 0x6d, 0x02, 0x00, 0x01],
    // one function of type 0, exported as f
    ...[0x03, 0x02, 0x01, 0x00, 0x07, 0x05, 0x01, 0x01, 0x66, 0x00, 0x01],
    ...[0x0a, body.length + 2, 0x01, body.length, ...body],
  ]);
}

const SELF_TEST = `
import numpy as np
values = (float("nan"), np.float64("nan"), np.float32("nan"), np.float16("nan"), complex(0, float("nan")),
          np.complex128(complex(float("nan"), 0)), np.complex64(complex(0, float("nan"))), np.datetime64("NaT"),
          np.timedelta64("NaT"), -float("nan"))
known = (hash(1.5) == hash(np.float64(1.5)) == hash(np.float32(1.5)) == hash(np.float16(1.5)) == hash(complex(1.5))
         and hash(2.0) == 2 == hash(np.complex64(2)) and hash(float("inf")) == 314159 == hash(np.float16("inf"))
         and hash(np.timedelta64(7, "D")) == hash(np.timedelta64(168, "h")) != 0)
known and all(hash(value) == 0 for value in values)
`;
