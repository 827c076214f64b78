import { type Content, type Html, html } from './html.ts';

/** Link to another page about the same subject. */
export interface PageLink {
  readonly text: string;
  readonly href: string;
}

export interface PageHead {
  readonly title: string;
  readonly lines: readonly Content[];
  /** Id of the run. */
  readonly run?: string;
  /** Links to other pages of the server. Empty for a page that is opened as a file. */
  readonly links?: readonly PageLink[];
}

/**
 * Returns the head of a page: links, title, description lines, the run's id and the button for light or dark
 * mode.
 */
export function pageHead({ title, lines, run, links = [] }: PageHead): Html {
  const ways = links.map(({ text, href }) => html`<a href="${href}">${text}</a>`);
  return html`<header class="top"><div>${links.length === 0 ? '' : html`<nav aria-label="Pages">${ways}</nav>`}<h1>${title}</h1>${lines.map((line) => html`<p>${line}</p>`)}${run === undefined ? '' : html`<p class="run">${run}</p>`}</div><button type="button" id="theme" aria-label="Change between light and dark">◐</button></header>`;
}
