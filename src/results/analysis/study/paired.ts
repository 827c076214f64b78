import { blockLengthOf, longestBlock } from '../series/block-length.ts';
import { studentQuantile, studentTwoSided } from '../series/distributions.ts';

/**
 * Session returns of one arm, which is one of the strategies that a study compares. Contains the returns of
 * each sample (run with the same inputs) for each window (period). All samples of a window have the same
 * sessions.
 */
export type StudyReturns = readonly (readonly Float64Array[])[];

/** Difference between two arms (compared strategies) over the same sessions. */
export interface StudyDifference {
  /** Mean session return of the first arm minus the second arm, annualised by multiplication. */
  readonly estimate: number;
  readonly low: number;
  readonly high: number;
  /** Two-sided p-value of `estimate` under the hypothesis that the arms do not differ. */
  readonly p: number;
  /**
   * Two-sided p-value of Student's t-test over the windows' differences of mean session returns. Each window
   * is one observation, so this p-value generalises to other windows. `null` for fewer than five windows.
   */
  readonly pWindows: number | null;
  readonly sessions: number;
}

/** Minimum number of windows (periods of a study) for a p-value over windows. */
const FEWEST_WINDOWS = 5;
const CONFIDENCE = 0.95;
/** Minimum number of sessions to estimate the dependence between sessions. */
const FEWEST_SESSIONS = 10;
/**
 * Difference of session returns that is treated as rounding, for example from another order of the same
 * trades.
 */
const ROUNDING = 1e-12;
/** Largest autocorrelation of neighbouring sessions that is removed before the variance is estimated. */
const MOST_PERSISTENT = 0.97;
/** Autocovariances whose weight in the variance is below this value are omitted. */
const NO_WEIGHT = 1e-12;

/** Contribution to the variance of the sum of differences, with its degrees of freedom. */
interface Part {
  readonly variance: number;
  readonly degrees: number;
}

/**
 * Returns the paired difference of two arms, its interval, and its p-value (probability of a difference this
 * large by luck).
 *
 * Differences are computed by session, so common moves of both arms cancel. The variance of the sum of
 * differences is the variance of the stationary bootstrap, computed in closed form without random draws.
 * Blocks do not cross windows. The autocorrelation of neighbouring sessions is removed first. The block
 * length is chosen from the data. The variance is corrected for the estimated mean of few sessions. Its
 * degrees of freedom equal those of a χ² distribution with the same mean and variance. The variance between
 * each window's samples is added, because other samples would have other results. Interval and p use
 * Student's t with Satterthwaite's degrees of freedom. Both are computed twice: with the variance of sessions
 * and samples together, and with the variance of samples alone. The larger values are used.
 *
 * Source: D. N. Politis and J. P. Romano, "The Stationary Bootstrap", JASA 89 (1994), lemma 1; M. B.
 * Priestley, "Spectral Analysis and Time Series" (1981), section 6.2.4, for ν; F. E. Satterthwaite, "An
 * Approximate Distribution of Estimates of Variance Components", Biometrics Bulletin 2 (1946).
 *
 * @param first session returns of the first arm: for each window, the returns of each sample
 * @param second session returns of the second arm for the same windows and sessions
 * @param blockLength mean length of a block in sessions. Default: chosen from the data
 * @returns undefined for fewer than ten common sessions
 */
export function studyDifference(
  first: StudyReturns,
  second: StudyReturns,
  periodsPerYear: number,
  blockLength?: number,
): StudyDifference | undefined {
  const windows = first.flatMap((samples, place) => {
    const others = second[place] ?? [];
    const [own, other] = [samples[0], others[0]];
    return own === undefined || other === undefined || own.length !== other.length
      ? []
      : [{ samples, others, differences: differencesOf(samples, others) }];
  });
  const sessions = windows.reduce((sum, { differences }) => sum + differences.length, 0);
  if (sessions < FEWEST_SESSIONS) return undefined;
  const ofSessions = sessionsPart(
    windows.map(({ differences }) => differences),
    blockLength,
  );
  const ofSamples = windows.flatMap(({ samples, others }) => [
    ...samplesPart(samples),
    ...samplesPart(others),
  ]);
  const scale = periodsPerYear / sessions;
  const sum = windows.reduce((total, { differences }) => total + totalOf(differences), 0);
  // If the sessions have a large variance, it may hide the variance between samples (runs with the same
  // inputs). The samples are therefore also tested alone.
  const tests = [
    testOf(sum, [ofSessions, ...ofSamples]),
    ...(ofSamples.length === 0 ? [] : [testOf(sum, ofSamples)]),
  ];
  const reach = scale * Math.max(...tests.map((test) => test.reach));
  const estimate = scale * sum;
  return {
    estimate,
    low: estimate - reach,
    high: estimate + reach,
    p: Math.max(...tests.map(({ p }) => p)),
    pWindows: windowsP(windows.map(({ differences }) => totalOf(differences) / differences.length)),
    sessions,
  };
}

