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
const ASCII = /^[\0-\x7f]*$/;

/** The texts that hold a word, in order: each its number × 256 and how often. */
interface Postings {
  packed: Uint32Array;
  count: number;
}

/** A text that matches, by its number. */
export interface Match {
  readonly text: number;
  readonly score: number;
}

/** The words of a text: runs of letters and digits, in small letters. */
export function wordsOf(text: string): readonly string[] {
  const small = text.toLowerCase();
  return (
    (ASCII.test(small) ? small.match(/[a-z0-9]+/g) : small.normalize('NFKC').match(/[\p{L}\p{N}]+/gu)) ?? []
  );
}

export class WordIndex {
  readonly #postings = new Map<string, Postings>();
  #lengths = new Uint32Array(64);
  #scores = new Float64Array(64);
  /** Texts that a search has met, by their numbers. */
  #met = new Uint32Array(64);
  #words = 0;
  #texts = 0;

  /** Texts in it. */
  get length(): number {
    return this.#texts;
  }

  /** Adds a text; its number is the length before. */
  add(text: string): void {
    const number = this.#texts;
    const words = wordsOf(text);
    for (const word of words) this.#count(word, number);
    if (number === this.#lengths.length) {
      this.#lengths = longer(this.#lengths);
      this.#scores = new Float64Array(this.#lengths.length);
      this.#met = new Uint32Array(this.#lengths.length);
    }
    this.#lengths[number] = words.length;
    this.#words += words.length;
    this.#texts += 1;
  }

  #count(word: string, number: number): void {
    const known = this.#postings.get(word);
    if (known === undefined) {
      this.#postings.set(word, { packed: Uint32Array.of(number * 256 + 1), count: 1 });
      return;
    }
    const last = known.packed[known.count - 1]!;
    if (last >>> 8 === number) {
      if ((last & 255) < MOST_COUNT) known.packed[known.count - 1] = last + 1;
      return;
    }
    if (known.count === known.packed.length) known.packed = longer(known.packed);
    known.packed[known.count] = number * 256 + 1;
    known.count += 1;
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
    const [scores, lengths, met] = [this.#scores, this.#lengths, this.#met];
    const average = this.#words / Math.max(this.#texts, 1);
    let count = 0;
    for (const word of new Set(wordsOf(query))) {
      const found = this.#postings.get(word);
      if (found === undefined) continue;
      const { packed, count: holding } = found;
      const rarity = Math.log(1 + (this.#texts - holding + 0.5) / (holding + 0.5));
      for (let place = 0; place < holding; place++) {
        const entry = packed[place]!;
        const text = entry >>> 8;
        const often = entry & 255;
        const share = lengths[text]! / average;
        const before = scores[text]!;
        if (before === 0) met[count++] = text;
        scores[text] = before + (rarity * often * (K1 + 1)) / (often + K1 * (1 - B + B * share));
      }
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

function longer(numbers: Uint32Array): Uint32Array<ArrayBuffer> {
  const grown = new Uint32Array(Math.ceil(numbers.length * 1.5) + 1);
  grown.set(numbers);
  return grown;
}
