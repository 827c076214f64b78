import { regression } from '../benchmark/benchmark.ts';
import { mean, standardDeviation } from '../figures/figures.ts';
import { probabilisticSharpe } from '../overfit/sharpe-tests.ts';
import { cellReturns, type StudyCell } from './cell.ts';

/** Result of a run with the same fills but other costs. */
interface CostLevel {
  /** Costs in basis points of the traded money, which replace all commission and slippage. */
  readonly basisPoints: number;
  readonly totalReturn: number | null;
  readonly sharpe: number | null;
}

/** Sensitivity of a run's result to its costs. */
export interface CostSensitivity {
  readonly levels: readonly CostLevel[];
  /** Costs that the run paid, in basis points of the traded money. `null` if nothing was traded. */
  readonly paidBasisPoints: number | null;
  /**
   * Costs in basis points at which the profit is zero. `null` if nothing was traded, or if the run made no
   * profit before costs.
   */
  readonly breakEven: number | null;
  /**
   * Costs in basis points at which the return equals the return of buying and holding with the same costs.
   * `null` if the returns are not equal at any cost.
   */
  readonly breakEvenToHold: number | null;
  /**
   * Number of decisions on or after the date of the first paid cost. With other costs, the account would have
   * had a different balance, so these decisions could have been different.
   */
  readonly dependent: number;
  readonly decisions: number;
}

/**
 * Recalculates the equity of a run at other costs, session by session: equity plus paid costs minus a share
 * of the traded money. `held` is the result of buying and holding over the same sessions.
 *
 * The result is exact if quantities do not depend on costs. Quantities depend on costs if sizes are
 * percentages of equity, or if a model reads its account. In this case the result is an approximation with
 * the recorded decisions, and `dependent` counts the affected decisions.
 *
 * @param levels costs in basis points of the traded money, one result per level
 */
export function costSensitivity(
  cell: StudyCell,
  levels: readonly number[],
  held: StudyCell | undefined,
): CostSensitivity {
  const traded = sum(cell.traded);
  const paid = sum(cell.paid);
  const first = cell.paid.findIndex((money) => money > 0);
  const since = first < 0 ? undefined : cell.dates[first];
  const gross = (one: StudyCell): number => (one.equity.at(-1) ?? one.start) + sum(one.paid) - one.start;
  return {
    levels: levels.map((basisPoints) => levelOf(cell, basisPoints)),
    paidBasisPoints: traded > 0 ? (paid / traded) * 10_000 : null,
    breakEven: traded > 0 && gross(cell) > 0 ? (gross(cell) / traded) * 10_000 : null,
    breakEvenToHold: held === undefined ? null : evenTo(cell, held, gross),
    dependent: since === undefined ? 0 : cell.decisions.filter(({ date }) => date >= since).length,
    decisions: cell.decisions.length,
  };
}

/**
 * Returns the costs in basis points at which the returns of a run and of buying and holding are equal. Both
 * returns are linear in the costs, so the result is the intersection of two lines.
 */
function evenTo(cell: StudyCell, held: StudyCell, gross: (one: StudyCell) => number): number | null {
  const ahead = gross(cell) / cell.start - gross(held) / held.start;
  const slope = sum(cell.traded) / cell.start - sum(held.traded) / held.start;
  return ahead > 0 && slope > 0 ? (ahead / slope) * 10_000 : null;
}

function levelOf(cell: StudyCell, basisPoints: number): CostLevel {
  let change = 0;
  const equity = cell.equity.map((value, at) => {
    change += cell.paid[at]! - (cell.traded[at]! * basisPoints) / 10_000;
    return value + change;
  });
  if (equity.length === 0 || equity.some((value) => value <= 0))
    return { basisPoints, totalReturn: null, sharpe: null };
  const returns = cellReturns({ equity, start: cell.start });
  return {
    basisPoints,
    totalReturn: equity.at(-1)! / cell.start - 1,
    sharpe: sharpeOf(returns, cell.periodsPerYear),
  };
}

/** Annualised Sharpe ratio with a risk-free rate of 0. `null` if undefined. */
function sharpeOf(returns: Float64Array, periodsPerYear: number): number | null {
  if (returns.length < 2) return null;
  const deviation = standardDeviation(returns);
  // Rounding can make the deviation of constant returns slightly larger than 0.
  return deviation <= 1e-15 ? null : (mean(returns) / deviation) * Math.sqrt(periodsPerYear);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** Performance over some sessions, compared with buying and holding. */
export interface HoldingComparison {
  readonly sessions: number;
  readonly totalReturn: number;
  readonly holdReturn: number;
  /**
   * `totalReturn` minus `holdReturn`, the return of buying and holding. Look-Ahead-Bench calls this alpha.
   */
  readonly excess: number;
  /**
   * Jensen's alpha, annualised by multiplication. `beta` is the slope of the regression on the returns of
   * buying and holding. Both are `null` if the returns of buying and holding do not vary.
   */
  readonly alpha: number | null;
  readonly beta: number | null;
  /** Annualised Sharpe ratio. `null` if undefined. */
  readonly sharpe: number | null;
  /** Probability that the true Sharpe ratio is above 0. `null` if undefined. */
  readonly psr: number | null;
}

/**
 * Compares the session returns of a strategy with the returns of buying and holding (`held`) in the same
 * sessions.
 *
 * Alpha and beta by ordinary least squares (M. C. Jensen, "The Performance of Mutual Funds in the Period
 * 1945–1964", 1968); PSR by D. Bailey and M. López de Prado, "The Sharpe Ratio Efficient Frontier" (2012).
 *
 * @param returns simple returns by session
 * @returns `null` without sessions, or if the two series differ in length
 */
export function compareWithHolding(
  returns: Float64Array,
  held: Float64Array,
  periodsPerYear: number,
): HoldingComparison | null {
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
