import { z } from 'zod';
import { knownBeside } from '../../engine/index.ts';
import { parseInstant } from '../../kernel/index.ts';
import { type DocumentQuery, type Documents, MOST_DOCUMENTS } from '../../market/index.ts';
import { hitView, notGiven } from '../document-view.ts';
import { jsonBytes } from '../json-value.ts';
import { defineTool, failure, shown } from '../tool.ts';

export const documentSearch = defineTool({
  name: 'document_search',
  description: `Search the news, filings and other texts that are known at the current bar. The later ones are not there.

  query    words; a document matches that holds any of them in its title or text, and the best match comes first
           (BM25). Left out: every document, newest first
  symbol   only documents about this symbol
  since    only those that became known at this date or after it, such as 2024-01-31
  kind     only those of this kind, as the documents say it: news, filing …
  limit    how many, 1 to ${MOST_DOCUMENTS} (default 20)

The answer is {total, documents: [{id, date, source, title}, …]}: total counts all that match, date is when one became known.
Read a text with document_read.

Examples: {"query": "guidance cut"}   {"symbol": "AAPL", "since": "2024-01-01", "limit": 5}`,
  parameters: z.strictObject({
    query: z.string().optional().describe('Words to look for; all documents, newest first, when left out'),
    symbol: z.string().optional().describe('Only documents about this symbol'),
    since: z.string().optional().describe('Only documents known at this date or after it'),
    kind: z.string().optional().describe('Only documents of this kind'),
    limit: z.number().int().min(1).max(MOST_DOCUMENTS).default(20).describe('How many documents'),
  }),
  example: { query: 'guidance', limit: 5 },
  writes: false,
  optIn: true,
  needs: 'documents',
  handle({ query = '', symbol, since, kind, limit }, { turn, resultBytes }) {
    const { documents } = knownBeside(turn);
    if (documents === undefined) return notGiven('documents', '--documents');
    if (since !== undefined && parseInstant(since) === undefined)
      return failure(
        `${JSON.stringify(shown(since))} is no date.`,
        'Write since as 2024-01-31 or 2024-01-31T09:30.',
      );
    const { hits, total } = documents.search({
      query,
      limit,
      ...(symbol === undefined ? {} : { symbol }),
      ...(since === undefined ? {} : { since }),
      ...(kind === undefined ? {} : { kind }),
    });
    const found = [];
    let room = resultBytes;
    for (const hit of hits) {
      const view = hitView(hit);
      room -= jsonBytes(view) + 1;
      if (room < 0) break;
      found.push(view);
    }
    const nothing = total === 0 ? nothingAbout(documents, symbol, kind) : undefined;
    return {
      total,
      ...(nothing === undefined ? {} : { note: nothing }),
      documents: found,
      ...(found.length < hits.length ? { omitted: hits.length - found.length } : {}),
    };
  },
});

/**
 * Describes a symbol or kind that no published document has, because it may be misspelt. Documents of the
 * future are never consulted.
 */
function nothingAbout(documents: Documents, symbol?: string, kind?: string): string | undefined {
  const none = (query: DocumentQuery): boolean => documents.search({ ...query, limit: 1 }).total === 0;
  const missing = [
    ...(symbol !== undefined && none({ symbol }) ? [`about the symbol ${shown(symbol)}`] : []),
    ...(kind !== undefined && none({ kind }) ? [`of the kind ${shown(kind)}`] : []),
  ];
  return missing.length === 0 ? undefined : `No document that is known is ${missing.join(', and none ')}.`;
}
