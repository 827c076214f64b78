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
  // Room for a tenth more blocks than there will be on average; of short runs, for one of each session.
  let room = Math.ceil(RESAMPLES * Math.min(sessions, (1.1 * sessions) / blockLength + 1));
  let starts = new Int32Array(room);
  let ends = new Int32Array(room);
  const firstBlocks = new Int32Array(RESAMPLES + 1);
  let blocks = 0;
  for (let resample = 0; resample < RESAMPLES; resample++) {
    for (let left = sessions; left > 0; ) {
      if (blocks === room) {
        room *= 2;
        starts = grown(starts, room);
        ends = grown(ends, room);
      }
      const start = Math.floor(random.next() * sessions);
      // By the inverse of the geometric distribution; 1 − u is never 0.
      const length = Math.min(1 + Math.floor(Math.log(1 - random.next()) / goesOn), left);
      starts[blocks] = start;
      ends[blocks] = start + length;
      blocks += 1;
      left -= length;
    }
    firstBlocks[resample + 1] = blocks;
  }
  return {
    sessions,
    blockLength,
    starts: starts.subarray(0, blocks),
    ends: ends.subarray(0, blocks),
    firstBlocks,
  };
}

function grown(values: Int32Array, room: number): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(room);
  larger.set(values);
  return larger;
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
  const yearly = Math.sqrt(periodsPerYear);
  const [ownSharpes, otherSharpes] = [sharpesOf(first, resamples), sharpesOf(second, resamples)];
  // Summed by itself: days on which both did the same leave no rounding behind.
  const running = runningSums(first.map((one, at) => one - second[at]!));
  const means = new Float64Array(RESAMPLES);
  const sharpes = new Float64Array(RESAMPLES);
  for (let resample = 0; resample < RESAMPLES; resample++) {
    means[resample] = (resampledSum(running, resamples, resample) / count) * periodsPerYear;
    sharpes[resample] = (ownSharpes[resample]! - otherSharpes[resample]!) * yearly;
  }
  const estimate = (ownSharpes[RESAMPLES]! - otherSharpes[RESAMPLES]!) * yearly;
  return {
    meanReturn: interval((running[count]! / count) * periodsPerYear, means),
    sharpe:
      Number.isFinite(estimate) && sharpes.every(Number.isFinite) ? interval(estimate, sharpes) : undefined,
    resamples: RESAMPLES,
    blockLength: resamples.blockLength,
    confidence: CONFIDENCE,
  };
}

/** A run is compared with each of many others by the same draws. */
const knownSharpes = new WeakMap<Resamples, WeakMap<Float64Array, Float64Array>>();

/** The Sharpe ratio of each resample, not annualised, and that of all sessions last. */
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

/** Sums of everything before each session, over the sessions twice: a block that wraps around is one difference, too. */
function runningSums(values: Float64Array): Float64Array {
  const count = values.length;
  const sums = new Float64Array(2 * count + 1);
  for (let at = 0; at < 2 * count; at++) sums[at + 1] = sums[at]! + values[at < count ? at : at - count]!;
  return sums;
}

function resampledSum(running: Float64Array, resamples: Resamples, resample: number): number {
  const { starts, ends, firstBlocks } = resamples;
  const last = firstBlocks[resample + 1]!;
  let sum = 0;
  for (let block = firstBlocks[resample]!; block < last; block++)
    sum += running[ends[block]!]! - running[starts[block]!]!;
  return sum;
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
