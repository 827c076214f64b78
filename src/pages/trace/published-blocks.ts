import type { JournalEvent } from '../../journal/index.ts';
import { isObject, textOf } from '../../kernel/index.ts';
import { block, factsOf, jsonText } from './block-parts.ts';
import type { Block } from './step.ts';

/**
 * Returns the block of documents and fundamentals that became available at the end of the bar, or of changes
 * in the universe.
 */
export function publishedBlock(event: JournalEvent): Block {
  if (event.type === 'universe_changed')
    return block('other', 'Universe', {
      facts: factsOf(['Can be traded from here', listOf(event.entered)], ['No longer', listOf(event.left)]),
    });
  const isDocuments = event.type === 'documents_known';
  const rows: unknown = isDocuments ? event.documents : event.rows;
  return block('other', isDocuments ? 'Documents became known' : 'Fundamentals became known', {
    texts: (Array.isArray(rows) ? rows : []).filter(isObject).map((row) => {
      const { availableAt, id, title, symbol, field, periodEnd, ...rest } = row;
      const about = isDocuments ? [id, title] : [symbol, field, periodEnd];
      const words = about.map(textOf).filter((text) => text !== '');
      return jsonText(`${words.join(' ')}, available at ${textOf(availableAt)}`, rest);
    }),
  });
}

function listOf(names: unknown): string {
  return Array.isArray(names) ? names.map(textOf).join(', ') : '';
}
