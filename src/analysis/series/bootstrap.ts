import { blockLengthOf, longestBlock } from './block-length.ts';
import { CONFIDENCE, calibratedTail } from './calibration.ts';
import { quantileOf } from './quantiles.ts';
import {
  type Draw,
  RESAMPLES,
  type Resamples,
  resampledMeans,
  resampledSum,
  runningSums,
} from './resamples.ts';
import { mean } from './statistics.ts';

/** Estimate with its 95 % interval. */
export interface Interval {
  readonly estimate: number;
  readonly low: number;
  readonly high: number;
}

export interface PairedDifference {
  /** Difference of mean session returns, annualised: a simple sum, not compounded. */
  readonly meanReturn: Interval;
  /** Difference of annualised Sharpe ratios. Undefined if one of the series does not vary. */
  readonly sharpe: Interval | undefined;
  readonly resamples: number;
  /** Mean length of the blocks, in sessions. */
  readonly blockLength: number;
  readonly confidence: number;
}

/** Resamples of a pair of series. */
export interface PairedResamples {
  readonly resamples: Resamples;
  /**
   * First series minus the second, session by session. Sessions with equal returns have a difference of
   * exactly 0.
   */
  readonly differences: Float64Array;
  /** Mean difference of each resample. */
  readonly means: Float64Array;
  /** Share of resamples beyond each end of an interval. */
  readonly tail: number;
}

/**
 * Returns resamples for two series of session returns. The data determine the block length. The tails are
 * calibrated by the difference of the means.
 *
 * @param second returns of the same sessions
 */
export function pairedResamples(first: Float64Array, second: Float64Array, draw: Draw): PairedResamples {
  const resamples = draw(first.length, blockLengthFor(first, second));
  const differences = first.map((one, at) => one - second[at]!);
  const means = resampledMeans(differences, resamples);
  return { resamples, differences, means, tail: calibratedTail(differences, means) };
}

/**
 * Mean block length for two series: the longest that their returns or squared returns need, so that short trends and periods
 * of high volatility stay together. At least n^⅓, rounded up to a step of √2 so that pairs share resamples.
 */
function blockLengthFor(first: Float64Array, second: Float64Array): number {
  const count = first.length;
  const least = Math.cbrt(count);
  const longest = Math.max(least, neededBlock(first), neededBlock(second));
  const steps = Math.ceil(2 * Math.log2(longest / least));
  return Math.max(1, Math.min(Math.round(least * 2 ** (steps / 2)), longestBlock(count)));
}

/** Caches block lengths, because a run is compared with many others. */
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
 * Difference between two runs with its interval, by the paired stationary bootstrap.
 *
 * Session returns of both runs are resampled together, in blocks that wrap around the end. Common moves of a
 * session and dependence on earlier sessions are preserved. Intervals are quantiles of the resamples,
 * calibrated: see `calibratedTail`.
 *
 * @param first session returns
 * @param second returns of the same sessions
 * @returns undefined for fewer than ten sessions
 */
export function pairedDifference(
  first: Float64Array,
  second: Float64Array,
  periodsPerYear: number,
  draw: Draw,
): PairedDifference | undefined {
  const count = first.length;
  if (count < 10) return undefined;
  const yearly = Math.sqrt(periodsPerYear);
  const { resamples, differences, means, tail } = pairedResamples(first, second, draw);
  const [ownSharpes, otherSharpes] = [sharpesOf(first, resamples), sharpesOf(second, resamples)];
  const sharpes = new Float64Array(RESAMPLES);
  for (let resample = 0; resample < RESAMPLES; resample++)
    sharpes[resample] = (ownSharpes[resample]! - otherSharpes[resample]!) * yearly;
  const estimate = (ownSharpes[RESAMPLES]! - otherSharpes[RESAMPLES]!) * yearly;
  return {
    meanReturn: interval(
      mean(differences) * periodsPerYear,
      means.map((one) => one * periodsPerYear),
      tail,
    ),
    sharpe:
      Number.isFinite(estimate) && sharpes.every(Number.isFinite)
        ? interval(estimate, sharpes, tail)
        : undefined,
    resamples: RESAMPLES,
    blockLength: resamples.blockLength,
    confidence: CONFIDENCE,
  };
}

/** Caches ratios, because a run is compared with many others by the same resamples. */
const knownSharpes = new WeakMap<Resamples, WeakMap<Float64Array, Float64Array>>();

/** Sharpe ratio of each resample, not annualised. The last entry is the ratio over all sessions. */
function sharpesOf(returns: Float64Array, resamples: Resamples): Float64Array {
  const ofThese = knownSharpes.get(resamples) ?? new WeakMap<Float64Array, Float64Array>();
  knownSharpes.set(resamples, ofThese);
  const known = ofThese.get(returns);
  if (known !== undefined) return known;
  const count = returns.length;
  const sums = runningSums(returns);
  const squares = runningSums(returns.map((one) => one ** 2));
  const sharpes = new Float64Array(RESAMPLES + 1);
  for (let resample = 0; resample < RESAMPLES; resample++)
    sharpes[resample] = sharpe(
      resampledSum(sums, resamples, resample),
      resampledSum(squares, resamples, resample),
      count,
    );
  sharpes[RESAMPLES] = sharpe(sums[count]!, squares[count]!, count);
  ofThese.set(returns, sharpes);
  return sharpes;
}

/** Mean over standard deviation (ddof 1), from sums. NaN or infinite if returns do not vary. */
function sharpe(sum: number, squares: number, count: number): number {
  const mean = sum / count;
  return mean / Math.sqrt((squares - count * mean * mean) / (count - 1));
}

/**
 * Interval between two quantiles of the resamples.
 *
 * @param tail share of resamples beyond each end
 */
export function interval(estimate: number, resamples: Float64Array, tail: number): Interval {
  const sorted = Float64Array.from(resamples).sort();
  return { estimate, low: quantileOf(sorted, tail), high: quantileOf(sorted, 1 - tail) };
}
