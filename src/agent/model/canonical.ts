import { createHash } from 'node:crypto';
import type { Json } from '../../engine/index.ts';

/** JSON with keys in alphabetical order at every level: the same value gives the same text. */
export function canonicalJson(value: Json): string {
  if (Array.isArray(value)) return `[${value.map((item: Json) => canonicalJson(item)).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const fields = Object.entries(value)
      .filter(([, field]) => field !== undefined)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, field]) => `${JSON.stringify(key)}:${canonicalJson(field as Json)}`);
    return `{${fields.join(',')}}`;
  }
  return JSON.stringify(value);
}

/** SHA-256 of a request's body as it goes to the server, in hex; headers, keys and addresses are no part of it. */
export function requestHash(body: Json): string {
  return createHash('sha256').update(canonicalJson(body)).digest('hex');
}
