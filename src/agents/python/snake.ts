import type { Json } from '../../engine/index.ts';

/** Converts a field name to Python's style, for example `limitPrice` to `limit_price`. */
function snakeOf(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Converts a field name from Python's style. Other names, for example symbols, are unchanged. */
function camelOf(name: string): string {
  return /^[a-z]+(_[a-z0-9]+)+$/.test(name)
    ? name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
    : name;
}

/** Converts all field names of a value from Python's style, and marked floats to numbers. */
export function fromPython(value: Json): Json {
  if (Array.isArray(value)) return value.map(fromPython);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value);
  if (fields.length === 1 && fields[0]![0] === 'float') return fields[0]![1]!;
  return Object.fromEntries(fields.map(([name, item]) => [camelOf(name), fromPython(item)]));
}

const NUMBER = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i;
/** Fields whose texts are never numbers. */
const TEXTS = new Set(
  `type symbol side action role reason code message remedy exitReason entryReason group orderType timeInForce currency
  kind from to goodTill limit text`.split(/\s+/),
);

/** Converts an event or order of the journal for Python: names in its style, and exact texts as numbers. */
export function toPython(value: unknown, name = ''): Json {
  if (typeof value === 'string') return NUMBER.test(value) && !TEXTS.has(name) ? Number(value) : value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value === 'boolean' || value === null || value === undefined) return value ?? null;
  if (Array.isArray(value)) return value.map((each) => toPython(each, name));
  if (hasNumber(value)) return value.toNumber();
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, item]) => item !== undefined)
      .map(([key, item]) => [snakeOf(key), toPython(item, key)]),
  );
}

/** True for exact numbers. */
function hasNumber(value: object): value is { toNumber(): number } {
  return 'toNumber' in value && typeof value.toNumber === 'function';
}
