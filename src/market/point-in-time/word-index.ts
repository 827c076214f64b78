import { longer, WordTable, wordsOf } from './word-table.ts';

/**
 * Parameters of BM25. `K1` limits the effect of a word that occurs often in a text. `B` is the influence of
 * the text's length, from 0 to 1.
 */
const K1 = 1.2;
const B = 0.75;
/** Maximum count of a word in a text. The count is stored in one byte next to the number of the text. */
const MOST_COUNT = 255;
/** Capacity of a word's first block. Each further block is twice as large, up to `LONGEST_BLOCK`. */
const FIRST_BLOCK = 2;
const LONGEST_BLOCK = 4096;

/** Text that matches a search, by its number in the index, with its score. */
export interface Match {
  readonly text: number;
  readonly score: number;
}

/**
 * Positions of the fields of a word: start of its first block, position of its next entry, free entries in
 * the current block, size of the current block, number of texts with the word, and newest entry.
 */
const [FIRST, NEXT, LEFT, BLOCK, COUNT, LAST] = [0, 1, 2, 3, 4, 5];
/** Number of integers stored per word. With eight, no word crosses a CPU cache line. */
const FIELDS = 8;

/**
 * Growing full-text index, ranked by BM25 (Robertson and Zaragoza, "The Probabilistic Relevance Framework:
 * BM25 and Beyond", 2009), with Lucene's inverse document frequency, which is never negative.
 *
 * A score depends only on statistics of the texts in the index: their number, their lengths, and the number
 * of texts that contain a word. Later texts are not in the index, so the scores at a given time are
 * reproducible.
 */
export class WordIndex {
  readonly #table = new WordTable();
  #words = new Int32Array(FIELDS * 256);
  /**
   * Blocks of all words. A block contains the start of the word's next block, then one entry per text with
   * the word. An entry is the number of the text × 256 plus the count. One array for all words needs far less
   * memory than hundreds of thousands of small arrays.
   */
  #blocks = new Int32Array(4096);
  #blocksEnd = 0;
  #lengths = new Uint32Array(64);
  #scores = new Float64Array(64);
  /** Numbers of the texts that a search has found so far. */
  #met = new Uint32Array(64);
  #wordCount = 0;
  #texts = 0;

  /** Number of texts in the index. */
  get length(): number {
    return this.#texts;
  }

