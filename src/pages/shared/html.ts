import { minuteText } from '../../kernel/instants.ts';

/** Text that is already HTML. Other texts are escaped when they are inserted into a page. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type Content = Html | string | number | null | undefined | readonly Content[];

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ESCAPES[character]!);
}

/**
 * Template tag that builds HTML. Escapes values that are not `Html`, joins arrays and omits `null` and
 * `undefined`.
 */
export function html(parts: TemplateStringsArray, ...values: Content[]): Html {
  let text = parts[0]!;
  for (const [index, value] of values.entries()) text += contentText(value) + parts[index + 1]!;
  return new Html(text);
}

function contentText(content: Content): string {
  if (content === null || content === undefined) return '';
  if (content instanceof Html) return content.text;
  if (typeof content === 'string') return escapeHtml(content);
  if (typeof content === 'number') return String(content);
  return content.map(contentText).join('');
}

/**
 * Returns JSON that is safe inside a script element. Escapes `<`, which could close the element early, and
 * the line separators U+2028 and U+2029.
 */
export function scriptJson(value: unknown): Html {
  const text = JSON.stringify(value)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');
  return new Html(text);
}

/**
 * Returns the stamp of a page: the UTC time, to the minute, at which the results folder was read. The stamp
 * is needed because later runs change values such as the number of trials.
 */
export function readStamp(readAt: Date): Html {
  return html`<span class="stamp">${readStampText(readAt.getTime())}</span>`;
}

/**
 * Returns the text of the stamp. Scripts of pages use it when they update the page.
 *
 * @param readAt milliseconds since 1970
 */
export function readStampText(readAt: number): string {
  return `Results folder read on ${minuteText(readAt)} UTC.`;
}
