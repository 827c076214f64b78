import { createHash } from 'node:crypto';
import { isJsonObject, type Json } from '../../engine/index.ts';

/** Canonical texts of values that occur unchanged in many requests, such as tool definitions. */
const known = new WeakMap<object, string>();

/** Stores the canonical text of a value that never changes. */
export function rememberCanonical(value: Json): void {
  if (typeof value === 'object' && value !== null) known.set(value, canonicalJson(value));
}

/** Returns JSON with keys in alphabetical order at every level. Equal values give equal texts. */
export function canonicalJson(value: Json): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const remembered = known.get(value);
  if (remembered !== undefined) return remembered;
  if (!isJsonObject(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const fields: string[] = [];
  for (const key of Object.keys(value).sort()) {
    const field = value[key];
    if (field !== undefined) fields.push(`${JSON.stringify(key)}:${canonicalJson(field)}`);
  }
  return `{${fields.join(',')}}`;
}

/**
 * Returns the SHA-256 of a request's canonical body, in hex. Headers, keys and addresses are not included.
 */
export function requestHash(canonical: string): string {
  return createHash('sha256').update(canonical).digest('hex');
}
