import { createRandom, type Random } from '../../../kernel/random.ts';

/** Number of resamples for each interval. */
export const RESAMPLES = 1_000;
/** Number of cached sets of resamples. */
const REMEMBERED = 8;

/**
 * Bootstrap resamples. Each resample consists of blocks of consecutive sessions. All pairs of series with the
 * same number of sessions and the same block length share one object.
 */
export interface Resamples {
  readonly sessions: number;
  readonly blockLength: number;
  /** First session of each block. */
  readonly starts: Int32Array;
  /**
   * Index after the last session of each block. Exceeds the number of sessions if a block continues at the
   * first session.
   */
  readonly ends: Int32Array;
  /** Index of the first block of each resample. The last entry is the number of blocks. */
  readonly firstBlocks: Int32Array;
}

/** Draws resamples of `sessions` sessions in blocks with a mean length of `blockLength`. */
export type Draw = (sessions: number, blockLength: number) => Resamples;

/**
 * Returns a function that draws resamples and caches the `REMEMBERED` most recent sets. The seed is fixed, so
 * repeated comparisons of the same runs have the same intervals.
 *
 * @param stream name of the stream of random numbers. Streams with different names are independent
 */
export function seededDraws(stream: string): Draw {
  const known = new Map<string, Resamples>();
  return (sessions, blockLength) => {
    const key = `${sessions} ${blockLength}`;
    const found = known.get(key) ?? drawResamples(sessions, blockLength, createRandom(0, stream));
    known.delete(key);
    known.set(key, found);
    if (known.size > REMEMBERED) known.delete(known.keys().next().value!);
    return found;
  };
}

/**
 * Draws blocks of geometric length (stationary bootstrap).
 *
 * Source: Politis & Romano, "The Stationary Bootstrap", JASA 89 (1994).
 */
export function drawResamples(sessions: number, blockLength: number, random: Random): Resamples {
  const logContinue = Math.log(1 - 1 / blockLength);
  // Reserves space for 10 % more blocks than expected, but at most one block per session.
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
      // Draws a length from the geometric distribution by the inverse distribution function. The argument of
      // the logarithm is never 0, because `next()` is below 1.
      const length = Math.min(1 + Math.floor(Math.log(1 - random.next()) / logContinue), left);
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

/** Returns the mean of the values in each resample. */
export function resampledMeans(values: Float64Array, resamples: Resamples): Float64Array {
  const running = runningSums(values);
  const means = new Float64Array(RESAMPLES);
  for (let resample = 0; resample < RESAMPLES; resample++)
    means[resample] = resampledSum(running, resamples, resample) / values.length;
  return means;
}

/**
 * Returns running sums: element i is the sum of the values before session i. The sums cover all sessions
 * twice. The sum over any block, even if the block continues at the first session, is therefore the
 * difference of two elements.
 */
export function runningSums(values: Float64Array): Float64Array {
  const count = values.length;
  const sums = new Float64Array(2 * count + 1);
  for (let at = 0; at < 2 * count; at++) sums[at + 1] = sums[at]! + values[at < count ? at : at - count]!;
  return sums;
}

export function resampledSum(running: Float64Array, resamples: Resamples, resample: number): number {
  const { starts, ends, firstBlocks } = resamples;
  const last = firstBlocks[resample + 1]!;
  let sum = 0;
  for (let block = firstBlocks[resample]!; block < last; block++)
    sum += running[ends[block]!]! - running[starts[block]!]!;
  return sum;
}
