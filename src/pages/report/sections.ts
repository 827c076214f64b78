import { type Content, type Html, html } from '../shared/html.ts';

export { table, toned } from './model/attribution.ts';

/** Returns a section of the page with a title. Links refer to the section by `id`. */
export function section(id: string, title: string, ...content: Content[]): Html {
  return html`<section id="${id}" aria-labelledby="${id}-title"><h2 id="${id}-title">${title}</h2>${content}</section>`;
}
