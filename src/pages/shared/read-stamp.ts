import { type Html, html } from './html.ts';

/**
 * Returns the stamp of a page with values from a results folder: the time at which the folder was read, to the
 * minute, in UTC. Values such as the number of trials change with later runs.
 */
export function readStamp(readAt: Date): Html {
  return html`<span class="stamp">Results folder read on ${minuteText(readAt)}.</span>`;
}

function minuteText(time: Date): string {
  return `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
