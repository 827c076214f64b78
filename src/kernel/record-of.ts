/** Returns an object with a value for each key, in the order of `keys`. */
export function recordOf<Key extends string, Value>(
  keys: readonly Key[],
  make: (key: Key) => Value,
): Record<Key, Value> {
  // The type of `Object.fromEntries` loses the keys.
  return Object.fromEntries(keys.map((key) => [key, make(key)])) as Record<Key, Value>;
}
