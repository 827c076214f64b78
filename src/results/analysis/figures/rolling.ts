import { regression } from '../benchmark/benchmark.ts';
import { mean, standardDeviation } from './figures.ts';
import { roundingOf } from './returns.ts';

/**
 * Figures over the newest `window` session returns, one element per session return. NaN while there are too
 * few returns.
 */
export interface RollingFigures {
  /** Number of session returns in each window. */
  readonly window: number;
  readonly sharpe: Float64Array;
  readonly volatility: Float64Array;
  /** All elements are NaN without a benchmark. */
  readonly beta: Float64Array;
}

const SHORTEST_WINDOW = 20;

/** Number of session returns in half a year, but at least the minimum for a meaningful figure. */
export function rollingWindow(periodsPerYear: number): number {
  return Math.max(SHORTEST_WINDOW, Math.round(periodsPerYear / 2));
}

/**
 * Rolling Sharpe ratio, volatility and beta over half a year of sessions.
 *
 * @param returns simple returns by session
 * @param benchmark returns of the same sessions. `undefined` without a benchmark
 * @param riskFree rate per session
 */
export function rollingFigures(
  returns: Float64Array,
  benchmark: Float64Array | undefined,
  periodsPerYear: number,
  riskFree = 0,
): RollingFigures {
  const window = rollingWindow(periodsPerYear);
  const empty = (): Float64Array => new Float64Array(returns.length).fill(Number.NaN);
  const figures = { window, sharpe: empty(), volatility: empty(), beta: empty() };
  const yearly = Math.sqrt(periodsPerYear);
  for (let end = window; end <= returns.length; end++) {
    const own = returns.subarray(end - window, end);
    const deviation = standardDeviation(own);
    figures.volatility[end - 1] = deviation * yearly;
    if (deviation > roundingOf(own)) figures.sharpe[end - 1] = ((mean(own) - riskFree) / deviation) * yearly;
    if (benchmark === undefined) continue;
    const fit = regression(own, benchmark.subarray(end - window, end));
    if ('beta' in fit) figures.beta[end - 1] = fit.beta;
  }
  return figures;
}
