/** True if a value of a file or a reply is an object: not a list and not null. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns a field as text. Values other than strings become JSON. Empty if the field is missing or null. */
export function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/** Returns a field as a number. `undefined` if the field is not a finite number. */
export function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** Returns an object with a value for each key, in the order of `keys`. */
export function recordOf<Key extends string, Value>(
  keys: readonly Key[],
  make: (key: Key) => Value,
): Record<Key, Value> {
  // The type of `Object.fromEntries` loses the keys.
  return Object.fromEntries(keys.map((key) => [key, make(key)])) as Record<Key, Value>;
}
