import type { UTCTimestamp } from 'lightweight-charts';
import { unpacked } from '../model/pack.ts';
import type { PageData } from '../model/page-data.ts';

/** Returns the data embedded in the page. */
export async function pageData(): Promise<PageData> {
  const text = JSON.parse(document.getElementById('data')?.textContent ?? '""') as string;
  return unpacked(JSON.parse(await inflated(text))) as PageData;
}

/** Decompresses a text that was deflated and encoded in base64. */
export async function inflated(base64: string): Promise<string> {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return new Response(stream).text();
}

export function time(seconds: number): UTCTimestamp {
  return seconds as UTCTimestamp;
}

interface Point {
  readonly time: UTCTimestamp;
  readonly value: number;
}

/** Returns the points of a line. A time without a value is a gap. */
export function line(
  times: readonly number[],
  values: readonly (number | null)[],
): (Point | { readonly time: UTCTimestamp })[] {
  return times.map((seconds, index) => {
    const value = values[index];
    return value === null || value === undefined ? { time: time(seconds) } : { time: time(seconds), value };
  });
}
