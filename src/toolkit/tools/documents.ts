import { z } from 'zod';
import { publishedData } from '../../engine/index.ts';
import { formatInstant, parseInstant } from '../../kernel/index.ts';
import { type DocumentQuery, type Documents, MOST_DOCUMENTS } from '../../market/index.ts';
import { jsonBytes } from '../json-value.ts';
import { hitView, notGiven } from '../recent-events.ts';
import { defineTool, failure, shown } from '../tool.ts';

export const documentSearch = defineTool({
  name: 'document_search',
  description: `Search the news, filings and other texts that are published at the current bar. Later texts are not visible.

  query    words; a document matches if its title or text contains any of them; best match first
           (BM25). Default: every document, newest first
  symbol   only documents that list this symbol; a document about all symbols lists none
  since    only documents published at or after this date, for example 2024-01-31
  kind     only documents of this kind, for example news or filing
  limit    how many, 1 to ${MOST_DOCUMENTS} (default 20)

The answer is {total, documents: [{id, date, source, title}, …]}: total counts all matches, date is the time of publication.
Read a text with document_read.

Examples: {"query": "guidance cut"}   {"symbol": "AAPL", "since": "2024-01-01", "limit": 5}`,
  parameters: z.strictObject({
    query: z.string().optional().describe('Words to search (default: all documents, newest first)'),
    symbol: z.string().optional().describe('Only documents that list this symbol'),
    since: z.string().optional().describe('Only documents published at or after this date'),
    kind: z.string().optional().describe('Only documents of this kind'),
    limit: z.number().int().min(1).max(MOST_DOCUMENTS).default(20).describe('How many documents'),
  }),
  example: { query: 'guidance', limit: 5 },
  writes: false,
  optIn: true,
  needs: 'documents',
  handle({ query = '', symbol, since, kind, limit }, { turn, resultBytes }) {
    const { documents } = publishedData(turn);
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
 * Returns a note for the agent if no published document is about the symbol or of the kind, because the word
 * may be misspelt. Documents that are published later are not considered.
 */
function nothingAbout(documents: Documents, symbol?: string, kind?: string): string | undefined {
  const none = (query: DocumentQuery): boolean => documents.search({ ...query, limit: 1 }).total === 0;
  const missing = [
    ...(symbol !== undefined && none({ symbol }) ? [`about the symbol ${shown(symbol)}`] : []),
    ...(kind !== undefined && none({ kind }) ? [`of the kind ${shown(kind)}`] : []),
  ];
  return missing.length === 0 ? undefined : `No document that is known is ${missing.join(', and none ')}.`;
}

/** Maximum number of characters of the text in one answer. Longer texts are read in parts. */
const MOST_CHARACTERS = 16_000;

export const documentRead = defineTool({
  name: 'document_read',
  description: `Read a document by its id from document_search or the observation; up to ${MOST_CHARACTERS.toLocaleString('en-US')} characters at a time.

  id       the document's id
  offset   first character of the text, from 0 (default 0)

The answer is {id, date, symbols, source, kind, title, characters, offset, text}; date is the time of publication. next_offset is
present if the text continues: call again with it as offset.

Examples: {"id": "n-1042"}   {"id": "10-K-2023", "offset": 16000}`,
  parameters: z.strictObject({
    id: z.string().describe('Id of the document'),
    offset: z.number().int().min(0).default(0).describe('First character, from 0'),
  }),
  example: { id: 'n1' },
  writes: false,
  optIn: true,
  needs: 'documents',
  handle({ id, offset }, { turn, resultBytes }) {
    const { documents } = publishedData(turn);
    if (documents === undefined) return notGiven('documents', '--documents');
    const document = documents.read(id);
    if (document === undefined)
      return failure(
        `Unknown document ${JSON.stringify(shown(id))}.`,
        'Find a document with document_search and use its id.',
      );
    const { availableAt, symbols, source, kind, title, text } = document;
    // Avoids cutting between the two halves of a surrogate pair.
    const whole = (at: number): number => (/[\uDC00-\uDFFF]/.test(text[at] ?? '') ? at + 1 : at);
    const from = whole(Math.min(offset, text.length));
    let length = MOST_CHARACTERS;
    const part = (): string => text.slice(from, whole(Math.min(from + length, text.length)));
    // A character can need up to six bytes of JSON, for example `\u0001`. The text is therefore shortened
    // until it fits the size limit.
    for (let bytes = jsonBytes(part()); bytes > resultBytes && length > 1; bytes = jsonBytes(part()))
      length = Math.max(Math.floor((length * resultBytes) / bytes) - 1, 1);
    const content = part();
    const next = from + content.length;
    return {
      id,
      date: formatInstant(availableAt),
      symbols: [...symbols],
      source,
      kind,
      title,
      characters: text.length,
      offset: from,
      text: content,
      ...(next < text.length ? { next_offset: next } : {}),
    };
  },
});
