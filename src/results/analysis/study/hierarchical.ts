import type { Random } from '../../../kernel/index.ts';
import { normalQuantile, studentQuantile } from '../series/distributions.ts';
import { quantileOf } from '../series/ratios.ts';

/** Mean over the runs of a study, with its 95 % interval. */
export interface Estimate {
  /** Mean of the figure. `null` if no run has the figure. */
  readonly mean: number | null;
  /** Lower bound of the interval. `low` and `high` are `null` for a single run. */
  readonly low: number | null;
  readonly high: number | null;
  /** Number of runs in which the figure is defined. */
  readonly runs: number;
  /**
   * Levels that the interval resamples: windows (periods), samples (runs with the same inputs), or both.
   * `null` without an interval. With only one window, the interval reflects the randomness of the model but
   * not of the market.
   */
  readonly over: 'windows and samples' | 'windows' | 'samples' | null;
}

const RESAMPLES = 4_999;
const CONFIDENCE = 0.95;
const ANY = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY] as const;

/**
 * Returns the mean of a figure over windows (periods of a study) and their samples (runs with the same
 * inputs). The interval is computed by the hierarchical bootstrap.
 *
 * Windows are drawn with replacement, and then the samples of each drawn window. The percentile interval is
 * stretched around the mean by `stretchFor`, because it would be far too short for few windows. With only one
 * window, the number of samples determines the stretching.
 *
 * Source: V. Saravanan, G. J. Berman and S. J. Sober, "Application of the hierarchical bootstrap to
 * multi-level data in neuroscience" (2020); A. C. Davison and D. V. Hinkley, "Bootstrap Methods and their
 * Application" (1997), section 3.8.
 *
 * @param windows for each window, the figure of each of its samples; null if undefined
 * @param random random numbers. Seeded, so that the same study always has the same interval
 * @param range possible values of the figure, which limit the interval
 */
export function hierarchicalMean(
  windows: readonly (readonly (number | null)[])[],
  random: Random,
  [least, most]: readonly [least: number, most: number] = ANY,
): Estimate {
  const known = windows
    .map((samples) => samples.filter((value): value is number => value !== null && Number.isFinite(value)))
    .filter((samples) => samples.length > 0);
  const runs = known.reduce((sum, { length }) => sum + length, 0);
  if (runs === 0) return { mean: null, low: null, high: null, runs, over: null };
  const mean = meanOf(known.map(meanOf));
  if (runs === 1) return { mean, low: null, high: null, runs, over: null };
  const over =
    known.length === 1
      ? 'samples'
      : known.every(({ length }) => length === 1)
        ? 'windows'
        : 'windows and samples';
  const sorted = resampledMeans(known, RESAMPLES, random).sort();
  const tail = (1 - CONFIDENCE) / 2;
  const stretch = stretchFor(known.length === 1 ? runs : known.length, CONFIDENCE);
  const low = mean - (mean - quantileOf(sorted, tail)) * stretch;
  const high = mean + (quantileOf(sorted, 1 - tail) - mean) * stretch;
  return { mean, low: Math.max(least, low), high: Math.min(most, high), runs, over };
}

/** Draws resamples of the windows and their samples, and returns the mean of each resample. */
export function resampledMeans(
  windows: readonly (readonly number[])[],
  resamples: number,
  random: Random,
): Float64Array {
  const means = new Float64Array(resamples);
  for (let resample = 0; resample < resamples; resample++) {
    let sum = 0;
    for (let draw = 0; draw < windows.length; draw++) {
      const samples = windows.length === 1 ? windows[0]! : windows[random.integer(0, windows.length - 1)]!;
      if (samples.length === 1) {
        sum += samples[0]!;
        continue;
      }
      let own = 0;
      for (let sample = 0; sample < samples.length; sample++)
        own += samples[random.integer(0, samples.length - 1)]!;
      sum += own / samples.length;
    }
    means[resample] = sum / windows.length;
  }
  return means;
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/**
 * Returns the factor by which a percentile interval of the bootstrap must be stretched for correct coverage
 * with k units: t(k − 1) √(k / (k − 1)) / z. The root corrects the variance of the bootstrap, which is (k −
 * 1) / k of the unbiased variance. The ratio t / z corrects the quantiles, which are nearly normal. Student's
 * t would be correct, because the spread of k units is only estimated.
 *
 * Source: T. Hesterberg, "What Teachers Should Know About the Bootstrap", The American Statistician 69
 * (2015), section 5.2, which corrects the quantile levels by the same two factors. This function stretches
 * the interval instead, because resamples of few units do not contain such extreme quantiles.
 *
 * @param units number of units drawn with replacement, at least two
 */
export function stretchFor(units: number, confidence: number): number {
  const ordinary = normalQuantile((1 + confidence) / 2);
  return (studentQuantile(confidence, units - 1) * Math.sqrt(units / (units - 1))) / ordinary;
}
