import { deflateRawSync } from 'node:zlib';
import { type Html, scriptJson } from '../shared/html.ts';
import { packed } from './model/pack.ts';
import type { PageData } from './model/page-data.ts';

/** Compression level. Higher levels take twice the time and save one percent. */
const LEVEL = 5;

/** Returns the data of a page in compressed form: packed, deflated, in base64. */
export function packedData(data: PageData): Html {
  return scriptJson(deflateRawSync(JSON.stringify(packed(data)), { level: LEVEL }).toString('base64'));
}
