import { minuteText } from '../../kernel/instants.ts';
import { type Html, html } from './html.ts';

/**
 * Returns the stamp of a page with values from a results folder: the time at which the folder was read, to the
 * minute, in UTC. Values such as the number of trials change with later runs.
 */
export function readStamp(readAt: Date): Html {
  return html`<span class="stamp">${readStampText(readAt.getTime())}</span>`;
}

/** Returns the text of the stamp. Scripts of pages use it for later reads. */
export function readStampText(readAt: number): string {
  return `Results folder read on ${minuteText(readAt)} UTC.`;
}
