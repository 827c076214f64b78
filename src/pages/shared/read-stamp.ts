import { minuteText } from '../../kernel/instants.ts';
import { type Html, html } from './html.ts';

/**
 * Returns the stamp of a page with values from a results folder: the UTC time, to the minute, at which the
 * folder was read. The stamp is needed because values such as the number of trials change with later runs.
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
