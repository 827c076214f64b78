/** Result of a figure that cannot be computed, with the reason. */
export interface Undefined {
  readonly reason: string;
}

export function undefinedBecause(reason: string): Undefined {
  return { reason };
}

export const TOO_FEW = undefinedBecause('fewer than two session returns');

/**
 * Minimum number of session returns for a meaningful bootstrap in blocks: three months of daily data, or five
 * years of monthly data.
 */
export const ENOUGH_SESSIONS = 60;

export function mean(values: ArrayLike<number>): number {
  let sum = 0;
  for (let index = 0; index < values.length; index++) sum += values[index]!;
  return sum / values.length;
}

/** Standard deviation with ddof 1. */
export function standardDeviation(values: ArrayLike<number>): number {
  const centre = mean(values);
  let squares = 0;
  for (let index = 0; index < values.length; index++) squares += (values[index]! - centre) ** 2;
  return Math.sqrt(squares / (values.length - 1));
}

/** Largest absolute value. 0 for no values. */
export function largest(values: ArrayLike<number>): number {
  let result = 0;
  for (let index = 0; index < values.length; index++) result = Math.max(result, Math.abs(values[index]!));
  return result;
}

/**
 * Largest standard deviation of returns that rounding alone can cause. A return is a quotient minus one, with
 * an error of a few units in the last place.
 */
export function roundingOf(returns: Float64Array): number {
  return 4 * Number.EPSILON * (1 + largest(returns));
}

/**
 * Quantile by linear interpolation between order statistics (type 7 of Hyndman and Fan, 1996, the default of
 * numpy and R).
 *
 * @param sorted values in rising order. Must not be empty
 * @param share from 0 to 1
 */
export function quantileOf(sorted: ArrayLike<number>, share: number): number {
  const place = share * (sorted.length - 1);
  const below = Math.floor(place);
  const low = sorted[below]!;
  const high = sorted[Math.min(below + 1, sorted.length - 1)]!;
  return low + (high - low) * (place - below);
}

/** Median. For an even number of values, the mean of the two middle values. */
export function medianOf(values: ArrayLike<number>): number {
  return quantileOf(Float64Array.from(values).sort(), 0.5);
}

/** Share of the session returns that figures such as value at risk treat as the tail. */
export const TAIL = 0.05;

export function volatility(returns: Float64Array | Undefined, periodsPerYear: number): number | Undefined {
  if ('reason' in returns) return returns;
  return returns.length < 2 ? TOO_FEW : spread(returns) * Math.sqrt(periodsPerYear);
}

/**
 * Annualised Sharpe ratio.
 *
 * @param riskFree risk-free rate per period
 */
export function sharpeRatio(
  returns: Float64Array | Undefined,
  periodsPerYear: number,
  riskFree: number,
): number | Undefined {
  if ('reason' in returns) return returns;
  if (returns.length < 2) return TOO_FEW;
  const deviation = spread(returns);
  if (deviation === 0) return undefinedBecause('session returns do not vary');
  return ((mean(returns) - riskFree) / deviation) * Math.sqrt(periodsPerYear);
}

/**
 * Annualised Sortino ratio.
 *
 * @param acceptable minimum acceptable return (MAR) per period
 */
export function sortinoRatio(
  returns: Float64Array | Undefined,
  periodsPerYear: number,
  acceptable: number,
): number | Undefined {
  if ('reason' in returns) return returns;
  if (returns.length < 2) return TOO_FEW;
  let squares = 0;
  for (let index = 0; index < returns.length; index++)
    squares += Math.min(returns[index]! - acceptable, 0) ** 2;
  const deviation = Math.sqrt(squares / returns.length);
  if (deviation <= roundingOf(returns))
    return undefinedBecause('no session return is below the minimum acceptable');
  return ((mean(returns) - acceptable) / deviation) * Math.sqrt(periodsPerYear);
}

/**
 * Mean of the returns at or below their 5 % quantile.
 *
 * @param sorted returns in rising order
 */
export function lowerMean(sorted: Float64Array): number {
  const bound = quantileOf(sorted, TAIL);
  let count = 0;
  let sum = 0;
  for (; count < sorted.length && sorted[count]! <= bound; count++) sum += sorted[count]!;
  return sum / count;
}

