import { byId } from '../../trace/client/dom.ts';
import type { RunRow } from '../run-row.ts';
import { change } from './token.ts';

/**
 * Prepares the dialog for deleting runs. Returns a function that opens the dialog and deletes the run after
 * confirmation.
 */
export function startDeleting(
  token: string | undefined,
  onDeleted: (runId: string) => void,
): (row: RunRow) => void {
  const dialog = byId('delete-dialog', HTMLDialogElement);
  const problem = byId('delete-problem', HTMLElement);
  let asked = '';
  byId('delete-yes', HTMLButtonElement).addEventListener('click', () => {
    const runId = asked;
    change(token, 'DELETE', `/api/runs/${encodeURIComponent(runId)}`)
      .then(() => {
        dialog.close();
        onDeleted(runId);
      })
      .catch((error: unknown) => {
        problem.textContent = messageOf(error);
      });
  });
  return ({ runId }) => {
    asked = runId;
    problem.textContent = '';
    byId('delete-name', HTMLElement).textContent = runId;
    dialog.showModal();
    // Deleting cannot be undone, so Enter must not trigger it. The focus is on the button that cancels.
    byId('delete-no', HTMLButtonElement).focus();
  };
}

/** Prepares the dialog for tags. Returns a function that opens the dialog and stores the tags. */
export function startTagging(
  token: string | undefined,
  onTagged: (runId: string, tags: readonly string[]) => void,
): (row: RunRow) => void {
  const dialog = byId('tags-dialog', HTMLDialogElement);
  const text = byId('tags-text', HTMLInputElement);
  const problem = byId('tags-problem', HTMLElement);
  let asked = '';
  dialog.querySelector('form')?.addEventListener('submit', (event) => {
    event.preventDefault();
    const runId = asked;
    const tags = text.value
      .split(',')
      .map((tag) => tag.trim())
      .filter((tag) => tag !== '');
    change(token, 'PUT', `/api/runs/${encodeURIComponent(runId)}/tags`, tags)
      .then((kept) => {
        dialog.close();
        onTagged(runId, kept as string[]);
      })
      .catch((error: unknown) => {
        problem.textContent = messageOf(error);
      });
  });
  byId('tags-no', HTMLButtonElement).addEventListener('click', () => dialog.close());
  return ({ runId, tags }) => {
    asked = runId;
    problem.textContent = '';
    byId('tags-name', HTMLElement).textContent = runId;
    text.value = tags.join(', ');
    dialog.showModal();
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
