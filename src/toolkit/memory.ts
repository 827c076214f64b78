import type { Shared } from './tool.ts';

/** Characters one entry may have. */
export const MOST_CONTENT = 2_000;
/** Characters of a note's key. */
export const MOST_KEY = 80;
/** Notes held at once. */
export const MOST_NOTES = 200;
/** Lines the log holds; the oldest leave when it is full, and stay in the journal. */
export const MOST_LINES = 5_000;

/** What an agent wrote down: a keyed note, or a line of the log. Dates are those of the bars it was written at. */
export interface MemoryEntry {
  readonly key?: string;
  readonly bar: number;
  readonly date: string;
  readonly content: string;
}

interface Kept {
  readonly entry: MemoryEntry;
  /** Grows with every write: ties go to the newest. */
  readonly order: number;
  readonly words: ReadonlySet<string>;
  readonly keyWords: ReadonlySet<string>;
}

/** The memory of one agent in one run: only what it wrote itself. */
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

  /** Adds a line; says whether the oldest had to leave. */
  log(entry: MemoryEntry): boolean {
    this.#lines.push(this.#kept(entry));
    if (this.#lines.length <= MOST_LINES) return false;
    this.#lines.shift();
    return true;
  }

  /** Sets a note, in place of the one under its key. */
  note(entry: MemoryEntry & { readonly key: string }): void {
    this.#notes.set(entry.key, this.#kept(entry));
  }

  removeNote(key: string): boolean {
    return this.#notes.delete(key);
  }

  /**
   * Entries that hold words of a query, best first: a word in a key counts three, in a text two, the beginning of a word
   * one; ties go to the newest. Everything, newest first, for a query without words.
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

/** One memory per run, shared by the three memory tools. */
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
