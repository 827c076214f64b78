import type { Shape } from '../overfit/sharpe-tests.ts';
import { lowerMean, quantileOf, TAIL } from '../series/ratios.ts';
import { type Figure, figure, mean, type Undefined, undefinedBecause } from './figures.ts';
import { roundingOf, TOO_FEW } from './returns.ts';

/** Session with the best or the worst return. */
interface ExtremeDay {
  readonly date: string;
  readonly return: number;
}

/** Distribution of a run's session returns. */
export interface DistributionFigures {
  /** 5 % quantile of the session returns. Negative for a loss. */
  readonly valueAtRisk: Figure;
  /** Mean of the returns at or below the value at risk. */
  readonly conditionalValueAtRisk: Figure;
  readonly omega: Figure;
  readonly tailRatio: Figure;
  readonly skewness: Figure;
  readonly kurtosis: Figure;
  readonly bestDay: Figure;
  readonly worstDay: Figure;
  /** Dates of the sessions with the best and the worst return. `null` if the run has no session returns. */
  readonly bestDayDate: string | null;
  readonly worstDayDate: string | null;
}

const STILL = undefinedBecause('session returns do not vary');

/**
 * Computes the distribution figures of a run from its session returns.
 *
 * @param dates date of the session at which each return ends
 * @param acceptable minimum acceptable return per session
 * @param marInWords description of the minimum acceptable return, for the convention of Omega
 * @param shape skewness and kurtosis of the returns. `undefined` for fewer than two returns
 */
export function distributionFigures(
  returns: Float64Array | Undefined,
  dates: readonly string[],
  acceptable: number,
  marInWords: string,
  shape: Shape | undefined,
): DistributionFigures {
  const of = (least: number, work: (values: Float64Array) => number | Undefined): number | Undefined => {
    if ('reason' in returns) return returns;
    if (returns.length >= least) return work(returns);
    return least === 2 ? TOO_FEW : undefinedBecause('fewer than three session returns');
  };
  const tails = 'reason' in returns || returns.length < 2 ? undefined : tailsOf(returns);
  const still = 'reason' in returns || isStill(returns);
  const [best, worst] = extremes(returns, dates);
  return {
    valueAtRisk: figure(
      'historical: 5% quantile of session returns, by linear interpolation; a session',
      of(2, () => tails!.low),
    ),
    conditionalValueAtRisk: figure(
      'historical: mean of the session returns at or below the 5% quantile; a session',
      of(2, () => tails!.lowerMean),
    ),
    omega: figure(
      `Σ max(returns − MAR, 0) / Σ max(MAR − returns, 0), ${marInWords}`,
      of(2, (values) => omegaRatio(values, acceptable)),
    ),
    tailRatio: figure(
      '|95% quantile| / |5% quantile| of session returns',
      of(2, (values) => tailRatio(tails!, roundingOf(values))),
    ),
    skewness: figure(
      'of session returns, corrected for bias: g₁ · √(n(n − 1)) / (n − 2)',
      of(3, ({ length }) => (still ? STILL : correctedSkewness(shape!.skewness, length))),
    ),
    kurtosis: figure(
      'of session returns, Pearson by population moments: 3 for a normal distribution',
      of(2, () => (still ? STILL : shape!.kurtosis)),
    ),
    bestDay: figure('largest session return', best?.return ?? noReturn(returns)),
    worstDay: figure('smallest session return', worst?.return ?? noReturn(returns)),
    bestDayDate: best?.date ?? null,
    worstDayDate: worst?.date ?? null,
  };
}

function noReturn(returns: Float64Array | Undefined): Undefined {
  return 'reason' in returns ? returns : undefinedBecause('there is no session return');
}

// C. Keating and W. Shadwick, "A Universal Performance Measure" (2002).
function omegaRatio(returns: Float64Array, acceptable: number): number | Undefined {
  let [above, below] = [0, 0];
  for (let index = 0; index < returns.length; index++) {
    const value = returns[index]!;
    above += Math.max(value - acceptable, 0);
    below += Math.max(acceptable - value, 0);
  }
  if (below <= returns.length * roundingOf(returns))
    return undefinedBecause('no session return is below the minimum acceptable');
  return above / below;
}

