/** Repeatable stream of pseudo-random numbers. The same seed gives the same stream on every machine. */
export interface Random {
  /** Returns a uniform number in [0, 1) with 53 random bits. */
  next(): number;
  /** Returns a uniform integer from `low` to `high`, both included. */
  integer(low: number, high: number): number;
  /** Returns a standard normal number. */
  normal(): number;
  /**
   * Returns an independent stream for a label. Does not depend on the numbers drawn from this stream so far.
   */
  fork(label: string): Random;
}

// FNV-1a hash, 32 bits. The generator has three state words, so its text is hashed with three different
// seeds.
function hashText(text: string, seed: number): number {
  let hash = (0x811c9dc5 ^ seed) >>> 0;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193) >>> 0;
  }
  return hash;
}

/**
 * Creates an sfc32 generator (Chris Doty-Humphrey, PractRand).
 *
 * @param seed any finite number
 * @param label name of the stream; with the same seed, different labels give independent streams
 */
export function createRandom(seed: number, label = ''): Random {
  const text = `${seed}/${label}`;
  let a = hashText(text, 1);
  let b = hashText(text, 2);
  let c = hashText(text, 3);
  let counter = 1;
  const word = (): number => {
    const sum = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + sum) | 0;
    return sum >>> 0;
  };
  for (let round = 0; round < 15; round++) word();

  const next = (): number => ((word() >>> 5) * 67_108_864 + (word() >>> 6)) / 9_007_199_254_740_992;
  let spare: number | undefined;
  const normal = (): number => {
    if (spare !== undefined) {
      const value = spare;
      spare = undefined;
      return value;
    }
    // Marsaglia's polar method. Uses only logarithm and square root, which all JavaScript engines round in
    // the same way.
    for (;;) {
      const x = 2 * next() - 1;
      const y = 2 * next() - 1;
      const square = x * x + y * y;
      if (square > 0 && square < 1) {
        const factor = Math.sqrt((-2 * Math.log(square)) / square);
        spare = y * factor;
        return x * factor;
      }
    }
  };
  return {
    next,
    integer: (low, high) => low + Math.floor(next() * (high - low + 1)),
    normal,
    fork: (child) => createRandom(seed, `${label}/${child}`),
  };
}

/** Returns a copy of a list in random order. Fisher–Yates shuffle. */
export function shuffled<Item>(items: readonly Item[], random: Random): Item[] {
  const mixed = [...items];
  for (let last = mixed.length - 1; last > 0; last--) {
    const other = random.integer(0, last);
    [mixed[last], mixed[other]] = [mixed[other]!, mixed[last]!];
  }
  return mixed;
}
