import { type BarContext, type Json, MOST_LISTED, type NewDocuments } from '../engine/index.ts';
import { formatInstant } from '../kernel/index.ts';
import type { DocumentHit } from '../market/index.ts';
import { failure, type ToolFailure } from './tool.ts';

/** Returns a document as an entry of a list. */
export function hitView({ id, availableAt, source, title }: DocumentHit): Record<string, Json> {
  return { id, date: formatInstant(availableAt), source, title };
}

/**
 * Returns the documents that were published since an earlier decision, oldest first. If there are too many,
 * only the newest.
 *
 * @param before number of documents known at the earlier decision
 */
export function newDocuments({ documents }: BarContext, before: number): NewDocuments {
  const count = Math.max(0, documents.length - before);
  return { count, shown: count === 0 ? [] : documents.tail(Math.min(count, MOST_LISTED)).map(hitView) };
}

/** Returns the documents published since an earlier decision as text for a prompt, one line each. */
export function newDocumentsText(turn: BarContext, before: number): string {
  const count = turn.documents.length - before;
  if (count <= 0) return 'There are no new documents.';
  const lines = turn.documents
    .tail(Math.min(count, MOST_LISTED))
    .map(
      ({ id, availableAt, source, title }) =>
        `${formatInstant(availableAt)} ${source === '' ? '' : `${source}: `}${title} (${id})`,
    );
  const more = count - lines.length;
  return [...(more > 0 ? [`${more} earlier ones are left out.`] : []), ...lines].join('\n');
}

/** Returns the failure of a tool in a run without the data that the tool needs. */
export function notGiven(what: string, flag: string): ToolFailure {
  return failure(`This run has no ${what}.`, `Go on without: they are given with ${flag}.`);
}