/** Standard deviation of returns. 0 if their differences are only float64 rounding. */
function spread(returns: Float64Array): number {
  const deviation = standardDeviation(returns);
  return deviation <= roundingOf(returns) ? 0 : deviation;
}

/** Figures that can be computed from session returns alone. */
export const PATH_FIGURES = [
  'totalReturn',
  'cagr',
  'volatility',
  'sharpe',
  'sortino',
  'maxDrawdown',
  'conditionalValueAtRisk',
] as const;
export type PathFigure = (typeof PATH_FIGURES)[number];
/** Figures by name. NaN if a figure is undefined. */
export type PathFigures = Record<PathFigure, number>;

/** Terms for annualising session returns. */
export interface PathTerms {
  readonly periodsPerYear: number;
  /** Years that the sessions cover. */
  readonly years: number;
  /** Risk-free rate per session. */
  readonly riskFree: number;
  /** Minimum acceptable return per session. */
  readonly acceptable: number;
}

/**
 * Computes the figures of one series of session returns. The drawdown is computed from the equity at session
 * closes.
 */
export function pathFigures(returns: Float64Array, terms: PathTerms): PathFigures {
  const { periodsPerYear, years, riskFree, acceptable } = terms;
  let [worth, peak, deepest] = [1, 1, 0];
  for (let session = 0; session < returns.length; session++) {
    worth *= 1 + returns[session]!;
    if (!(worth > 0)) worth = Number.NaN;
    if (worth > peak) peak = worth;
    deepest = Math.min(deepest, worth / peak - 1);
  }
  return {
    totalReturn: worth - 1,
    cagr: worth ** (1 / years) - 1,
    volatility: orNaN(volatility(returns, periodsPerYear)),
    sharpe: orNaN(sharpeRatio(returns, periodsPerYear, riskFree)),
    sortino: orNaN(sortinoRatio(returns, periodsPerYear, acceptable)),
    maxDrawdown: deepest,
    conditionalValueAtRisk: returns.length < 2 ? Number.NaN : lowerMean(Float64Array.from(returns).sort()),
  };
}

function orNaN(value: number | object): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : Number.NaN;
}

/** Skewness and Pearson kurtosis (3 for a normal distribution), from population moments. */
export interface Shape {
  readonly skewness: number;
  readonly kurtosis: number;
}

export function shapeOf(returns: ArrayLike<number>): Shape {
  const centre = mean(returns);
  let [second, third, fourth] = [0, 0, 0];
  for (let index = 0; index < returns.length; index++) {
    const deviation = returns[index]! - centre;
    const square = deviation * deviation;
    second += square;
    third += square * deviation;
    fourth += square * square;
  }
  const variance = second / returns.length;
  return {
    skewness: third / returns.length / variance ** 1.5,
    kurtosis: fourth / returns.length / variance ** 2,
  };
}

/** Variance of an estimated Sharpe ratio per session, multiplied by (number of returns − 1). */
export function sharpeVariance(ratio: number, { skewness, kurtosis }: Shape): number {
  return 1 - skewness * ratio + ((kurtosis - 1) / 4) * ratio * ratio;
}

/** 97.5 % quantile of the normal distribution. */
const TWO_SIDED_95 = 1.959_963_984_540_054;

/**
 * Returns the 95 % interval of an annualised Sharpe ratio, for returns of any skewness and kurtosis. The
 * variance of the ratio is estimated as for the probabilistic Sharpe ratio. `undefined` if the ratio is
 * undefined, or if its variance is 0.
 *
 * D. Bailey and M. López de Prado, "The Sharpe Ratio Efficient Frontier" (2012).
 *
 * @param riskFree risk-free rate per session
 */
export function sharpeInterval(
  returns: Float64Array,
  periodsPerYear: number,
  riskFree: number,
): { readonly low: number; readonly high: number } | undefined {
  const ratio = sharpeRatio(returns, 1, riskFree);
  if (typeof ratio !== 'number') return undefined;
  const variance = sharpeVariance(ratio, shapeOf(returns));
  if (!(variance > 1e-12)) return undefined;
  const half = TWO_SIDED_95 * Math.sqrt(variance / (returns.length - 1));
  const yearly = Math.sqrt(periodsPerYear);
  return { low: (ratio - half) * yearly, high: (ratio + half) * yearly };
}