function tailRatio({ low, high }: Tails, rounding: number): number | Undefined {
  if (Math.abs(low) <= rounding) return undefinedBecause('the 5% quantile of session returns is 0');
  return Math.abs(high) / Math.abs(low);
}

function correctedSkewness(skewness: number, count: number): number {
  return (skewness * Math.sqrt(count * (count - 1))) / (count - 2);
}

function isStill(returns: Float64Array): boolean {
  const centre = mean(returns);
  const rounding = roundingOf(returns);
  for (let index = 0; index < returns.length; index++)
    if (!(Math.abs(returns[index]! - centre) <= rounding)) return false;
  return true;
}

function extremes(
  returns: Float64Array | Undefined,
  dates: readonly string[],
): readonly [ExtremeDay | undefined, ExtremeDay | undefined] {
  if ('reason' in returns || returns.length === 0) return [undefined, undefined];
  let [best, worst] = [0, 0];
  for (let index = 1; index < returns.length; index++) {
    if (returns[index]! > returns[best]!) best = index;
    if (returns[index]! < returns[worst]!) worst = index;
  }
  const day = (index: number): ExtremeDay => ({ date: dates[index]!, return: returns[index]! });
  return [day(best), day(worst)];
}

/** Quantiles and mean in the two tails of a distribution. `tailsOf` computes them. */
interface Tails {
  /** 5 % quantile. */
  readonly low: number;
  /** Mean of the values at or below the 5 % quantile. */
  readonly lowerMean: number;
  /** 95 % quantile. */
  readonly high: number;
}

/**
 * Computes the quantiles and the mean in both tails of `values`, without sorting all values. The results are
 * bit-identical to results from sorted values.
 *
 * @param values values of the distribution. Must not be empty
 */
export function tailsOf(values: Float64Array): Tails {
  const scratch = values.slice();
  const last = scratch.length - 1;
  const place = placeAbove(TAIL, last);
  const bound = orderStatistic(scratch, place);
  // `orderStatistic` does not handle NaN. With a NaN, the values are sorted instead, which puts NaN at the
  // end.
  if (values.some(Number.isNaN)) {
    const sorted = values.slice().sort();
    return {
      low: quantileOf(sorted, TAIL),
      lowerMean: lowerMean(sorted),
      high: quantileOf(sorted, 1 - TAIL),
    };
  }
  // The array `lower` below contains all values at or below the 5 % quantile. Values equal to `bound` may be
  // anywhere in `scratch`, so they are first moved to the front.
  let size = place;
  for (let at = size; at < scratch.length; at++) {
    // All values before `place` are at or below the bound.
    if (scratch[at] !== bound) continue;
    scratch[at] = scratch[size]!;
    scratch[size++] = bound;
  }
  const lower = scratch.subarray(0, size).slice().sort();
  const below = TAIL * last - Math.floor(TAIL * last);
  const [first, second] = [lower[Math.floor(TAIL * last)]!, lower[place]!];
  const low = first + (second - first) * below;
  let [count, sum] = [0, 0];
  for (; count < lower.length && lower[count]! <= low; count++) sum += lower[count]!;
  const share = (1 - TAIL) * last;
  const under = orderStatistic(scratch, Math.floor(share));
  const over = orderStatistic(scratch, placeAbove(1 - TAIL, last));
  return { low, lowerMean: sum / count, high: under + (over - under) * (share - Math.floor(share)) };
}

function placeAbove(share: number, last: number): number {
  return Math.min(Math.floor(share * last) + 1, last);
}

/**
 * Returns the value that would be at index `place` if the values were sorted. Reorders `values`.
 *
 * C. A. R. Hoare, "Algorithm 65: Find" (1961).
 */
function orderStatistic(values: Float64Array, place: number): number {
  let [from, to] = [0, values.length - 1];
  while (from < to) {
    const pivot = values[place]!;
    let [up, down] = [from, to];
    while (up <= down) {
      while (values[up]! < pivot) up += 1;
      while (pivot < values[down]!) down -= 1;
      if (up > down) break;
      const swapped = values[up]!;
      values[up] = values[down]!;
      values[down] = swapped;
      up += 1;
      down -= 1;
    }
    if (down < place) from = up;
    if (place < up) to = down;
  }
  return values[place]!;
}
