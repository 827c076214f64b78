import type { Random } from '../../kernel/random.ts';

/** An estimate with the interval that a share of its resamples lies in. */
export interface Interval {
  readonly estimate: number;
  readonly low: number;
  readonly high: number;
}

export interface PairedDifference {
  /** Of mean session returns, a year: a simple sum, not compounded. */
  readonly meanReturn: Interval;
  /** Of annualised Sharpe ratios; undefined where one of the two does not vary. */
  readonly sharpe: Interval | undefined;
  readonly resamples: number;
  /** Mean length of the blocks, in sessions. */
  readonly blockLength: number;
  readonly confidence: number;
}

const RESAMPLES = 1_000;
const CONFIDENCE = 0.95;

/** Which sessions each resample takes, as blocks of sessions that follow each other; made once for all runs of a length. */
export interface Resamples {
  readonly sessions: number;
  readonly blockLength: number;
  /** First session of each block. */
  readonly starts: Int32Array;
  /** One after its last session; beyond the number of sessions where it wraps around. */
  readonly ends: Int32Array;
  /** Index of the first block of each resample, and the number of blocks last. */
  readonly firstBlocks: Int32Array;
}

/**
 * Draws blocks of geometric length, the stationary bootstrap.
 *
 * Source: Politis & Romano, "The Stationary Bootstrap", JASA 89 (1994).
 *
 * @param random seeded, so that the same runs give the same intervals
 */
export function drawResamples(sessions: number, random: Random): Resamples {
  const blockLength = Math.max(1, Math.round(sessions ** (1 / 3)));
  const goesOn = Math.log(1 - 1 / blockLength);
  const starts: number[] = [];
  const ends: number[] = [];
  const firstBlocks = [0];
  for (let resample = 0; resample < RESAMPLES; resample++) {
    for (let left = sessions; left > 0; ) {
      const start = Math.floor(random.next() * sessions);
      // By the inverse of the geometric distribution; 1 − u is never 0.
      const length = Math.min(1 + Math.floor(Math.log(1 - random.next()) / goesOn), left);
      starts.push(start);
      ends.push(start + length);
      left -= length;
    }
    firstBlocks.push(starts.length);
  }
  return {
    sessions,
    blockLength,
    starts: Int32Array.from(starts),
    ends: Int32Array.from(ends),
    firstBlocks: Int32Array.from(firstBlocks),
  };
}

/**
 * How sure the difference between two runs is: the paired stationary bootstrap.
 *
 * Both runs' session returns are resampled together, in blocks that wrap around the end, so that what they share on a day
 * and what a day owes to the day before stay in place. Percentile intervals.
 *
 * @param first session returns
 * @param second of the same sessions
 * @returns undefined for fewer than ten sessions
 */
export function pairedDifference(
  first: Float64Array,
  second: Float64Array,
  periodsPerYear: number,
  resamples: Resamples,
): PairedDifference | undefined {
  const count = first.length;
  if (count < 10) return undefined;
  const means = new Float64Array(RESAMPLES);
  const sharpes = new Float64Array(RESAMPLES);
  const yearly = Math.sqrt(periodsPerYear);
  const sharpeDifference = (sums: Sums): number =>
    (sharpe(sums.first, sums.firstSquares, count) - sharpe(sums.second, sums.secondSquares, count)) * yearly;
  const running = runningSums(first, second);
  for (let resample = 0; resample < RESAMPLES; resample++) {
    const sums = resampled(running, resamples, resample);
    means[resample] = (sums.difference / count) * periodsPerYear;
    sharpes[resample] = sharpeDifference(sums);
  }
  const whole = between(running, 0, count);
  const estimate = sharpeDifference(whole);
  return {
    meanReturn: interval((whole.difference / count) * periodsPerYear, means),
    sharpe:
      Number.isFinite(estimate) && sharpes.every(Number.isFinite) ? interval(estimate, sharpes) : undefined,
    resamples: RESAMPLES,
    blockLength: resamples.blockLength,
    confidence: CONFIDENCE,
  };
}

interface Sums {
  first: number;
  firstSquares: number;
  second: number;
  secondSquares: number;
  /** Of first less second, summed by itself: days on which both did the same leave no rounding behind. */
  difference: number;
}

/** Sums of everything before each session, over the sessions twice: a block that wraps around is one difference, too. */
type RunningSums = { readonly [Name in keyof Sums]: Float64Array };

function runningSums(first: Float64Array, second: Float64Array): RunningSums {
  const upTo = (value: (index: number) => number): Float64Array => {
    const sums = new Float64Array(2 * first.length + 1);
    for (let at = 0; at < 2 * first.length; at++) sums[at + 1] = sums[at]! + value(at % first.length);
    return sums;
  };
  return {
    first: upTo((at) => first[at]!),
    firstSquares: upTo((at) => first[at]! ** 2),
    second: upTo((at) => second[at]!),
    secondSquares: upTo((at) => second[at]! ** 2),
    difference: upTo((at) => first[at]! - second[at]!),
  };
}

function between(running: RunningSums, start: number, end: number): Sums {
  const sums: Sums = { first: 0, firstSquares: 0, second: 0, secondSquares: 0, difference: 0 };
  addBlock(sums, running, start, end);
  return sums;
}

function addBlock(sums: Sums, running: RunningSums, start: number, end: number): void {
  sums.first += running.first[end]! - running.first[start]!;
  sums.firstSquares += running.firstSquares[end]! - running.firstSquares[start]!;
  sums.second += running.second[end]! - running.second[start]!;
  sums.secondSquares += running.secondSquares[end]! - running.secondSquares[start]!;
  sums.difference += running.difference[end]! - running.difference[start]!;
}

function resampled(running: RunningSums, resamples: Resamples, resample: number): Sums {
  const { starts, ends, firstBlocks } = resamples;
  const sums: Sums = { first: 0, firstSquares: 0, second: 0, secondSquares: 0, difference: 0 };
  for (let block = firstBlocks[resample]!; block < firstBlocks[resample + 1]!; block++)
    addBlock(sums, running, starts[block]!, ends[block]!);
  return sums;
}

/** Mean over standard deviation (ddof 1), from sums. NaN or infinite where returns do not vary. */
function sharpe(sum: number, squares: number, count: number): number {
  const mean = sum / count;
  return mean / Math.sqrt((squares - count * mean * mean) / (count - 1));
}

export function interval(estimate: number, resamples: Float64Array): Interval {
  const sorted = Float64Array.from(resamples).sort();
  const at = (share: number): number => sorted[Math.round(share * (sorted.length - 1))]!;
  return { estimate, low: at((1 - CONFIDENCE) / 2), high: at((1 + CONFIDENCE) / 2) };
}
