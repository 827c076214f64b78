/**
 * Exponentially weighted mean. Uses the same order of operations as pandas' `ewm`, so results are
 * bit-identical.
 *
 * For a `NaN`, the result is the previous mean. The weight of earlier values still decreases.
 */
export class Exponential {
  readonly #keep: number;
  readonly #share: number;
  readonly #normalised: boolean;
  readonly #least: number;
  #mean = Number.NaN;
  #weight = 1;
  #count = 0;

  /**
   * @param alpha weight of the newest value, from 0 to 1
   * @param options `normalised`: if true, divides by the sum of all weights; if false, the first value is the
   *   initial mean. `least`: number of values needed for the first result
   */
  constructor(
    alpha: number,
    { normalised, least }: { readonly normalised: boolean; readonly least: number },
  ) {
    const share = 1 / (1 + (1 / alpha - 1));
    this.#keep = 1 - share;
    this.#share = normalised ? 1 : share;
    this.#normalised = normalised;
    this.#least = least;
  }

  push(value: number): number {
    const known = !Number.isNaN(value);
    if (!Number.isNaN(this.#mean)) {
      this.#weight *= this.#keep;
      if (known) {
        this.#count += 1;
        const share = this.#share;
        if (this.#mean !== value)
          this.#mean = (this.#weight * this.#mean + share * value) / (this.#weight + share);
        this.#weight = this.#normalised ? this.#weight + share : 1;
      }
    } else if (known) {
      this.#mean = value;
      this.#count += 1;
    }
    return this.#count >= this.#least ? this.#mean : Number.NaN;
  }
}

/** Returns Wilder's average: normalised, with a weight of `1 / length` for the newest value. */
export function wilder(length: number): Exponential {
  return new Exponential(1 / length, { normalised: true, least: length });
}

/** Exponential average with the span `length`, seeded with the plain mean of the first `length` values. */
export class SeededExponential {
  readonly #average: Exponential;
  /** First values. `undefined` once they have been averaged. */
  #first: number[] | undefined = [];
  readonly #length: number;

  constructor(length: number) {
    this.#length = length;
    this.#average = new Exponential(2 / (length + 1), { normalised: false, least: 1 });
  }

  push(value: number): number {
    const first = this.#first;
    if (first === undefined) return this.#average.push(value);
    first.push(value);
    if (first.length < this.#length) return Number.NaN;
    this.#first = undefined;
    const known = first.filter((one) => !Number.isNaN(one));
    return this.#average.push(known.length === 0 ? Number.NaN : pairwiseSum(known) / known.length);
  }
}

/**
 * Sums values in the order of numpy's `add.reduce`, so that the initial mean of a `SeededExponential` equals
 * that of the Python package `ta` bit for bit.
 */
function pairwiseSum(values: readonly number[], from = 0, count = values.length): number {
  if (count < 8) {
    let sum = 0;
    for (let index = 0; index < count; index++) sum += values[from + index]!;
    return sum;
  }
  if (count > 128) {
    const half = Math.floor(count / 2) - (Math.floor(count / 2) % 8);
    return pairwiseSum(values, from, half) + pairwiseSum(values, from + half, count - half);
  }
  const sums = values.slice(from, from + 8);
  let index = 8;
  for (; index < count - (count % 8); index += 8)
    for (let lane = 0; lane < 8; lane++) sums[lane]! += values[from + index + lane]!;
  const [a, b, c, d, e, f, g, h] = sums as [number, number, number, number, number, number, number, number];
  let sum = a + b + (c + d) + (e + f + (g + h));
  for (; index < count; index++) sum += values[from + index]!;
  return sum;
}

/**
 * Mean and variance of the newest `length` values.
 *
 * Blocks of 1, 2, 4, … values are merged (Chan, Golub & LeVeque 1979), in the order of `_windows.py` of `ta`.
 * A result depends only on the values of its window and equals that of `ta` bit for bit. The cost of a step
 * grows with the logarithm of the length, and does not depend on the number of earlier values.
 */
export class RollingMoments {
  readonly #length: number;
  /**
   * Ring buffers of means and sums of squared deviations, for blocks of 1, 2, 4, … values and for merged
   * blocks. The buffer for size `s` starts at index `s` and contains the last `s` results.
   */
  readonly #blockMeans: Float64Array;
  readonly #blockSpreads: Float64Array;
  readonly #partMeans: Float64Array;
  readonly #partSpreads: Float64Array;
  #position = 0;
  #mean = Number.NaN;
  #spread = Number.NaN;

  constructor(length: number) {
    this.#length = length;
    const room = 2 ** (Math.floor(Math.log2(length)) + 1);
    this.#blockMeans = new Float64Array(room).fill(Number.NaN);
    this.#blockSpreads = new Float64Array(room);
    this.#partMeans = new Float64Array(room).fill(Number.NaN);
    this.#partSpreads = new Float64Array(room);
  }

  /** Mean of a full window. `NaN` until the window is full, and while it contains `NaN` or an infinity. */
  get mean(): number {
    return this.#mean;
  }

  /** Standard deviation with the divisor `length - freedom`. `NaN` if the divisor is 0. */
  deviation(freedom: number): number {
    return this.#length <= freedom ? Number.NaN : Math.sqrt(this.#spread / (this.#length - freedom));
  }

  push(value: number): void {
    const length = this.#length;
    const position = this.#position++;
    let blockMean = Number.isFinite(value) ? value : Number.NaN;
    let blockSpread = 0;
    let mean = 0;
    let spread = 0;
    let covered = 0;
    for (let size = 1; ; size *= 2) {
      const slot = size + (position & (size - 1));
      if ((length & size) !== 0) {
        if (covered === 0) {
          mean = blockMean;
          spread = blockSpread;
        } else {
          const olderMean = this.#partMeans[slot]!;
          const olderSpread = this.#partSpreads[slot]!;
          this.#partMeans[slot] = mean;
          this.#partSpreads[slot] = spread;
          const both = covered + size;
          const delta = blockMean - olderMean;
          spread = olderSpread + blockSpread + delta * delta * ((covered * size) / both);
          mean = olderMean + delta * (size / both);
        }
        covered += size;
      }
      if (size * 2 > length) break;
      const olderMean = this.#blockMeans[slot]!;
      const olderSpread = this.#blockSpreads[slot]!;
      this.#blockMeans[slot] = blockMean;
      this.#blockSpreads[slot] = blockSpread;
      const delta = blockMean - olderMean;
      blockSpread = olderSpread + blockSpread + delta * delta * (size / 2);
      blockMean = olderMean + delta * 0.5;
    }
    this.#mean = mean;
    this.#spread = spread;
  }
}

/** Maximum or minimum of the newest `length` values. A step takes constant time on average. */
export class RollingExtreme {
  readonly #length: number;
  readonly #sign: 1 | -1;
  /** Ring buffer of the values that can still become the extreme, from the most extreme to the least. */
  readonly #values: Float64Array;
  readonly #positions: Float64Array;
  #head = 0;
  #count = 0;
  #position = 0;
  #lastGap = -1;

  constructor(length: number, extreme: 'highest' | 'lowest') {
    this.#length = length;
    this.#sign = extreme === 'highest' ? 1 : -1;
    this.#values = new Float64Array(length);
    this.#positions = new Float64Array(length);
  }

  /**
   * Returns the extreme of a full window. `NaN` until the window is full, and while it contains `NaN` or an
   * infinity.
   */
  push(value: number): number {
    const length = this.#length;
    const position = this.#position++;
    if (this.#count > 0 && this.#positions[this.#head]! <= position - length) {
      this.#head = (this.#head + 1) % length;
      this.#count -= 1;
    }
    if (Number.isFinite(value)) {
      const signed = this.#sign * value;
      while (this.#count > 0 && this.#values[(this.#head + this.#count - 1) % length]! <= signed)
        this.#count -= 1;
      const end = (this.#head + this.#count) % length;
      this.#values[end] = signed;
      this.#positions[end] = position;
      this.#count += 1;
    } else this.#lastGap = position;
    if (position < length - 1 || this.#lastGap > position - length) return Number.NaN;
    return this.#sign * this.#values[this.#head]!;
  }
}
