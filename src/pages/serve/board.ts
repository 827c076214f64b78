import { randomBytes } from 'node:crypto';
import { type Html, html, readStamp, scriptJson } from '../shared/html.ts';
import { pageHead, pageShell } from '../shared/shell.ts';
import { ResearchStore } from './research-store.ts';
import type { LiveEvent } from './routes.ts';
import type { ResearchRow, RunRow } from './run-row.ts';
import type { RunStore } from './run-store.ts';

/** Rows of the list page, or the rows that have changed. */
export interface BoardData {
  /** Revision of this data. A page sends it to the server to request only later changes. */
  readonly since: string;
  /** True if `rows` and `research` contain all rows, false if they contain only changed rows. */
  readonly isWhole: boolean;
  readonly rows: readonly RunRow[];
  readonly research: readonly ResearchRow[];
  /** Time at which the folder was read, in milliseconds since 1970. */
  readonly readAt: number;
  /** Names of runs and research folders that were removed. */
  readonly gone: readonly string[];
  /** Names of folders that are neither runs nor research results. */
  readonly skipped: readonly string[];
  /** True if the server can start runs. */
  readonly mayStart: boolean;
  /** True if the server rejects every change. */
  readonly readOnly: boolean;
}

type Rights = Pick<BoardData, 'mayStart' | 'readOnly'>;

/**
 * Milliseconds for which rows are reused after the results folder was read. Several open pages then do not
 * each read the folder.
 */
const SHARED = 400;

