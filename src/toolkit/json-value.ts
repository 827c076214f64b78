import type { Json } from '../engine/index.ts';

/** Levels a value may nest; deeper ones are cut. */
const DEPTH = 64;
/** Values looked at when something odd is made plain: a graph that shares its parts can unfold without end. */
const NODES = 200_000;
/** Most bytes of JSON that one UTF-16 unit can take: a \u escape. */
const ESCAPE = 6;

/**
 * A bound that the JSON of a value does not exceed, in bytes, found without making the JSON.
 *
 * @param enough where counting may stop: a larger value gives Infinity
 * @returns NaN for what is no plain JSON: a cycle, a BigInt, undefined, NaN, an instance of a class
 */
function jsonBound(value: unknown, enough: number, depth = 0): number {
  switch (typeof value) {
    case 'string':
      return value.length * ESCAPE + 2;
    case 'number':
      // −0 would come back from JSON as another number.
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
 * Bytes of a plain value's JSON.
 *
 * @param limit where given, a bound that is within it will do, and far more than it is Infinity
 */
export function jsonBytes(value: Json, limit?: number): number {
  if (limit === undefined) return Buffer.byteLength(JSON.stringify(value));
  const bound = jsonBound(value, limit * 32);
  return bound <= limit || bound === Number.POSITIVE_INFINITY
    ? bound
    : Buffer.byteLength(JSON.stringify(value));
}

/** Any value as plain JSON: what JSON does not know is left out of objects, null in lists, or a word in brackets. */
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
      // A getter or a proxy that throws.
      return '[unreadable]';
    }
  };
  return plain(value, []) ?? null;
}

function isTypedArray(value: object): value is NodeJS.TypedArray {
  return ArrayBuffer.isView(value) && !(value instanceof DataView);
}

/** Bytes of JSON beyond which nobody needs to know whether a value is plain. */
const FAR = 64 * 1024 * 1024;

/** A value as plain JSON: itself where it is that already. */
export function plainJson(value: unknown): Json {
  try {
    return Number.isFinite(jsonBound(value, FAR)) ? (value as Json) : madePlain(value);
  } catch {
    return madePlain(value);
  }
}
