/** An object with a value for each of some keys, in their order. */
export function recordOf<Key extends string, Value>(
  keys: readonly Key[],
  make: (key: Key) => Value,
): Record<Key, Value> {
  // `Object.fromEntries` forgets which keys there are.
  return Object.fromEntries(keys.map((key) => [key, make(key)])) as Record<Key, Value>;
}