/** Current rows of a results folder, with the revision in which each row changed last. */
export class Board {
  readonly #store: RunStore;
  readonly #research: ResearchStore;
  /** Random id of this start of the server. Revisions from an earlier start are invalid. */
  readonly #epoch = randomBytes(6).toString('hex');
  readonly #seen = new Map<string, { readonly row: RunRow | ResearchRow; readonly revision: number }>();
  readonly #gone = new Map<string, number>();
  #revision = 0;
  #lookedAt = Number.NEGATIVE_INFINITY;
  readonly #rights: Rights;
  #now: Omit<BoardData, 'since' | 'isWhole' | 'gone' | keyof Rights> = {
    readAt: 0,
    rows: [],
    research: [],
    skipped: [],
  };

  constructor(store: RunStore, rights: Rights = { mayStart: false, readOnly: false }) {
    this.#store = store;
    this.#rights = rights;
    this.#research = new ResearchStore(store.root);
  }

  /** Returns all current rows. */
  all(): BoardData {
    this.#look();
    return { ...this.#now, ...this.#rights, since: this.#sinceNow(), isWhole: true, gone: [] };
  }

  /**
   * Returns a function that checks for changes. Each call of this function returns an event with the rows
   * that have changed since its previous call. If no row has changed, returns no event.
   *
   * @param since revision that the page shows; `null` to start with all rows
   */
  follow(since: string | null): () => Promise<{ events: LiveEvent[]; last: boolean }> {
    const [epoch, given] = (since ?? '').split('.');
    let told = epoch === this.#epoch && /^\d+$/.test(given ?? '') ? Number(given) : -1;
    return () => {
      if (performance.now() - this.#lookedAt > SHARED) this.#look();
      const isTold = told === this.#revision;
      const events = isTold ? [] : [{ name: 'rows', data: this.#after(told) }];
      told = this.#revision;
      return Promise.resolve({ events, last: false });
    };
  }

  #after(told: number): BoardData {
    const isNew = ({ name, key }: { name: string; key: string }): boolean =>
      (this.#seen.get(`${key}${name}`)?.revision ?? 0) > told;
    return {
      ...this.#rights,
      since: this.#sinceNow(),
      isWhole: told < 0,
      readAt: this.#now.readAt,
      rows: this.#now.rows.filter(({ runId }) => isNew({ name: runId, key: 'run ' })),
      research: this.#now.research.filter(({ name }) => isNew({ name, key: 'research ' })),
      gone: [...this.#gone].filter(([, revision]) => revision > told).map(([name]) => name),
      skipped: this.#now.skipped,
    };
  }

  #sinceNow(): string {
    return `${this.#epoch}.${this.#revision}`;
  }

  #look(): void {
    const readAt = Date.now();
    const rows = this.#store.rows();
    const runs = new Set(rows.map(({ runId }) => runId));
    const others = this.#store.folders().filter((name) => !runs.has(name));
    const { rows: research, skipped } = this.#research.look(others);
    const next = this.#revision + 1;
    const present = new Map<string, RunRow | ResearchRow>([
      ...rows.map((row) => [`run ${row.runId}`, row] as const),
      ...research.map((row) => [`research ${row.name}`, row] as const),
    ]);
    let isChanged = skipped.join('/') !== this.#now.skipped.join('/');
    for (const [key, row] of present) {
      if (this.#seen.get(key)?.row === row) continue;
      this.#seen.set(key, { row, revision: next });
      this.#gone.delete(nameIn(key));
      isChanged = true;
    }
    for (const key of this.#seen.keys()) {
      if (present.has(key)) continue;
      this.#seen.delete(key);
      if (!present.has(`run ${nameIn(key)}`) && !present.has(`research ${nameIn(key)}`))
        this.#gone.set(nameIn(key), next);
      isChanged = true;
    }
    if (isChanged) this.#revision = next;
    this.#now = { readAt, rows, research, skipped };
    this.#lookedAt = performance.now();
  }
}

function nameIn(key: string): string {
  return key.slice(key.indexOf(' ') + 1);
}

/**
 * Columns of the list: key, title, and true if the list can be sorted by the column. The first column, with
 * the name of the run, is always visible.
 */
const COLUMNS: readonly (readonly [key: string, name: string, sorts: boolean])[] = [
  ['runId', 'Run', true],
  ['verdict', 'Verdict', true],
  ['curve', 'Equity', false],
  ['totalReturn', 'Return', true],
  ['sharpe', 'Sharpe', true],
  ['maxDrawdown', 'Max drawdown', true],
  ['tradeCount', 'Trades', true],
  ['modelCost', 'Model cost', true],
  ['state', 'State', true],
  ['strategy', 'Strategy', true],
  ['lastBar', 'Period', true],
  ['tags', 'Tags', false],
];

/** Sortable columns that are aligned to the left. */
const TEXTS: ReadonlySet<string> = new Set(['runId', 'verdict', 'state', 'strategy', 'lastBar']);

/** Returns the start page of the server: the list of all runs in the folder. */
export function listPage(data: BoardData): string {
  const body = html`${pageHead({ title: 'Runs', lines: [html`<span id="count" role="status"></span>`, html`${readStamp(new Date(data.readAt))} Later changes appear here.`] })}
<main>
<p class="notices" id="read-only" hidden>Opened without the token: runs can be looked at, not tagged or deleted. Open the address that <code>sandtable serve</code> printed for that.</p>
<p class="notices" id="not-live" role="status" hidden>The server does not answer: what is shown may be old. It is asked again by itself; if it was stopped, start <code>sandtable serve</code> again.</p>
<section aria-label="All runs">
<div class="controls"><label class="grow">Search <input type="search" id="search" autocomplete="off" spellcheck="false" placeholder="name, parameter, symbol, tag, state:failed, fast:50"></label><label><input type="checkbox" id="grouped" checked> by strategy and data</label>${menu('views', 'Views', views())}${menu('columns', 'Columns', columns())}<button type="button" id="compare" disabled>Compare</button>${data.mayStart ? html`<button type="button" id="new-run" class="primary" hidden>New run</button>` : ''}</div>
<p id="announced" class="hidden" role="status"></p>
<p id="said" role="status"></p>
<div class="frame" tabindex="0" role="group" aria-label="Runs"><table id="runs"><caption class="hidden">Runs</caption><thead><tr><th scope="col"><span class="hidden">Chosen for comparison</span></th>${COLUMNS.filter(([key]) => key !== 'tags').map(header)}<th scope="col"><span class="hidden">Delete</span></th></tr></thead></table></div>
<p id="nothing" class="note" hidden>No run matches.</p>
<p id="more"><button type="button" id="show-more">Show more</button></p>
<details id="skipped" class="note" hidden><summary></summary><p>They hold no journal, and are no study, sweep, stress test or samples. A run without a journal has nothing to show: run it again. Folders of anything else may stay.</p><ul></ul></details>
</section>
</main>
<dialog id="delete-dialog" aria-labelledby="delete-title"><form method="dialog"><h2 id="delete-title">Delete this run?</h2><p class="run" id="delete-name"></p><p>Its folder goes, with everything in it. This cannot be undone.</p><p class="bad" id="delete-problem" role="alert"></p><div class="controls"><button type="button" id="delete-yes" class="danger">Delete</button><button type="submit" value="no" id="delete-no">Keep it</button></div></form></dialog>
<dialog id="tags-dialog" aria-labelledby="tags-title"><form method="dialog"><h2 id="tags-title">Notes and tags</h2><p class="run" id="tags-name"></p><label>Tags, separated by commas <input type="search" id="tags-text" maxlength="400"></label><label>Notes <textarea id="notes-text" rows="6" maxlength="4000"></textarea></label><p class="bad" id="tags-problem" role="alert"></p><div class="controls"><button type="submit" value="save" id="tags-save">Save</button><button type="button" id="tags-no">Cancel</button></div></form></dialog>
${data.mayStart ? START_DIALOG : ''}`;
  return pageShell({
    title: 'Sandtable runs',
    body,
    data: scriptJson(data),
    script: 'list.js',
    style: 'list.css',
    served: true,
  });
}

/** Form for a new run. The page's script adds the fields, which the server derives from schemas. */
const START_DIALOG = html`<dialog id="start-dialog" aria-labelledby="start-title"><form method="dialog" id="start-form" novalidate><h2 id="start-title">New run</h2><div class="columns start-grid"><label>Kind <select id="start-command"><option value="run">Run</option><option value="sweep">Sweep</option></select></label><label>Strategy <select id="start-strategy"></select></label><label class="wide">Data <select id="start-data" multiple size="4"></select></label></div><fieldset id="start-parameters" hidden><legend>Parameters</legend><p class="note" id="start-space" hidden>For a sweep, give values to try: <code>5,10,20</code> or <code>5:20:5</code> (from, to, step).</p><div class="columns start-grid"></div></fieldset><div id="start-fields"></div><div class="start-foot"><h3 id="command-title">Command</h3><pre class="command"><code id="start-line" aria-labelledby="command-title"></code></pre><p class="bad" id="start-problem" role="alert"></p><div class="controls"><button type="submit" id="start-yes" class="primary">Start</button><button type="button" id="start-copy">Copy the command</button><button type="button" id="start-no">Cancel</button></div></div></form></dialog>`;

function menu(id: string, name: string, content: Html): Html {
  return html`<details id="${id}" class="menu"><summary>${name}</summary>${content}</details>`;
}

function columns(): Html {
  return html`<fieldset class="card"><legend class="hidden">Columns shown</legend>${COLUMNS.slice(1).map(([key, name]) => html`<label><input type="checkbox" value="${key}" checked> ${name}</label>`)}<p id="dropped" class="note"></p></fieldset>`;
}

function views(): Html {
  return html`<div class="panel card"><ul id="view-list" class="views"></ul><form id="view-form" class="group"><label>Keep this view as <input type="text" id="view-name" maxlength="60" autocomplete="off" required></label><button type="submit">Save</button></form><button type="button" id="view-copy">Copy its address</button><p id="view-note" class="note" role="status"></p></div>`;
}

function header([key, name, sorts]: (typeof COLUMNS)[number]): Html {
  return sorts
    ? html`<th scope="col"${TEXTS.has(key) ? html` class="text"` : ''} data-key="${key}" data-column="${key}" aria-sort="none"><button type="button">${name}</button></th>`
    : html`<th scope="col" class="text" data-column="${key}">${name}</th>`;
}
