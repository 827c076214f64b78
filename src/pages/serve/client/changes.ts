import { readStampText } from '../../shared/html.ts';
import { byId } from '../../trace/client/folding.ts';
import type { BoardData } from '../board.ts';
import type { ResearchRow, RunRow } from '../run-row.ts';
import { stateText } from './row.ts';

const KEY = 'sandtable-token';

/**
 * Returns the token that the server requires for changes. `sandtable serve` prints an address with this
 * token. The token is stored for this browser tab. It is removed from the address, so that neither the
 * browser history nor a copied address contains it.
 *
 * @returns `undefined` if the page was opened without the token
 */
export function startToken(): string | undefined {
  const given = /^#token=([\w-]+)$/.exec(location.hash)?.[1];
  if (given !== undefined) {
    sessionStorage.setItem(KEY, given);
    history.replaceState(null, '', location.pathname + location.search);
  }
  const token = given ?? sessionStorage.getItem(KEY) ?? undefined;
  const note = document.getElementById('read-only');
  if (note !== null) note.hidden = token !== undefined;
  return token;
}

/** Sends a request with the token to the server. Returns the response. */
export async function change(
  token: string | undefined,
  method: 'DELETE' | 'GET' | 'POST' | 'PUT',
  path: string,
  body?: unknown,
): Promise<unknown> {
  const answer = await fetch(path, {
    method,
    headers: { 'X-Sandtable-Token': token ?? '', 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const value = (await answer.json()) as { error?: { message: string; remedy: string } } | null;
  if (!answer.ok)
    throw new Error(
      value?.error === undefined
        ? `The server answered ${answer.status}.`
        : `${value.error.message} ${value.error.remedy}`,
    );
  return value;
}

/**
 * Connects the dialog for deleting a run. Returns a function that opens the dialog for a run. If the user
 * confirms, the run is deleted.
 */
export function startDeleting(
  token: string | undefined,
  onDeleted: (runId: string) => void,
): (row: RunRow) => void {
  const dialog = byId('delete-dialog', HTMLDialogElement);
  const problem = byId('delete-problem', HTMLElement);
  let asked = '';
  /** Number of times that the dialog was opened. A late response must not close a dialog opened again. */
  let openings = 0;
  byId('delete-yes', HTMLButtonElement).addEventListener('click', () => {
    const runId = asked;
    const opening = openings;
    change(token, 'DELETE', `/api/runs/${encodeURIComponent(runId)}`)
      .then(() => {
        if (opening === openings) dialog.close();
        onDeleted(runId);
      })
      .catch((error: unknown) => {
        if (opening === openings) problem.textContent = messageOf(error);
      });
  });
  return ({ runId }) => {
    asked = runId;
    openings += 1;
    problem.textContent = '';
    byId('delete-name', HTMLElement).textContent = runId;
    dialog.showModal();
    // Deleting cannot be undone. The button that cancels has the focus, so that pressing Enter does not
    // delete the run.
    byId('delete-no', HTMLButtonElement).focus();
  };
}

/**
 * Connects the dialog for tags and notes. Returns a function that opens the dialog for a run and stores its
 * tags and notes.
 */
export function startTagging(
  token: string | undefined,
  onTagged: (runId: string, notes: Pick<RunRow, 'tags' | 'notes'>) => void,
): (row: RunRow) => void {
  const dialog = byId('tags-dialog', HTMLDialogElement);
  const text = byId('tags-text', HTMLInputElement);
  const notes = byId('notes-text', HTMLTextAreaElement);
  const problem = byId('tags-problem', HTMLElement);
  let asked = '';
  /** Number of times that the dialog was opened. A late response must not close a dialog opened again. */
  let openings = 0;
  dialog.querySelector('form')?.addEventListener('submit', (event) => {
    event.preventDefault();
    const runId = asked;
    const opening = openings;
    const tags = text.value
      .split(',')
      .map((tag) => tag.trim())
      .filter((tag) => tag !== '');
    change(token, 'PUT', `/api/runs/${encodeURIComponent(runId)}/notes`, { tags, notes: notes.value })
      .then((kept) => {
        if (opening === openings) dialog.close();
        onTagged(runId, kept as Pick<RunRow, 'tags' | 'notes'>);
      })
      .catch((error: unknown) => {
        if (opening === openings) problem.textContent = messageOf(error);
      });
  });
  byId('tags-no', HTMLButtonElement).addEventListener('click', () => dialog.close());
  return ({ runId, tags, notes: written }) => {
    asked = runId;
    openings += 1;
    problem.textContent = '';
    byId('tags-name', HTMLElement).textContent = runId;
    text.value = tags.join(', ');
    notes.value = written;
    dialog.showModal();
  };
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

interface Shown {
  readonly rows: Map<string, RunRow>;
  readonly research: Map<string, ResearchRow>;
  readonly chosen: Set<string>;
  readonly drawn: Map<string, unknown>;
  readonly onSkipped: (names: readonly string[]) => void;
  readonly draw: () => void;
}

/**
 * Applies the changes of runs and research results that the server sends to the list. Screen readers announce
 * only the start and end of runs, not their progress.
 */
export function startLive(
  { since }: BoardData,
  { rows, research, chosen, drawn, onSkipped, draw }: Shown,
): void {
  const source = new EventSource(`/api/live?since=${encodeURIComponent(since)}`);
  const notLive = byId('not-live', HTMLElement);
  source.addEventListener('open', () => {
    notLive.hidden = true;
  });
  source.addEventListener('error', () => {
    notLive.hidden = false;
  });
  source.addEventListener('rows', (event) => {
    const now = JSON.parse(String(event.data)) as BoardData;
    const said: string[] = [];
    const tell = (name: string, before: string | undefined, after: string): void => {
      if (before !== after && (before !== undefined || after === 'running'))
        said.push(`${name}: ${stateText(after)}`);
    };
    for (const row of now.rows) {
      const before = rows.get(row.runId);
      tell(row.runId, before?.state, row.state);
      if (JSON.stringify(before) !== JSON.stringify(row)) rows.set(row.runId, row);
    }
    for (const row of now.research) {
      tell(row.title, research.get(row.name)?.state, row.state);
      research.set(row.name, row);
    }
    const isGone = (name: string, still: boolean): boolean =>
      now.gone.includes(name) || (now.isWhole && !still);
    const runs = new Set(now.rows.map(({ runId }) => runId));
    for (const name of [...rows.keys()])
      if (isGone(name, runs.has(name))) {
        rows.delete(name);
        chosen.delete(name);
        drawn.delete(name);
      }
    const others = new Set(now.research.map(({ name }) => name));
    for (const name of [...research.keys()]) if (isGone(name, others.has(name))) research.delete(name);
    onSkipped(now.skipped);
    const stamp = document.querySelector('.stamp');
    if (stamp !== null) stamp.textContent = readStampText(now.readAt);
    if (said.length > 0) byId('announced', HTMLElement).textContent = said.slice(0, 3).join('; ');
    draw();
  });
}
