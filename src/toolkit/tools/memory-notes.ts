import { z } from 'zod';
import type { Json } from '../../engine/index.ts';
import { formatInstant } from '../../kernel/index.ts';
import { defineTool, failure, type Shared, shown } from '../tool.ts';

/** Maximum number of characters of a note or of a line of the log. */
const MOST_CONTENT = 2_000;
/** Maximum number of characters of a note's key. */
const MOST_KEY = 80;
/** Maximum number of notes. */
const MOST_NOTES = 200;
/**
 * Maximum number of lines in the log. If the log is full, the oldest line is removed. The removed line
 * remains in the journal.
 */
export const MOST_LINES = 5_000;

/**
 * Entry written by an agent: a note with a key, or a line of the log. Its date is the date of the bar at
 * which it was written.
 */
interface MemoryEntry {
  readonly key?: string;
  readonly bar: number;
  readonly date: string;
  readonly content: string;
}

interface Kept {
  readonly entry: MemoryEntry;
  /** Sequence number of the entry. Of entries with equal scores, the newest comes first. */
  readonly order: number;
  readonly words: ReadonlySet<string>;
  readonly keyWords: ReadonlySet<string>;
}

/**
 * Memory of one agent in one run. Contains the entries that the agent has written, and outcomes of trades if
 * the run reports them.
 */
export class Memory {
  readonly #notes = new Map<string, Kept>();
  #lines: Kept[] = [];
  #order = 0;

  get noteCount(): number {
    return this.#notes.size;
  }

  get lineCount(): number {
    return this.#lines.length;
  }

  hasNote(key: string): boolean {
    return this.#notes.has(key);
  }

