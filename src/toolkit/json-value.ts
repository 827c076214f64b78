import type { Json } from '../engine/index.ts';

/** Maximum nesting depth of a value. Deeper parts are replaced by `[too deep]`. */
const DEPTH = 64;
/**
 * Maximum number of values that are visited during a conversion. The limit is needed for objects that contain
 * the same object many times.
 */
const NODES = 200_000;
/** Maximum number of JSON bytes per UTF-16 unit. The longest form is an escape such as `\u001f`. */
const ESCAPE = 6;

/**
 * Returns an upper bound of the JSON size of a value in bytes, without creating the JSON.
 *
 * @param enough size at which counting stops. A larger size is returned as Infinity
 * @returns NaN if the value is not plain JSON: a cycle, BigInt, undefined, NaN, −0 or an instance of a class
 */
function jsonBound(value: unknown, enough: number, depth = 0): number {
  switch (typeof value) {
    case 'string':
      return value.length * ESCAPE + 2;
    case 'number':
      // A number has at most 25 characters in JSON. −0 is not plain JSON, because JSON would convert it to 0.
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
 * @param limit if given, the result may be inexact, but exceeds the limit exactly if the true size does.
 *   Below the limit, the result may be an upper bound. Far above the limit, the result may be Infinity
 */
export function jsonBytes(value: Json, limit?: number): number {
  if (limit === undefined) return Buffer.byteLength(JSON.stringify(value));
  const bound = jsonBound(value, limit * 32);
  return bound <= limit || bound === Number.POSITIVE_INFINITY
    ? bound
    : Buffer.byteLength(JSON.stringify(value));
}

/**
 * Converts any value to plain JSON. A value that JSON cannot represent is omitted from an object, replaced by
 * `null` in a list, or replaced by a word in brackets.
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

/**
 * Maximum size in bytes up to which a value is checked for being plain JSON. A larger value is always
 * converted.
 */
const FAR = 64 * 1024 * 1024;

/** Converts a value to plain JSON. Returns the same value if it is already plain. */
export function plainJson(value: unknown): Json {
  try {
    return Number.isFinite(jsonBound(value, FAR)) ? (value as Json) : madePlain(value);
  } catch {
    return madePlain(value);
  }
}
