import { z } from 'zod';
import type { Json } from '../../engine/index.ts';
import { MEMORY, type MemoryEntry } from '../memory.ts';
import { defineTool } from '../tool.ts';

const MOST_ENTRIES = 50;

export const memoryRecall = defineTool({
  name: 'memory_recall',
  description: `Search the notes of memory_note and the lines of memory_log of this run. Words of the query are searched in keys and texts, in any
case and order; a word also matches longer words that begin with it. Best match first; newer first if equal.

  query   words to search; empty for all entries, newest first
  limit   maximum number of entries, 1 to ${MOST_ENTRIES} (default 10)

The answer is {found, entries, left_out?}: a note is {kind: "note", key, bar, date, content}, a line of the log
{kind: "log", bar, date, content}. You wrote all entries, except lines that begin with "Trade 12 closed": these contain the results of
your trades, with your reasons at the decision.

Examples: {"query": "breakout AAPL"}   {"query": "", "limit": 5}`,
  parameters: z.strictObject({
    query: z.string().max(500).describe('Words to search; empty for all entries'),
    limit: z.number().int().min(1).max(MOST_ENTRIES).default(10).describe('Maximum number of entries'),
  }),
  example: { query: 'plan' },
  writes: false,
  handle({ query, limit }, { shared, resultBytes }) {
    const found = shared(MEMORY).recall(query);
    const entries: Json[] = [];
    // Adds whole entries while they fit below the cap of a result.
    let bytes = 0;
    for (const entry of found.slice(0, limit)) {
      const shape = shapeOf(entry);
      bytes += Buffer.byteLength(JSON.stringify(shape)) + 1;
      if (bytes > resultBytes && entries.length > 0) break;
      entries.push(shape);
    }
    const leftOut = found.length - entries.length;
    return { found: found.length, entries, ...(leftOut === 0 ? {} : { left_out: leftOut }) };
  },
});

function shapeOf({ key, bar, date, content }: MemoryEntry): Json {
  return key === undefined ? { kind: 'log', bar, date, content } : { kind: 'note', key, bar, date, content };
}
