import { longer, WordTable, wordsOf } from './word-table.ts';

/**
 * A full-text index that grows, ranked by BM25 (Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and
 * Beyond", 2009), with the inverse document frequency of Lucene, which is never negative.
 *
 * Every figure of a score is of the texts in the index alone: how many there are, how long, how many hold a word. An index
 * of what is known at a time therefore scores as it always will have done at that time.
 */
const K1 = 1.2;
const B = 0.75;
/** A word's count in a text is kept in one byte beside the number of the text. */
const MOST_COUNT = 255;
/** Room for texts in a word's first block; each next block is twice as long, up to the longest. */
const FIRST_BLOCK = 2;
const LONGEST_BLOCK = 4096;

/** A text that matches, by its number. */
export interface Match {
  readonly text: number;
  readonly score: number;
}

/** Of a word: its first block, the place for its next text, how many fit before its block is full and how many do in all, how many texts hold it, and the newest of them as in the block. */
const [FIRST, NEXT, LEFT, BLOCK, COUNT, LAST] = [0, 1, 2, 3, 4, 5];
/** Numbers for each word: with eight of them none lies in two lines of the processor's cache. */
const FIELDS = 8;

export class WordIndex {
  readonly #table = new WordTable();
  #words = new Int32Array(FIELDS * 256);
  /**
   * All words' blocks: where its next block begins, then the texts that hold the word, in order: each its number × 256 and
   * how often. One array for all of them: hundreds of thousands of small ones cost more than what is in them.
   */
  #blocks = new Int32Array(4096);
  #blocksEnd = 0;
  #lengths = new Uint32Array(64);
  #scores = new Float64Array(64);
  /** Texts that a search has met, by their numbers. */
  #met = new Uint32Array(64);
  #wordCount = 0;
  #texts = 0;

  /** Texts in it. */
  get length(): number {
    return this.#texts;
  }

  /** Adds a text; its number is the length before. */
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
   * The texts that hold any word of a query, best first; of two that are as good the newer one.
   *
   * @param allows what may be found, asked after scoring: it changes no score; everything when left out
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

  /** Adds a word's share to the scores of the texts that hold it, and those that are new to the texts met. */
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

/** The best so many of any number of matches, as a heap with the worst of them on top. */
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
