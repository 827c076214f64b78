/**
 * Exponentially weighted mean, in the order of operations of pandas' `ewm`, so that results are equal bit for bit.
 *
 * `NaN` repeats the previous mean, with less weight.
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
   * @param alpha share of the newest value, from 0 to 1
   * @param options `normalised` divides by the sum of weights; otherwise the first value is the seed. `least` is
   *   the number of values before the first result
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

/** Sums in the order of numpy's `add.reduce`, so that a seed equals that of `ta` bit for bit. */
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
