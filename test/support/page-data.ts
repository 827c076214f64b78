import { inflateRawSync } from 'node:zlib';
import { unpacked } from '../../src/pages/report/model/pack.ts';
import type { PageData } from '../../src/pages/report/model/page-data.ts';

/** Returns the data that a report page contains for its script. Reads them in the same way as the script. */
export function pageDataIn(page: string): PageData {
  const text = /<script type="application\/json" id="data">"(.*?)"<\/script>/.exec(page)?.[1] ?? '';
  return unpacked(JSON.parse(inflateRawSync(Buffer.from(text, 'base64')).toString())) as PageData;
}
