import { Decimal, decimal, decimalString, Exact } from '../../kernel/index.ts';

/** Maximum number of characters that a sealed strategy (one in an isolated process) may print in a run. */
export const MOST_PRINTED = 1_000_000;

/**
 * Encodes a value as JSON, for messages between the engine and a sealed strategy. Also supports values that
 * JSON lacks: exact numbers, infinite numbers, NaN and undefined.
 */
export function pack(value: unknown): unknown {
  if (typeof value === 'number') return Number.isFinite(value) ? value : { $n: String(value) };
  if (value === undefined) return { $u: 1 };
  if (typeof value === 'function' || typeof value === 'symbol')
    throw new TypeError(`a ${typeof value} cannot be sent`);
  if (typeof value === 'bigint') return { $n: String(value) };
  if (typeof value !== 'object' || value === null) return value;
  if (Decimal.isDecimal(value)) return { $d: decimalString(value as Decimal) };
  if (value instanceof Exact) return { $e: value.toString() };
  if (Array.isArray(value)) return value.map(pack);
  // Objects with accessors, such as the result of placing an order, return their values from `toJSON`.
  if ('toJSON' in value && typeof value.toJSON === 'function') return pack(value.toJSON());
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, pack(entry)]));
}

/** Encodes each of several named values. */
export function packFields(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, pack(value)]));
}

/** Decodes each of several named values that `packFields` has encoded. */
export function unpackFields(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, unpack(value)]));
}

/**
 * Decodes a value that `pack` has encoded.
 *
 * @param value JSON value from the other process, which is not trusted
 */
export function unpack(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(unpack);
  const entries = Object.entries(value);
  const [first] = entries;
  if (entries.length === 1 && first !== undefined) {
    const [mark, inner] = first;
    if (mark === '$u') return undefined;
    if (typeof inner === 'string') {
      if (mark === '$n') return Number(inner);
      if (mark === '$d') return decimal(inner);
      if (mark === '$e') return Exact.of(decimal(inner));
    }
  }
  // `fromEntries` defines a key `__proto__` as a normal field. An assignment would change the prototype.
  return Object.fromEntries(entries.map(([key, entry]) => [key, unpack(entry)]));
}
