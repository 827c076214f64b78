import { formatInstant } from '../kernel/index.ts';
import type { NewlyPublished } from '../market/index.ts';
import type { PublishedEvent } from './events.ts';

/**
 * Returns the journal events of documents and fundamentals published by the end of a bar, without the texts
 * of documents.
 */
export function publishedEvents({ documents, fundamentals }: NewlyPublished, bar: number): PublishedEvent[] {
  const events: PublishedEvent[] = [];
  if (documents.length > 0)
    events.push({
      type: 'documents_known',
      bar,
      documents: documents.map(({ id, availableAt, symbols, source, kind, title }) => ({
        id,
        availableAt: formatInstant(availableAt),
        symbols,
        source,
        kind,
        title,
      })),
    });
  if (fundamentals.length > 0)
    events.push({
      type: 'fundamentals_known',
      bar,
      rows: fundamentals.map(({ symbol, field, periodEnd, availableAt, value }) => ({
        symbol,
        field,
        periodEnd: formatInstant(periodEnd),
        availableAt: formatInstant(availableAt),
        value,
      })),
    });
  return events;
}
