import { z } from 'zod';
import { knownBeside } from '../../engine/index.ts';
import { formatInstant } from '../../kernel/index.ts';
import { jsonBytes } from '../json-value.ts';
import { notGiven } from '../since-view.ts';
import { defineTool, failure, shown } from '../tool.ts';

/** Characters per answer. Longer texts are read in parts. */
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
    const { documents } = knownBeside(turn);
    if (documents === undefined) return notGiven('documents', '--documents');
    const document = documents.read(id);
    if (document === undefined)
      return failure(
        `Unknown document ${JSON.stringify(shown(id))}.`,
        'Find a document with document_search and use its id.',
      );
    const { availableAt, symbols, source, kind, title, text } = document;
    // Avoids cutting a surrogate pair in half.
    const whole = (at: number): number => (/[\uDC00-\uDFFF]/.test(text[at] ?? '') ? at + 1 : at);
    const from = whole(Math.min(offset, text.length));
    let length = MOST_CHARACTERS;
    const part = (): string => text.slice(from, whole(Math.min(from + length, text.length)));
    // A character may need up to twelve bytes of JSON.
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
