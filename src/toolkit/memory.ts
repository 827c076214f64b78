import type { Shared } from './tool.ts';

/** Largest length of an entry, in characters. */
export const MOST_CONTENT = 2_000;
/** Largest length of a note's key, in characters. */
export const MOST_KEY = 80;
/** Largest number of notes. */
export const MOST_NOTES = 200;
/**
 * Largest number of lines in the log. When the log is full, the oldest line is removed; it remains in the
 * journal.
 */
export const MOST_LINES = 5_000;

/**
 * Entry written by an agent: a note with a key, or a line of the log. The date is that of the bar at which it
 * was written.
 */
export interface MemoryEntry {
  readonly key?: string;
  readonly bar: number;
  readonly date: string;
  readonly content: string;
}

interface Kept {
  readonly entry: MemoryEntry;
  /** Number of the write. The newest of equally ranked entries comes first. */
  readonly order: number;
  readonly words: ReadonlySet<string>;
  readonly keyWords: ReadonlySet<string>;
}

/** Memory of one agent in one run. Contains only entries that the agent has written. */
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
   * Returns the entries that match words of a query, best first. A word in a key scores three, in the text
   * two, the beginning of a word one. Of equal scores, the newest comes first. Returns all entries, newest
   * first, for a query without words.
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
