import type { Alarm } from '../../analysis/index.ts';
import { VERDICT_WORDS, type Verdict } from '../../analysis/index.ts';
import { type Html, html } from '../shared/html.ts';

/** What heads a page: the verdict, why, and what is so weighty that it stands before every figure. */
export function judgement({ state, because }: Verdict, alarms: readonly Alarm[]): Html {
  const list =
    alarms.length === 0
      ? ''
      : html`<ul class="alarms">${alarms.map(({ text }) => html`<li>${text}</li>`)}</ul>`;
  return html`<div class="judgement" id="verdict" role="note" aria-label="Verdict" data-state="${state}"><strong>${VERDICT_WORDS[state]}</strong>${because.map((line) => html`<p>${line}</p>`)}${list}</div>`;
}
