import { regression } from '../benchmark.ts';
import { probabilisticSharpe } from '../overfit/sharpe-tests.ts';
import { sharpeOf } from './cost-sensitivity.ts';

/** Performance over some sessions, compared with buying and holding. */
export interface BesideHolding {
  readonly sessions: number;
  readonly totalReturn: number;
  readonly holdReturn: number;
  /** Return minus the return of buying and holding. Look-Ahead-Bench calls this alpha. */
  readonly excess: number;
  /**
   * Jensen's alpha, annualised by multiplication, and its slope (beta). `null` if the benchmark's returns do
   * not vary.
   */
  readonly alpha: number | null;
  readonly beta: number | null;
  /** Annualised. */
  readonly sharpe: number | null;
  /** Probability that the true Sharpe ratio is above 0. */
  readonly psr: number | null;
}

/**
 * Compares session returns with those of buying and holding (`held`) in the same sessions.
 *
 * Alpha and beta by ordinary least squares (M. C. Jensen, "The Performance of Mutual Funds in the Period
 * 1945–1964", 1968); PSR by D. Bailey and M. López de Prado, "The Sharpe Ratio Efficient Frontier" (2012).
 *
 * @param returns simple returns by session
 * @returns null for no sessions
 */
export function besideHolding(
  returns: Float64Array,
  held: Float64Array,
  periodsPerYear: number,
): BesideHolding | null {
  if (returns.length === 0 || returns.length !== held.length) return null;
  const [totalReturn, holdReturn] = [compounded(returns), compounded(held)];
  const fit = regression(returns, held);
  const sharpe = sharpeOf(returns, periodsPerYear);
  const psr = sharpe === null ? null : probabilisticSharpe(returns, 0, 0);
  return {
    sessions: returns.length,
    totalReturn,
    holdReturn,
    excess: totalReturn - holdReturn,
    alpha: 'reason' in fit ? null : fit.alpha * periodsPerYear,
    beta: 'reason' in fit ? null : fit.beta,
    sharpe,
    psr: typeof psr === 'number' ? psr : null,
  };
}

function compounded(returns: Float64Array): number {
  return returns.reduce((growth, value) => growth * (1 + value), 1) - 1;
}
