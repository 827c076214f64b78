import { type Content, type Html, html } from '../../shared/html.ts';
import { tone } from '../../shared/number-formats.ts';

/** Returns a table in a frame that scrolls horizontally on narrow screens. */
export function table(caption: string, head: readonly string[], rows: readonly (readonly Content[])[]): Html {
  const cells = (row: readonly Content[]): Html[] =>
    row.map((cell, index) => (index === 0 ? html`<th scope="row">${cell}</th>` : html`<td>${cell}</td>`));
  return html`<div class="frame" tabindex="0" role="group" aria-label="${caption}"><table><caption class="hidden">${caption}</caption><thead><tr>${head.map(
    (name) => html`<th scope="col">${name}</th>`,
  )}</tr></thead><tbody>${rows.map((row) => html`<tr>${cells(row)}</tr>`)}</tbody></table></div>`;
}

export function toned(text: string, value: number | string | null): Html {
  return html`<span class="${tone(value)}">${text}</span>`;
}
