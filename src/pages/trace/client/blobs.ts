import { inflated } from '../../report/client/data.ts';
import { unpacked } from '../../report/model/pack.ts';

/** A part of the page's data, unpacked; undefined where the page has no such part. */
export async function unpackedBlob(id: string): Promise<unknown> {
  const text = await blobText(id);
  return text === undefined ? undefined : unpacked(JSON.parse(text));
}

/** The same as the text it was packed from. */
export async function blobText(id: string): Promise<string | undefined> {
  let element = document.getElementById(id);
  // Data behind the script are there once the browser has read the page to its end.
  if (element === null && document.readyState === 'loading') {
    await new Promise((done) => document.addEventListener('DOMContentLoaded', done, { once: true }));
    element = document.getElementById(id);
  }
  return element === null ? undefined : inflated(element.textContent ?? '');
}
