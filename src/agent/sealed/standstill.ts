/** What a strategy could read time or chance from stands still in a sealed one: the bar's clock, seeded numbers. */
let instant = 0;

/** Sets the clock to the bar's time, in milliseconds since 1970. */
export function standAtBar(time: number): void {
  instant = time;
}

/** Replaces clock and random numbers; called before the strategy's own code. */
export function standStill(): void {
  const Real = Date;
  const Standing = function (this: unknown, ...parts: unknown[]) {
    if (new.target === undefined) return new Real(instant).toString();
    return Reflect.construct(Real, parts.length === 0 ? [instant] : parts, new.target);
  };
  Standing.prototype = Real.prototype;
  Object.assign(Standing, { UTC: Real.UTC, parse: Real.parse, now: () => instant });
  Object.defineProperty(Real.prototype, 'constructor', { value: Standing });
  Object.defineProperty(globalThis, 'Date', { value: Standing, configurable: false, writable: false });
  // Mulberry32: the same numbers in every run.
  let state = 0x9e3779b9;
  Math.random = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x100000000;
  };
  // It reads the real clock where it is given no date, and waiting on shared memory measures time.
  Reflect.deleteProperty(Intl, 'DateTimeFormat');
  for (const name of ['SharedArrayBuffer', 'Atomics', 'WebAssembly', 'WeakRef', 'FinalizationRegistry'])
    Reflect.deleteProperty(globalThis, name);
}
