import { inflated } from '../../report/client/data.ts';
import { unpacked } from '../../report/model/pack.ts';

/** Decompresses and parses a data element of the page. Undefined if the element does not exist. */
export async function unpackedBlob(id: string): Promise<unknown> {
  const text = await blobText(id);
  return text === undefined ? undefined : unpacked(JSON.parse(text));
}

/** Decompresses a data element of the page to its JSON text. */
export async function blobText(id: string): Promise<string | undefined> {
  let element = document.getElementById(id);
  // Data elements after the script exist only when the browser has parsed the whole page.
  if (element === null && document.readyState === 'loading') {
    await new Promise((done) => document.addEventListener('DOMContentLoaded', done, { once: true }));
    element = document.getElementById(id);
  }
  return element === null ? undefined : inflated(element.textContent ?? '');
}
