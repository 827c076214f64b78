import { table } from '../report/sections.ts';
import { type Html, html, scriptJson } from '../shared/html.ts';
import { pageHead } from '../shared/page-head.ts';
import { pageShell } from '../shared/shell.ts';
import type { ResearchRow } from './research-store.ts';
import type { RunRow } from './run-store.ts';

/** What the list's page knows from the start. */
export interface ListData {
  readonly rows: readonly RunRow[];
}

/** Columns that a reader can hide; the run's own name is always there. */
const COLUMNS: readonly (readonly [key: keyof RunRow, name: string])[] = [
  ['runId', 'Run'],
  ['verdict', 'Verdict'],
  ['totalReturn', 'Return'],
  ['sharpe', 'Sharpe'],
  ['maxDrawdown', 'Worst fall'],
  ['tradeCount', 'Trades'],
  ['modelCost', 'Model cost'],
  ['state', 'State'],
  ['strategy', 'Strategy'],
  ['lastBar', 'Period'],
];

/** All runs of a folder, as the page that a server begins with. */
export function listPage(rows: readonly RunRow[], research: readonly ResearchRow[] = []): string {
  const data: ListData = { rows };
  const body = html`${pageHead({ title: 'Runs', lines: [html`<span id="count" role="status"></span>`] })}
<main>
<p class="notices" id="read-only" hidden>Opened without the token: runs can be looked at, not tagged or deleted. Open the address that <code>sandtable serve</code> printed for that.</p>
${researchSection(research)}
<section aria-label="All runs">
<div class="controls"><label class="grow">Search <input type="search" id="search" placeholder="strategy, symbol, state, tag, date"></label><label><input type="checkbox" id="grouped" checked> by strategy and data</label><details id="columns"><summary>Columns</summary><fieldset><legend class="hidden">Columns shown</legend>${[...COLUMNS.slice(1), ['tags', 'Tags'] as const].map(([key, name]) => html`<label><input type="checkbox" value="${key}" checked> ${name}</label>`)}</fieldset></details><button type="button" id="compare" disabled>Compare</button></div>
<div class="frame" tabindex="0" role="group" aria-label="Runs"><table id="runs"><caption class="hidden">Runs</caption><thead><tr><th scope="col"><span class="hidden">Chosen for comparison</span></th>${COLUMNS.map(header)}<th scope="col" data-column="tags">Tags</th><th scope="col"><span class="hidden">Delete</span></th></tr></thead><tbody></tbody></table></div>
<p id="nothing" class="note" hidden>No run matches.</p>
</section>
</main>
<dialog id="delete-dialog" aria-labelledby="delete-title"><form method="dialog"><h2 id="delete-title">Delete this run?</h2><p class="run" id="delete-name"></p><p>Its folder goes, with everything in it. This cannot be undone.</p><p class="bad" id="delete-problem" role="alert"></p><div class="controls"><button type="button" id="delete-yes" class="danger">Delete</button><button type="submit" value="no" id="delete-no">Keep it</button></div></form></dialog>
<dialog id="tags-dialog" aria-labelledby="tags-title"><form method="dialog"><h2 id="tags-title">Tags</h2><p class="run" id="tags-name"></p><label>Tags, separated by commas <input type="search" id="tags-text" maxlength="400"></label><p class="bad" id="tags-problem" role="alert"></p><div class="controls"><button type="submit" value="save" id="tags-save">Save</button><button type="button" id="tags-no">Leave as it was</button></div></form></dialog>`;
  return pageShell({
    title: 'Sandtable runs',
    body,
    data: scriptJson(data),
    script: 'list.js',
    style: 'list.css',
    served: true,
  });
}

/** Studies, sweeps and stress tests: a row each, which opens where there is more to say. */
function researchSection(rows: readonly ResearchRow[]): Html | string {
  if (rows.length === 0) return '';
  return html`<section id="research" aria-labelledby="research-title"><h2 id="research-title">Studies, sweeps and stress tests</h2>${table(
    'Studies, sweeps and stress tests',
    ['Name', 'Strategy', 'What', 'Answer'],
    rows.map((row) => [
      row.hasPage ? html`<a href="/research/${encodeURIComponent(row.name)}">${row.name}</a>` : row.name,
      row.strategy,
      html`<span class="wrap">${row.what}</span>`,
      html`<span class="wrap">${row.answer}</span>${inside(row)}`,
    ]),
  )}</section>`;
}

function inside({ name, trials }: ResearchRow): Html | string {
  if (trials === undefined || trials.rows.length === 0) return '';
  return html`<details><summary>${`Best ${trials.rows.length} trials`}</summary>${table(`Best trials of ${name}`, trials.head, trials.rows)}</details>`;
}

function header([key, name]: (typeof COLUMNS)[number]): Html {
  return html`<th scope="col" data-key="${key}" data-column="${key}" aria-sort="none"><button type="button">${name}</button></th>`;
}
