import { createHash } from 'node:crypto';
import { isJsonObject, type Json } from '../../engine/index.ts';

/** Texts of what goes into many requests unchanged: the definitions of the tools. */
const known = new WeakMap<object, string>();

/** Remembers the canonical text of a value that never changes. */
export function rememberCanonical(value: Json): void {
  if (typeof value === 'object' && value !== null) known.set(value, canonicalJson(value));
}

/** JSON with keys in alphabetical order at every level: the same value gives the same text. */
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

/** SHA-256 of a request's canonical body, in hex; headers, keys and addresses are no part of it. */
export function requestHash(canonical: string): string {
  return createHash('sha256').update(canonical).digest('hex');
}