function windowsP(means: readonly number[]): number | null {
  const count = means.length;
  if (count < FEWEST_WINDOWS) return null;
  const centre = means.reduce((sum, value) => sum + value, 0) / count;
  const squares = means.reduce((sum, value) => sum + (value - centre) ** 2, 0);
  const error = Math.sqrt(squares / (count - 1) / count);
  if (error <= ROUNDING) return Math.abs(centre) <= ROUNDING ? 1 : 0;
  return studentTwoSided(centre / error, count - 1);
}

/**
 * Tests a sum whose variance is the sum of `parts`. Returns half of the width of the interval (`reach`) and
 * the p-value.
 */
function testOf(sum: number, parts: readonly Part[]): { readonly reach: number; readonly p: number } {
  const variance = parts.reduce((total, part) => total + part.variance, 0);
  if (variance === 0) return { reach: 0, p: sum === 0 ? 1 : 0 };
  const degrees =
    variance ** 2 / parts.reduce((total, { variance: own, degrees: known }) => total + own ** 2 / known, 0);
  const error = Math.sqrt(variance);
  return { reach: studentQuantile(CONFIDENCE, degrees) * error, p: studentTwoSided(sum / error, degrees) };
}

/**
 * Returns the differences by session: the mean of the first arm's samples minus the mean of the second arm's
 * samples.
 */
function differencesOf(samples: readonly Float64Array[], others: readonly Float64Array[]): Float64Array {
  const meanAt = (of: readonly Float64Array[], session: number): number =>
    of.reduce((sum, returns) => sum + returns[session]!, 0) / of.length;
  return samples[0]!.map((_, session) => {
    const difference = meanAt(samples, session) - meanAt(others, session);
    return Math.abs(difference) < ROUNDING ? 0 : difference;
  });
}

/**
 * Variance of the sum of session differences over all windows. With `blockLength`, the variance is computed
 * by the stationary bootstrap. By default, the autocorrelation of neighbouring sessions is removed first, as
 * in `meanError`. The block length of the residuals is chosen from the data and is at least the cube root of
 * a window's sessions.
 */
function sessionsPart(windows: readonly Float64Array[], blockLength: number | undefined): Part {
  if (blockLength !== undefined) return bootstrapPart(windows, () => blockLength);
  const sessions = windows.reduce((sum, { length }) => sum + length, 0);
  // An autocorrelation cannot be estimated from windows with fewer than ten sessions on average.
  if (sessions < FEWEST_SESSIONS * windows.length)
    return bootstrapPart(windows, (count) => Math.max(1, Math.round(Math.cbrt(count))));
  const persistence = persistenceOf(windows);
  const rests = windows.map((values) => restOf(values, persistence)).filter(({ length }) => length > 0);
  const needed = blockLengthOf(joined(rests.map(centred)));
  const part = bootstrapPart(rests, (count) =>
    Math.max(1, Math.min(Math.max(Math.cbrt(count), needed), longestBlock(count))),
  );
  const after = rests.reduce((sum, { length }) => sum + length, 0);
  return {
    // The mean and the autocorrelation are both estimated. Each estimate reduces the degrees of freedom by
    // one.
    variance: (part.variance * sessions) / (after - 1) / (1 - persistence) ** 2,
    degrees: Math.max(1, part.degrees - 1),
  };
}

/**
 * Lag-1 autocorrelation of the values in all windows, corrected for its bias in short series. 0 for constant
 * values.
 */
