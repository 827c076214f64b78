import type { Json } from '../engine/index.ts';

/** Largest nesting depth of a value. Deeper parts are cut. */
const DEPTH = 64;
/**
 * Largest number of values visited when a value is converted to plain JSON. Limits graphs with shared parts.
 */
const NODES = 200_000;
/** Largest number of JSON bytes per UTF-16 unit: a \u escape. */
const ESCAPE = 6;

/**
 * Returns an upper bound of the JSON size of a value in bytes, without creating the JSON.
 *
 * @param enough limit of the count. A size above the limit is returned as Infinity
 * @returns NaN if the value is not plain JSON: a cycle, BigInt, undefined, NaN, −0 or an instance of a class
 */
function jsonBound(value: unknown, enough: number, depth = 0): number {
  switch (typeof value) {
    case 'string':
      return value.length * ESCAPE + 2;
    case 'number':
      // A number has at most 25 characters in JSON. −0 is not plain, because JSON would convert it to 0.
      return Number.isFinite(value) && !Object.is(value, -0) ? 25 : Number.NaN;
    case 'boolean':
      return 5;
    case 'object':
      break;
    default:
      return Number.NaN;
  }
  if (value === null) return 4;
  if (depth > DEPTH) return Number.NaN;
  let bound = 2;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      bound += jsonBound(value[index], enough, depth + 1) + 1;
      if (bound > enough) return Number.POSITIVE_INFINITY;
    }
    return bound;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if ((prototype !== Object.prototype && prototype !== null) || 'toJSON' in value) return Number.NaN;
  for (const key of Object.keys(value)) {
    bound += key.length * ESCAPE + 4 + jsonBound(Reflect.get(value, key), enough, depth + 1);
    if (bound > enough) return Number.POSITIVE_INFINITY;
  }
  return bound;
}

/**
 * Returns the JSON size of a plain value in bytes.
 *
 * @param limit if given, only the comparison with the limit is exact: a result below the limit may be an upper
 *   bound, and a result far above it may be Infinity
 */
export function jsonBytes(value: Json, limit?: number): number {
  if (limit === undefined) return Buffer.byteLength(JSON.stringify(value));
  const bound = jsonBound(value, limit * 32);
  return bound <= limit || bound === Number.POSITIVE_INFINITY
    ? bound
    : Buffer.byteLength(JSON.stringify(value));
}

/**
 * Converts any value to plain JSON. Values that JSON cannot represent are omitted from objects, null in
 * lists, or replaced by a word in brackets.
 */
function madePlain(value: unknown): Json {
  let nodes = 0;
  const plain = (one: unknown, ancestors: readonly unknown[]): Json | undefined => {
    nodes += 1;
    if (nodes > NODES) return '[cut]';
    switch (typeof one) {
      case 'string':
      case 'boolean':
        return one;
      case 'number':
        return Number.isFinite(one) ? one + 0 : null;
      case 'bigint':
        return String(one);
      case 'object':
        break;
      default:
        return undefined;
    }
    if (one === null) return null;
    if (ancestors.includes(one)) return '[circular]';
    if (ancestors.length >= DEPTH) return '[too deep]';
    const within = [...ancestors, one];
    try {
      if (Array.isArray(one)) return Array.from(one, (item: unknown) => plain(item, within) ?? null);
      if (isTypedArray(one)) return Array.from<unknown, Json>(one, (item) => plain(item, within) ?? null);
      if ('toJSON' in one && typeof one.toJSON === 'function')
        return plain((one.toJSON as () => unknown)(), within) ?? null;
      const entries: [string, Json][] = [];
      for (const key of Object.keys(one)) {
        const item = plain(Reflect.get(one, key), within);
        if (item !== undefined) entries.push([key, item]);
      }
      return Object.fromEntries(entries);
    } catch {
      // A getter or a proxy threw an error.
      return '[unreadable]';
    }
  };
  return plain(value, []) ?? null;
}

function isTypedArray(value: object): value is NodeJS.TypedArray {
  return ArrayBuffer.isView(value) && !(value instanceof DataView);
}

/** Size limit in bytes for checking if a value is plain JSON. */
const FAR = 64 * 1024 * 1024;

/** Converts a value to plain JSON. Returns the same value if it is already plain. */
export function plainJson(value: unknown): Json {
  try {
    return Number.isFinite(jsonBound(value, FAR)) ? (value as Json) : madePlain(value);
  } catch {
    return madePlain(value);
  }
}