  /** Adds a text. The number of the new text is the previous `length`. */
  add(text: string): void {
    const number = this.#texts;
    const known = this.#table.length;
    const words = this.#table.numbered(text);
    if (this.#words.length < FIELDS * this.#table.length)
      this.#words = longer(this.#words, FIELDS * this.#table.length);
    for (let word = known; word < this.#table.length; word++) this.#begin(word);
    for (let index = 0; index < words.length; index++) this.#count(words[index]!, number);
    if (number === this.#lengths.length) {
      this.#lengths = longer(this.#lengths, number + 1);
      this.#scores = new Float64Array(this.#lengths.length);
      this.#met = new Uint32Array(this.#lengths.length);
    }
    this.#lengths[number] = words.length;
    this.#wordCount += words.length;
    this.#texts += 1;
  }

  #begin(word: number): void {
    const begin = this.#newBlock(FIRST_BLOCK);
    this.#words.set([begin, begin + 1, FIRST_BLOCK, FIRST_BLOCK, 0], FIELDS * word);
  }

  #newBlock(length: number): number {
    const begin = this.#blocksEnd;
    this.#blocksEnd += length + 1;
    if (this.#blocks.length < this.#blocksEnd) this.#blocks = longer(this.#blocks, this.#blocksEnd);
    return begin;
  }

  #count(word: number, number: number): void {
    const [words, at] = [this.#words, FIELDS * word];
    let next = words[at + NEXT]!;
    const last = words[at + LAST]!;
    if (last >>> 8 === number && last !== 0) {
      if ((last & 255) < MOST_COUNT) {
        words[at + LAST] = last + 1;
        this.#blocks[next - 1] = last + 1;
      }
      return;
    }
    if (words[at + LEFT] === 0) {
      const length = Math.min(2 * words[at + BLOCK]!, LONGEST_BLOCK);
      const begin = this.#newBlock(length);
      this.#blocks[next - words[at + BLOCK]! - 1] = begin;
      words[at + BLOCK] = length;
      words[at + LEFT] = length;
      next = begin + 1;
    }
    words[at + LAST] = (number << 8) | 1;
    this.#blocks[next] = (number << 8) | 1;
    words[at + NEXT] = next + 1;
    words[at + LEFT]! -= 1;
    words[at + COUNT]! += 1;
  }

  /**
   * Returns the texts that contain any word of a query, best first. Texts of equal score are sorted newest
   * first.
   *
   * @param allows filter applied after scoring, so that it does not change scores. Default: all texts
   */
  search(
    query: string,
    limit: number,
    allows?: (text: number) => boolean,
  ): { readonly matches: readonly Match[]; readonly total: number } {
    const [scores, met] = [this.#scores, this.#met];
    let count = 0;
    for (const word of new Set(wordsOf(query))) {
      const id = this.#table.find(word);
      if (id !== undefined) count = this.#score(FIELDS * id, count);
    }
    const best = new Best(limit);
    let total = 0;
    for (let place = 0; place < count; place++) {
      const text = met[place]!;
      if (allows === undefined || allows(text)) {
        total += 1;
        best.offer(text, scores[text]!);
      }
      scores[text] = 0;
    }
    return { matches: best.sorted(), total };
  }

  /**
   * Adds a word's contribution to the scores of the texts with this word. Texts found for the first time are
   * appended to `#met`.
   */
  #score(word: number, metBefore: number): number {
    const [blocks, scores, lengths, met] = [this.#blocks, this.#scores, this.#lengths, this.#met];
    const average = this.#wordCount / Math.max(this.#texts, 1);
    const holding = this.#words[word + COUNT]!;
    const rarity = Math.log(1 + (this.#texts - holding + 0.5) / (holding + 0.5));
    let count = metBefore;
    let [block, size] = [this.#words[word + FIRST]!, FIRST_BLOCK];
    for (
      let left = holding;
      left > 0;
      left -= size, block = blocks[block]!, size = Math.min(2 * size, LONGEST_BLOCK)
    )
      for (let place = block + 1; place <= block + Math.min(size, left); place++) {
        const entry = blocks[place]!;
        const text = entry >>> 8;
        const often = entry & 255;
        const share = lengths[text]! / average;
        const before = scores[text]!;
        if (before === 0) met[count++] = text;
        scores[text] = before + (rarity * often * (K1 + 1)) / (often + K1 * (1 - B + B * share));
      }
    return count;
  }
}

/** Selects the best matches with a heap that has the worst match on top. */
class Best {
  readonly #limit: number;
  readonly #heap: Match[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  offer(text: number, score: number): void {
    const heap = this.#heap;
    if (heap.length < this.#limit) {
      heap.push({ text, score });
      this.#rise(heap.length - 1);
      return;
    }
    const worst = heap[0];
    if (worst === undefined || score < worst.score || (score === worst.score && text < worst.text)) return;
    heap[0] = { text, score };
    this.#sink();
  }

  sorted(): Match[] {
    return this.#heap.sort((a, b) => b.score - a.score || b.text - a.text);
  }

  #rise(from: number): void {
    const heap = this.#heap;
    for (let place = from; place > 0; ) {
      const parent = (place - 1) >>> 1;
      if (!isWorse(heap[place]!, heap[parent]!)) return;
      [heap[place], heap[parent]] = [heap[parent]!, heap[place]!];
      place = parent;
    }
  }

  #sink(): void {
    const heap = this.#heap;
    for (let place = 0; ; ) {
      let worst = place;
      for (const child of [2 * place + 1, 2 * place + 2])
        if (child < heap.length && isWorse(heap[child]!, heap[worst]!)) worst = child;
      if (worst === place) return;
      [heap[place], heap[worst]] = [heap[worst]!, heap[place]!];
      place = worst;
    }
  }
}

function isWorse(one: Match, other: Match): boolean {
  return one.score < other.score || (one.score === other.score && one.text < other.text);
}