function persistenceOf(windows: readonly Float64Array[]): number {
  let [product, squares, count] = [0, 0, 0];
  for (const values of windows) {
    const apart = centred(values);
    for (let at = 1; at < apart.length; at++) {
      product += apart[at]! * apart[at - 1]!;
      squares += apart[at - 1]! ** 2;
    }
    count += values.length;
  }
  if (squares === 0) return 0;
  const each = count / windows.length;
  const corrected = ((product / squares) * each + 1) / (each - 3);
  return Math.max(-MOST_PERSISTENT, Math.min(MOST_PERSISTENT, corrected));
}

/** Residuals of a first-order autoregression. */
function restOf(values: Float64Array, persistence: number): Float64Array {
  const mean = totalOf(values) / values.length;
  return Float64Array.from(
    { length: values.length - 1 },
    (_, at) => values[at + 1]! - mean - persistence * (values[at]! - mean),
  );
}

function centred(values: Float64Array): Float64Array {
  const mean = totalOf(values) / values.length;
  return values.map((value) => value - mean);
}

function joined(parts: readonly Float64Array[]): Float64Array {
  return Float64Array.from(parts.flatMap((part) => [...part]));
}

/**
 * Variance of the sum of session differences over all windows, by the stationary bootstrap. For a window of n
 * sessions, the variance is n Σ b(i) c(i) over circular lags i from 0 to n − 1. The weights are b(i) = (1 −
 * i/n) qⁱ + (i/n) qⁿ⁻ⁱ with q = 1 − 1 / block length, and c(i) is the autocovariance about the mean. For
 * independent sessions with the variance v, this estimate has the mean (n − Σ b) v and the variance 2 (n Σ b²
 * − (Σ b)²) v².
 */
function bootstrapPart(windows: readonly Float64Array[], blockLength: (count: number) => number): Part {
  let [sum, count, mean, spread] = [0, 0, 0, 0];
  for (const values of windows) {
    const { length } = values;
    const q = 1 - 1 / blockLength(length);
    const average = totalOf(values) / length;
    const apart = values.map((value) => value - average);
    let [weights, squares] = [0, 0];
    for (let lag = 0; lag <= length / 2; lag++) {
      const weight = (1 - lag / length) * q ** lag + (lag / length) * q ** (length - lag);
      if (weight < NO_WEIGHT) break;
      // The terms of lags i and n − i are equal, so each pair is computed once and counted twice.
      const times = lag === 0 || 2 * lag === length ? 1 : 2;
      let covariance = 0;
      for (let at = 0; at < length; at++) covariance += apart[at]! * apart[(at + lag) % length]!;
      sum += times * weight * covariance;
      weights += times * weight;
      squares += times * weight * weight;
    }
    count += length;
    mean += length - weights;
    spread += length * squares - weights * weights;
  }
  // Rounding can make the variance of constant values slightly negative.
  return { variance: (Math.max(0, sum) * count) / mean, degrees: mean ** 2 / spread };
}

/**
 * Returns the variance of the sum over all sessions of the samples' mean return, estimated from the
 * differences between samples. Empty for a single sample.
 */
function samplesPart(samples: readonly Float64Array[]): Part[] {
  if (samples.length < 2) return [];
  const totals = samples.map(totalOf);
  const mean = totals.reduce((sum, total) => sum + total, 0) / totals.length;
  const squares = totals.reduce((sum, total) => sum + (total - mean) ** 2, 0);
  const degrees = totals.length - 1;
  return [{ variance: squares / degrees / totals.length, degrees }];
}

function totalOf(values: Float64Array): number {
  return values.reduce((total, value) => total + value, 0);
}

/**
 * Corrects p-values for the number of comparisons. The probability of at least one false finding stays below
 * the chosen level, for any dependence between the comparisons.
 *
 * Source: S. Holm, "A Simple Sequentially Rejective Multiple Test Procedure", Scandinavian Journal of
 * Statistics 6 (1979).
 *
 * @param values p-values. null for a comparison without a p-value, which is not counted
 * @returns corrected p-values in the same order
 */
export function holmCorrected(values: readonly (number | null)[]): (number | null)[] {
  const known = values.flatMap((value, place) => (value === null ? [] : [{ value, place }]));
  known.sort((one, other) => one.value - other.value || one.place - other.place);
  const corrected: (number | null)[] = values.map(() => null);
  let least = 0;
  for (const [rank, { value, place }] of known.entries()) {
    least = Math.max(least, Math.min(1, value * (known.length - rank)));
    corrected[place] = least;
  }
  return corrected;
}
