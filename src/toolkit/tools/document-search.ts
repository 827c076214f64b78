import { z } from 'zod';
import { knownBeside } from '../../engine/index.ts';
import { parseInstant } from '../../kernel/index.ts';
import { type DocumentQuery, type Documents, MOST_DOCUMENTS } from '../../market/index.ts';
import { jsonBytes } from '../json-value.ts';
import { hitView, notGiven } from '../since-view.ts';
import { defineTool, failure, shown } from '../tool.ts';

export const documentSearch = defineTool({
  name: 'document_search',
  description: `Search the news, filings and other texts that are published at the current bar. Later texts are not visible.

  query    words; a document matches if its title or text contains any of them; best match first
           (BM25). Default: every document, newest first
  symbol   only documents about this symbol
  since    only documents published at or after this date, for example 2024-01-31
  kind     only documents of this kind, for example news or filing
  limit    how many, 1 to ${MOST_DOCUMENTS} (default 20)

The answer is {total, documents: [{id, date, source, title}, …]}: total counts all matches, date is the time of publication.
Read a text with document_read.

Examples: {"query": "guidance cut"}   {"symbol": "AAPL", "since": "2024-01-01", "limit": 5}`,
  parameters: z.strictObject({
    query: z.string().optional().describe('Words to search (default: all documents, newest first)'),
    symbol: z.string().optional().describe('Only documents about this symbol'),
    since: z.string().optional().describe('Only documents published at or after this date'),
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
        `Invalid date ${JSON.stringify(shown(since))}.`,
        'Use a date such as 2024-01-31 or 2024-01-31T09:30.',
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
