/**
 * Returns the mean length of blocks for resampling two series together: the longest length estimated from the
 * returns or squared returns of either series. Blocks of this length preserve short trends and periods of
 * high volatility.
 *
 * The length is at least n^⅓ and is rounded up to n^⅓ times a power of √2. Because of the rounding, many
 * pairs of series have the same length and share their resamples.
 */
export function blockLengthFor(first: Float64Array, second: Float64Array): number {
  const count = first.length;
  const least = Math.cbrt(count);
  const longest = Math.max(least, neededBlock(first), neededBlock(second));
  const steps = Math.ceil(2 * Math.log2(longest / least));
  return Math.max(1, Math.min(Math.round(least * 2 ** (steps / 2)), longestBlock(count)));
}

/** Cache of block lengths by series, because each run is compared with many other runs. */
const knownBlocks = new WeakMap<Float64Array, number>();

function neededBlock(returns: Float64Array): number {
  const known = knownBlocks.get(returns);
  if (known !== undefined) return known;
  const squares = returns.map((value) => value * value);
  const needed = Math.max(blockLengthOf(returns), blockLengthOf(squares));
  knownBlocks.set(returns, needed);
  return needed;
}

/**
 * Number of consecutive insignificant autocorrelations after which the search for the longest relevant lag
 * ends.
 */
const RUN = 5;

/**
 * Mean block length of the stationary bootstrap that best estimates the variance of a mean.
 *
 * Source: Politis & White, "Automatic Block-Length Selection for the Dependent Bootstrap", Econometric
 * Reviews 23 (2004), with the correction of Patton, Politis & White, Econometric Reviews 28 (2009). Results
 * equal `optimal_block_length` of Python's `arch` 8.0.0.
 *
 * @returns block length as a number of values, not rounded. Below 1 for independent values, 0 for constant
 *   values, 1 for fewer than ten values.
 */
export function blockLengthOf(values: Float64Array): number {
  const count = values.length;
  if (count < 2 * RUN) return 1;
  const mean = values.reduce((sum, value) => sum + value, 0) / count;
  const centred = values.map((value) => value - mean);
  const lastLag = Math.min(Math.ceil(Math.sqrt(count)) + RUN, count - 2);
  const critical = 2 * Math.sqrt(Math.log10(count) / count);
  const covariances = new Lags(centred);
  if (!(covariances.at(0) > 0)) return 0;

  const cut = firstQuietLag(covariances, lastLag, critical);
  const bandwidth = Math.min(cut === undefined ? lastLag : 2 * Math.max(cut, 1), lastLag);
  // Flat-top window: weight 1 for the first half of the lags, falling to 0 over the second half.
  let slope = 0;
  let spectrum = covariances.at(0);
  for (let lag = 1; lag <= bandwidth; lag++) {
    const weight = 2 * lag <= bandwidth ? 1 : 2 * (1 - lag / bandwidth);
    slope += 2 * weight * lag * covariances.at(lag);
    spectrum += 2 * weight * covariances.at(lag);
  }
  const best = Math.cbrt((2 * slope ** 2) / (2 * spectrum ** 2)) * Math.cbrt(count);
  return Math.min(best, longestBlock(count));
}

/** Upper limit of the mean block length for a number of values. */
export function longestBlock(count: number): number {
  return Math.ceil(Math.min(3 * Math.sqrt(count), count / 3));
}

/**
 * Autocovariances of centred values. Each lag is computed on first request, because most series need only a
 * few lags.
 */
class Lags {
  readonly #centred: Float64Array;
  readonly #known: number[] = [];
  /**
   * Sums of squares for the next lag. `#later` omits the first values, `#earlier` the last values. After a
   * request for a lag, both omit lag + 1 values.
   */
  #later: number;
  #earlier: number;

  constructor(centred: Float64Array) {
    this.#centred = centred;
    this.#later = centred.reduce((sum, value) => sum + value ** 2, 0);
    this.#earlier = this.#later;
  }

  at(lag: number): number {
    this.#known[lag] ??= this.#product(lag) / this.#centred.length;
    return this.#known[lag]!;
  }

  /** Absolute autocorrelation at a lag. Must be called with the lags 0, 1, 2 and so on, in this order. */
  correlation(lag: number): number {
    const { length } = this.#centred;
    this.#later -= this.#centred[lag]! ** 2;
    this.#earlier -= this.#centred[length - 1 - lag]! ** 2;
    return Math.abs(this.at(lag) * length) / Math.sqrt(this.#later * this.#earlier);
  }

  #product(lag: number): number {
    const centred = this.#centred;
    let product = 0;
    for (let at = lag; at < centred.length; at++) product += centred[at]! * centred[at - lag]!;
    return product;
  }
}

/**
 * Returns the first of `RUN` consecutive lags whose correlations are all insignificant. `undefined` if no
 * such lags exist.
 */
function firstQuietLag(covariances: Lags, lastLag: number, critical: number): number | undefined {
  let quiet = 0;
  for (let lag = 0; lag < lastLag; lag++) {
    quiet = covariances.correlation(lag) < critical ? quiet + 1 : 0;
    if (quiet === RUN) return lag - RUN + 1;
  }
  return undefined;
}