  /** Adds a line to the log. Returns true if the oldest line was removed. */
  log(entry: MemoryEntry): boolean {
    this.#lines.push(this.#kept(entry));
    if (this.#lines.length <= MOST_LINES) return false;
    this.#lines.shift();
    return true;
  }

  /** Sets a note. Replaces the note with the same key. */
  note(entry: MemoryEntry & { readonly key: string }): void {
    this.#notes.set(entry.key, this.#kept(entry));
  }

  removeNote(key: string): boolean {
    return this.#notes.delete(key);
  }

  /**
   * Returns the entries that match words of a query, best first. Each query word scores three points if it is
   * in the key, otherwise two if it is in the text. It scores one point if it is in neither, but a word of
   * the entry begins with it. Entries with equal scores are ordered newest first. If the query has no words,
   * returns all entries, newest first.
   */
  recall(query: string): MemoryEntry[] {
    const wanted = [...wordsOf(query)];
    const all = [...this.#notes.values(), ...this.#lines];
    return all
      .map((kept) => ({ kept, score: wanted.reduce((sum, word) => sum + scoreOf(word, kept), 0) }))
      .filter(({ score }) => wanted.length === 0 || score > 0)
      .sort((a, b) => b.score - a.score || b.kept.order - a.kept.order)
      .map(({ kept }) => kept.entry);
  }

  #kept(entry: MemoryEntry): Kept {
    this.#order += 1;
    return { entry, order: this.#order, words: wordsOf(entry.content), keyWords: wordsOf(entry.key ?? '') };
  }
}

/** Memory of a run, shared by the three memory tools. */
export const MEMORY: Shared<Memory> = { name: 'memory', make: () => new Memory() };

function wordsOf(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
}

function scoreOf(word: string, { words, keyWords }: Kept): number {
  if (keyWords.has(word)) return 3;
  if (words.has(word)) return 2;
  for (const known of keyWords) if (known.startsWith(word)) return 1;
  for (const known of words) if (known.startsWith(word)) return 1;
  return 0;
}

export const memoryLog = defineTool({
  name: 'memory_log',
  description: `Append a line to your log, dated with the current bar: your actions and reasons, expectations and lessons.
The log lasts for this run only; find lines with memory_recall. For a fact that changes, such as a plan
or a level, use memory_note, which replaces.

  content   1 to ${MOST_CONTENT} characters

The answer is {logged: true, bar, date, lines}. After ${MOST_LINES} lines the oldest is removed, with a note in the answer.

Examples: {"content": "Bought 50 at the open: RSI 28 and the close above the 200-bar mean. Out below 95."}
  {"content": "Third false breakout this month: wait for a close above 104 before buying again."}`,
  parameters: z.strictObject({
    content: z.string().min(1).max(MOST_CONTENT).describe('The line to append'),
  }),
  example: { content: 'Bought 50: RSI 28, close above the 200-bar mean. Out below 95.' },
  writes: true,
  handle({ content }, { turn, shared }) {
    const memory = shared(MEMORY);
    const date = formatInstant(turn.time);
    const dropped = memory.log({ bar: turn.bar, date, content });
    return {
      logged: true,
      bar: turn.bar,
      date,
      lines: memory.lineCount,
      ...(dropped ? { note: 'The log is full. Its oldest line was removed.' } : {}),
    };
  },
  restore({ bar, parameters: { content }, result }, { shared }) {
    shared(MEMORY).log({ bar, date: String(result.date), content });
  },
});

export const memoryNote = defineTool({
  name: 'memory_note',
  description: `Store a note under a key. A note with the same key is replaced; an empty content removes it. Notes last for this run
only, and have the date of their bar; find them with memory_recall.
For a diary use memory_log, which stores every line.

  key       a short name, up to ${MOST_KEY} characters: plan, stop AAPL, regime
  content   up to ${MOST_CONTENT} characters

The answer is {key, saved: true, replaced, bar, date, notes}, or {key, removed} for an empty content. At most ${MOST_NOTES} notes are stored.

Examples: {"key": "plan", "content": "Buy pullbacks to the 20-bar mean while ADX is above 25; risk 1 % a trade."}
  {"key": "regime", "content": "range 95 to 104 since March"}
  {"key": "plan", "content": ""}`,
  parameters: z.strictObject({
    key: z.string().min(1).max(MOST_KEY).describe('Name of the note'),
    content: z.string().max(MOST_CONTENT).describe('The note; empty to remove it'),
  }),
  example: { key: 'plan', content: 'Buy pullbacks to the 20-bar mean while ADX is above 25.' },
  writes: true,
  handle({ key, content }, { turn, shared }) {
    const memory = shared(MEMORY);
    if (content === '') return { key, removed: memory.removeNote(key), notes: memory.noteCount };
    const replaced = memory.hasNote(key);
    if (!replaced && memory.noteCount >= MOST_NOTES) {
      return failure(
        `The limit of ${MOST_NOTES} notes is reached, so ${shown(key)} was not saved.`,
        'Replace a note by using its key, or remove one with an empty content.',
      );
    }
    const date = formatInstant(turn.time);
    memory.note({ key, bar: turn.bar, date, content });
    return { key, saved: true, replaced, bar: turn.bar, date, notes: memory.noteCount };
  },
  restore({ bar, parameters: { key, content }, result }, { shared }) {
    const memory = shared(MEMORY);
    if (content === '') memory.removeNote(key);
    else memory.note({ key, bar, date: String(result.date), content });
  },
});

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
    // Adds complete entries as long as they fit within the size limit of a result.
    let bytes = 0;
    for (const entry of found.slice(0, limit)) {
      const shape = shapeOf(entry);
      bytes += Buffer.byteLength(JSON.stringify(shape)) + 1;
      if (bytes > resultBytes && entries.length > 0) break;
      entries.push(shape);
    }
    const omitted = found.length - entries.length;
    return { found: found.length, entries, ...(omitted === 0 ? {} : { left_out: omitted }) };
  },
});

function shapeOf({ key, bar, date, content }: MemoryEntry): Json {
  return key === undefined ? { kind: 'log', bar, date, content } : { kind: 'note', key, bar, date, content };
}
