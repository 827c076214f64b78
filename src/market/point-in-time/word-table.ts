const ASCII = /^[\0-\x7f]*$/;

/** Words of a text: sequences of letters and digits, in lower case. */
export function wordsOf(text: string): readonly string[] {
  const small = text.toLowerCase();
  return (
    (ASCII.test(small) ? small.match(/[a-z0-9]+/g) : small.normalize('NFKC').match(/[\p{L}\p{N}]+/gu)) ?? []
  );
}

/** Lower-case code of each ASCII character that can be in a word. 0 for characters that end a word. */
const FOLDED = Uint16Array.from({ length: 128 }, (_, code) => {
  const small = String.fromCharCode(code).toLowerCase();
  return /[a-z0-9]/.test(small) ? small.charCodeAt(0) : 0;
});

// FNV-1a, 32 bits (Fowler, Noll and Vo).
const HASH_BASE = 0x811c9dc5 | 0;
const HASH_PRIME = 0x01000193;

/**
 * Number of fields per slot: number of the word plus 1 (0 if free), hash, start of its characters, number of
 * its characters.
 */
const SLOT = 4;

/**
 * Numbers words from 0, in the order of their first occurrence.
 *
 * Uses a hash table over character codes. ASCII texts are split without creating a string per word, because
 * these strings would be the largest cost of indexing.
 */
export class WordTable {
  /**
   * Slots by hash, with the fields described at `SLOT`. The fields needed for a comparison are adjacent,
   * because access to distant memory is slow.
   */
  #slots = new Int32Array(SLOT * 1024);
  /** End of the used part of `#characters`, which contains the characters of all words. */
  #end = 0;
  #characters = new Uint16Array(4096);
  #ids = new Int32Array(256);
  #length = 0;

  /** Number of words in the table. */
  get length(): number {
    return this.#length;
  }

  /** Returns the numbers of a text's words and adds new words. The result is valid until the next call. */
  numbered(text: string): Int32Array {
    const end = this.#end;
    // Reserves space for the case that every word is new, and for one more word that is being read.
    if (this.#characters.length < end + 2 * text.length + 2)
      this.#characters = longer(this.#characters, end + 2 * text.length + 2);
    if (this.#ids.length < text.length) this.#ids = longer(this.#ids, text.length);
    let count = 0;
    let [characters, start, place, hash] = [this.#characters, end, end, HASH_BASE];
    for (let index = 0; index <= text.length; index++) {
      const code = index < text.length ? text.charCodeAt(index) : 0;
      if (code > 127) return this.#numberedSlowly(text);
      const folded = FOLDED[code]!;
      if (folded !== 0) {
        characters[place++] = folded;
        hash = Math.imul(hash ^ folded, HASH_PRIME);
      } else if (place > start) {
        this.#ids[count++] = this.#idOf(start, place, hash, true);
        start = this.#end;
        place = start;
        hash = HASH_BASE;
        characters = this.#characters;
      }
    }
    return this.#ids.subarray(0, count);
  }

  /**
   * Returns the number of a word in lower case, as produced by `wordsOf`. `undefined` for an unknown word.
   */
  find(word: string): number | undefined {
    const id = this.#written(word, false);
    return id < 0 ? undefined : id;
  }

  #numberedSlowly(text: string): Int32Array {
    const words = wordsOf(text);
    if (this.#ids.length < words.length) this.#ids = longer(this.#ids, words.length);
    for (const [index, word] of words.entries()) this.#ids[index] = this.#written(word, true);
    return this.#ids.subarray(0, words.length);
  }

  #written(word: string, isAdded: boolean): number {
    const start = this.#end;
    const needed = start + word.length;
    if (this.#characters.length < needed) this.#characters = longer(this.#characters, needed);
    let hash = HASH_BASE;
    for (let index = 0; index < word.length; index++) {
      const code = word.charCodeAt(index);
      this.#characters[start + index] = code;
      hash = Math.imul(hash ^ code, HASH_PRIME);
    }
    return this.#idOf(start, needed, hash, isAdded);
  }

  /**
   * Returns the number of the word that was written last to `#characters`. If the word is unknown, adds it,
   * or returns -1 if `isAdded` is false.
   */
  #idOf(start: number, end: number, hash: number, isAdded: boolean): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    const length = end - start;
    let slot = placeOf(hash) & mask;
    for (let id = slots[slot]!; id !== 0; id = slots[slot]!) {
      if (
        slots[slot + 1] === hash &&
        slots[slot + 3] === length &&
        this.#isSame(slots[slot + 2]!, start, length)
      )
        return id - 1;
      slot = (slot + SLOT) & mask;
    }
    if (!isAdded) return -1;
    const id = this.#length++;
    slots[slot] = id + 1;
    slots[slot + 1] = hash;
    slots[slot + 2] = start;
    slots[slot + 3] = length;
    this.#end = end;
    if (2 * SLOT * this.#length > slots.length) this.#grow();
    return id;
  }

  #isSame(one: number, other: number, length: number): boolean {
    const characters = this.#characters;
    for (let index = length - 1; index >= 0; index--)
      if (characters[one + index] !== characters[other + index]) return false;
    return true;
  }

  #grow(): void {
    const before = this.#slots;
    const slots = new Int32Array(4 * before.length);
    const mask = slots.length - 1;
    for (let from = 0; from < before.length; from += SLOT) {
      if (before[from] === 0) continue;
      let slot = placeOf(before[from + 1]!) & mask;
      while (slots[slot] !== 0) slot = (slot + SLOT) & mask;
      slots.set(before.subarray(from, from + SLOT), slot);
    }
    this.#slots = slots;
  }
}

/** Returns the slot at which the search for a word with this hash begins. */
function placeOf(hash: number): number {
  return Math.imul(hash ^ (hash >>> 15), SLOT);
}

/** Returns a copy with at least the needed capacity and at least 1.5 times the previous capacity. */
export function longer<Numbers extends Uint32Array | Int32Array | Uint16Array>(
  numbers: Numbers,
  needed: number,
): Numbers {
  const Kind = numbers.constructor as new (length: number) => Numbers;
  const grown = new Kind(Math.max(needed, Math.ceil(numbers.length * 1.5)));
  grown.set(numbers);
  return grown;
}
