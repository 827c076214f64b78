/**
 * Time that the clock of a sealed strategy shows: the time of the current bar, in milliseconds since 1970. A
 * sealed strategy runs in an isolated process.
 */
let instant = 0;

/** Sets the clock to the bar's time, in milliseconds since 1970. */
export function standAtBar(time: number): void {
  instant = time;
}

/**
 * Globals that a sealed strategy has. All other globals are deleted, including those of later Node versions.
 * For example, `Temporal` is deleted because it reads the clock, and `Atomics` because it can measure time.
 * `WeakRef` and `FinalizationRegistry` would show when memory is collected.
 */
const GLOBALS = new Set(
  `Object Function Array Number parseFloat parseInt Infinity NaN undefined Boolean String Symbol Date Promise RegExp
  Error AggregateError EvalError RangeError ReferenceError SyntaxError TypeError URIError SuppressedError globalThis
  JSON Math Intl ArrayBuffer Uint8Array Int8Array Uint16Array Int16Array Uint32Array Int32Array Float16Array
  Float32Array Float64Array Uint8ClampedArray BigUint64Array BigInt64Array DataView Map BigInt Set WeakMap WeakSet
  Proxy Reflect Iterator DisposableStack AsyncDisposableStack decodeURI decodeURIComponent encodeURI
  encodeURIComponent escape unescape eval isFinite isNaN`.split(/\s+/),
);

/**
 * Replaces the clock by the bar's time and random numbers by a fixed sequence. Deletes all globals that are
 * not in `GLOBALS`. Must be called before the strategy's code runs.
 */
export function standStill(): void {
  const Real = Date;
  // Saved here, because a strategy could replace `Reflect.construct` to get the real clock.
  const { construct } = Reflect;
  const Standing = function (this: unknown, ...parts: unknown[]) {
    if (new.target === undefined) return (construct(Real, [instant]) as Date).toString();
    return construct(Real, parts.length === 0 ? [instant] : parts, new.target);
  };
  Standing.prototype = Real.prototype;
  Object.assign(Standing, { UTC: Real.UTC, parse: Real.parse, now: () => instant });
  Object.defineProperty(Real.prototype, 'constructor', { value: Standing });
  Object.defineProperty(globalThis, 'Date', { value: Standing, configurable: false, writable: false });
  // Random numbers from the generator Mulberry32, the same in every run.
  let state = 0x9e3779b9;
  const { imul } = Math;
  Math.random = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x100000000;
  };
  // `DateTimeFormat` reads the real clock when it is called without a date.
  Reflect.deleteProperty(Intl, 'DateTimeFormat');
  for (const name of Reflect.ownKeys(globalThis))
    if (!GLOBALS.has(String(name))) Reflect.deleteProperty(globalThis, name);
}
