import { deflateRawSync } from 'node:zlib';
import { packed } from '../report/model/pack.ts';
import { Html } from '../shared/html.ts';
import type { LeanView, StepView } from './step.ts';
import type { ToolTimes } from './step-view.ts';
import type { TraceIndex } from './trace-index.ts';
import { allViews } from './trace-reader.ts';

/** Compression level. Higher levels take twice the time and save one percent. */
const LEVEL = 5;
/** Characters of JSON per part. The page decompresses one part to show a bar. */
const PART_CHARACTERS = 512 * 1024;

/**
 * Embeds data that the page's script decompresses on demand. The data is deflated and base64 encoded, so that
 * it cannot contain markup.
 */
export function blob(id: string, value: unknown): Html {
  return blobOf(id, deflated(JSON.stringify(packed(value))));
}

function blobOf(id: string, base64: string): Html {
  return new Html(`<script type="application/octet-stream" id="${id}">${base64}</script>`);
}

function deflated(text: string): string {
  return deflateRawSync(text, { level: LEVEL }).toString('base64');
}

/** Views of all bars, split into parts. */
export interface ViewParts {
  /** First bar of each part. */
  readonly parts: readonly number[];
  readonly blobs: readonly Html[];
}

/**
 * Returns the views of all bars in parts, so that a page decompresses only the part it needs.
 *
 * @param full called with the total number of characters so far
 */
export async function viewParts(
  index: TraceIndex,
  times: ToolTimes,
  full: (characters: number) => void,
): Promise<ViewParts> {
  const parts: number[] = [];
  const blobs: Html[] = [];
  let [texts, characters, total]: [string[], number, number] = [[], 0, 0];
  let first = 0;
  const close = (): void => {
    if (texts.length === 0) return;
    const content = deflated(`[${texts.join(',')}]`);
    total += content.length;
    full(total);
    parts.push(first);
    blobs.push(blobOf(`part-${blobs.length}`, content));
    [texts, characters] = [[], 0];
  };
  for await (const view of allViews(index, times)) {
    const text = JSON.stringify(lean(view));
    if (texts.length === 0) first = view.bar;
    texts.push(text);
    characters += text.length;
    if (characters >= PART_CHARACTERS) close();
  }
  close();
  return { parts, blobs };
}

function lean(view: StepView): LeanView {
  return { ...view, prices: view.prices.map(({ values }) => values) };
}
