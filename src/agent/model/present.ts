/**
 * Returns true if a server gave a field a value. `null`, an empty text and an empty list count as missing.
 */
export function isPresent<Value>(value: Value): value is NonNullable<Value> {
  return (
    value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0)
  );
}
