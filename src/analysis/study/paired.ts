import type { Random } from '../../kernel/index.ts';
import { quantileOf } from '../series/quantiles.ts';

/** Session returns of one way to trade: by window, of each of its samples. All samples of a window have the same sessions. */
export type StudyReturns = readonly (readonly Float64Array[])[];

/** How one way to trade did beside another over the same sessions. */
export interface StudyDifference {
  /** Of mean session returns, annualised by multiplication: a simple sum, not compounded. */
  readonly estimate: number;
  readonly low: number;
  readonly high: number;
  /** Two-sided; at least 1 / (1 + resamples). */
  readonly p: number;
  readonly sessions: number;
  readonly resamples: number;
}

const RESAMPLES = 4_999;
const CONFIDENCE = 0.95;
/** Sessions below which a block bootstrap has nothing to draw from. */
const FEWEST_SESSIONS = 10;

/**
 * The paired difference of two ways to trade, and how likely one as large is where there is none.
 *
 * The unit is a session: in each window both get the same blocks of sessions (stationary bootstrap), so that what they share
 * on a day stays paired, and each its own draw of samples, since another set of samples would answer otherwise. Blocks do not
 * cross windows. p counts resamples at least as far from the estimate as the estimate is from 0.
 *
 * Source: D. N. Politis and J. P. Romano, "The Stationary Bootstrap", JASA 89 (1994); A. C. Davison and D. V. Hinkley,
 * "Bootstrap Methods and their Application" (1997), sections 3.8 and 4.4.
 *
 * @param first by window, the samples' session returns
 * @param second of the same windows and sessions
 * @param blockLength mean length of a block in sessions; the cube root of a window's sessions where left out
 * @returns undefined for fewer than ten sessions in common
 */
export function studyDifference(
  first: StudyReturns,
  second: StudyReturns,
  periodsPerYear: number,
  random: Random,
  blockLength?: number,
): StudyDifference | undefined {
  const windows = first.flatMap((samples, place) => {
    const others = second[place] ?? [];
    const [own, other] = [samples[0], others[0]];
    if (own === undefined || other === undefined || own.length !== other.length) return [];
    return [{ samples, others, sessions: own.length }];
  });
  const sessions = windows.reduce((sum, window) => sum + window.sessions, 0);
  if (sessions < FEWEST_SESSIONS) return undefined;
  const drawn = windows.map((window) => {
    const length = blockLength ?? Math.max(1, Math.round(window.sessions ** (1 / 3)));
    return { ...window, goesOn: 1 - 1 / length };
  });
  const scale = periodsPerYear / sessions;
  const estimate =
    scale * windows.reduce((sum, { samples, others }) => sum + totalOf(samples) - totalOf(others), 0);
  const draws = new Float64Array(RESAMPLES);
  let asFar = 0;
  // Differences of the same trades in another order: rounding must not decide.
  const bound = Math.abs(estimate) * (1 - 1e-9);
  for (let resample = 0; resample < RESAMPLES; resample++) {
    let sum = 0;
    for (const { samples, others, sessions: count, goesOn } of drawn) {
      const own = drawnMean(samples, random);
      const other = drawnMean(others, random);
      let at = random.integer(0, count - 1);
      for (let session = 0; session < count; session++) {
        if (session > 0) at = random.next() < goesOn ? (at + 1) % count : random.integer(0, count - 1);
        sum += own[at]! - other[at]!;
      }
    }
    const value = sum * scale;
    draws[resample] = value;
    if (Math.abs(value - estimate) >= bound) asFar += 1;
  }
  draws.sort();
  const tail = (1 - CONFIDENCE) / 2;
  return {
    estimate,
    low: quantileOf(draws, tail),
    high: quantileOf(draws, 1 - tail),
    p: (1 + asFar) / (1 + RESAMPLES),
    sessions,
    resamples: RESAMPLES,
  };
}

/** Sum over the sessions of the mean of the samples. */
function totalOf(samples: readonly Float64Array[]): number {
  const whole = samples.reduce((sum, returns) => sum + returns.reduce((total, value) => total + value, 0), 0);
  return whole / samples.length;
}

/** Session by session the mean of samples drawn with replacement. */
function drawnMean(samples: readonly Float64Array[], random: Random): Float64Array {
  if (samples.length === 1) return samples[0]!;
  const sums = new Float64Array(samples[0]!.length);
  for (let draw = 0; draw < samples.length; draw++) {
    const returns = samples[random.integer(0, samples.length - 1)]!;
    for (let session = 0; session < sums.length; session++) sums[session]! += returns[session]!;
  }
  for (let session = 0; session < sums.length; session++) sums[session]! /= samples.length;
  return sums;
}
