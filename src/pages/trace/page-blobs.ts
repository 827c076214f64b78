import { deflateRawSync } from 'node:zlib';
import { packed } from '../report/model/pack.ts';
import { Html } from '../shared/html.ts';
import type { LeanView, StepView } from './step.ts';
import type { ToolTimes } from './step-view.ts';
import type { TraceIndex } from './trace-index.ts';
import { allViews } from './trace-reader.ts';

/** Higher ones take twice the time for a hundredth of the size. */
const LEVEL = 5;
/** Characters of JSON in one part: what is unpacked to see one bar. */
const PART_CHARACTERS = 512 * 1024;

/** Data that the page's script unpacks when they are asked for: deflated, in base64, which no script is. */
export function blob(id: string, value: unknown): Html {
  return blobOf(id, deflated(JSON.stringify(packed(value))));
}

function blobOf(id: string, base64: string): Html {
  return new Html(`<script type="application/octet-stream" id="${id}">${base64}</script>`);
}

function deflated(text: string): string {
  return deflateRawSync(text, { level: LEVEL }).toString('base64');
}

/** What is known of each bar, in parts. */
export interface ViewParts {
  /** The first bar of each. */
  readonly parts: readonly number[];
  readonly blobs: readonly Html[];
}

/**
 * Everything about every bar, in parts of which a page unpacks the one it needs.
 *
 * @param full called with how many characters the parts have so far
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
