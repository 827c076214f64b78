import type { Random } from '../../kernel/index.ts';

/** An estimate with the interval that a share of its resamples lies in. */
interface Interval {
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

/**
 * How sure the difference between two runs is: the paired stationary bootstrap.
 *
 * Both runs' session returns are resampled together, in blocks of geometric length that wrap around the end, so that what
 * they share on a day and what a day owes to the day before stay in place. Percentile intervals.
 * Source: Politis & Romano, "The Stationary Bootstrap", JASA 89 (1994).
 *
 * @param first session returns
 * @param second of the same sessions
 * @param random seeded, so that the same two runs give the same interval
 */
export function pairedDifference(
  first: Float64Array,
  second: Float64Array,
  periodsPerYear: number,
  random: Random,
): PairedDifference | undefined {
  const count = first.length;
  if (count < 10) return undefined;
  const blockLength = Math.max(1, Math.round(count ** (1 / 3)));
  const means = new Float64Array(RESAMPLES);
  const sharpes = new Float64Array(RESAMPLES);
  const yearly = Math.sqrt(periodsPerYear);
  for (let resample = 0; resample < RESAMPLES; resample++) {
    const sums = resampled(first, second, blockLength, random);
    means[resample] = ((sums.first - sums.second) / count) * periodsPerYear;
    sharpes[resample] =
      (sharpe(sums.first, sums.firstSquares, count) - sharpe(sums.second, sums.secondSquares, count)) *
      yearly;
  }
  const whole = totals(first, second);
  const estimate =
    (sharpe(whole.first, whole.firstSquares, count) - sharpe(whole.second, whole.secondSquares, count)) *
    yearly;
  return {
    meanReturn: interval(((whole.first - whole.second) / count) * periodsPerYear, means),
    sharpe:
      Number.isFinite(estimate) && sharpes.every(Number.isFinite) ? interval(estimate, sharpes) : undefined,
    resamples: RESAMPLES,
    blockLength,
    confidence: CONFIDENCE,
  };
}

interface Sums {
  first: number;
  firstSquares: number;
  second: number;
  secondSquares: number;
}

function resampled(first: Float64Array, second: Float64Array, blockLength: number, random: Random): Sums {
  const count = first.length;
  const sums: Sums = { first: 0, firstSquares: 0, second: 0, secondSquares: 0 };
  const restart = 1 / blockLength;
  let at = 0;
  for (let drawn = 0; drawn < count; drawn++) {
    at = drawn === 0 || random.next() < restart ? Math.floor(random.next() * count) : (at + 1) % count;
    const [one, other] = [first[at]!, second[at]!];
    sums.first += one;
    sums.firstSquares += one * one;
    sums.second += other;
    sums.secondSquares += other * other;
  }
  return sums;
}

function totals(first: Float64Array, second: Float64Array): Sums {
  const sums: Sums = { first: 0, firstSquares: 0, second: 0, secondSquares: 0 };
  for (let index = 0; index < first.length; index++) {
    const [one, other] = [first[index]!, second[index]!];
    sums.first += one;
    sums.firstSquares += one * one;
    sums.second += other;
    sums.secondSquares += other * other;
  }
  return sums;
}

/** Mean over standard deviation (ddof 1), from sums. NaN or infinite where returns do not vary. */
function sharpe(sum: number, squares: number, count: number): number {
  const mean = sum / count;
  return mean / Math.sqrt((squares - count * mean * mean) / (count - 1));
}

function interval(estimate: number, resamples: Float64Array): Interval {
  const sorted = Float64Array.from(resamples).sort();
  const at = (share: number): number => sorted[Math.round(share * (sorted.length - 1))]!;
  return { estimate, low: at((1 - CONFIDENCE) / 2), high: at((1 + CONFIDENCE) / 2) };
}
