import { deflateRawSync } from 'node:zlib';
import { type Html, scriptJson } from '../shared/html.ts';
import { packed } from './model/pack.ts';
import type { PageData } from './model/page-data.ts';

/** Higher ones take twice the time for a hundredth of the size. */
const LEVEL = 5;

/** A page's data as its script unpacks them: columns, deflated, in base64. */
export function packedData(data: PageData): Html {
  return scriptJson(deflateRawSync(JSON.stringify(packed(data)), { level: LEVEL }).toString('base64'));
}
