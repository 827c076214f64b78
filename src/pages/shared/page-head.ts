import { type Content, type Html, html } from './html.ts';

/** A link to another page about the same thing. */
export interface PageLink {
  readonly text: string;
  readonly href: string;
}

export interface PageHead {
  readonly title: string;
  readonly lines: readonly Content[];
  /** The run's id. */
  readonly run?: string;
  /** To pages that a server has; none in a page that stands alone. */
  readonly links?: readonly PageLink[];
}

/** What every page begins with: where it belongs, its title, and the change between light and dark. */
export function pageHead({ title, lines, run, links = [] }: PageHead): Html {
  const ways = links.map(({ text, href }) => html`<a href="${href}">${text}</a>`);
  return html`<header class="top"><div>${links.length === 0 ? '' : html`<nav aria-label="Pages">${ways}</nav>`}<h1>${title}</h1>${lines.map((line) => html`<p>${line}</p>`)}${run === undefined ? '' : html`<p class="run">${run}</p>`}</div><button type="button" id="theme" aria-label="Change between light and dark">◐</button></header>`;
}
