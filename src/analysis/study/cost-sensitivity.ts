import { mean, standardDeviation } from '../figures.ts';
import { cellReturns, type StudyCell } from './cell.ts';

/** What a run would have been worth at other costs, its fills held as they were recorded. */
interface CostLevel {
  /** Of the money traded, in basis points; in place of all commission and slippage. */
  readonly basisPoints: number;
  readonly totalReturn: number | null;
  readonly sharpe: number | null;
}

/** How much a result hangs on costs. */
export interface CostSensitivity {
  readonly levels: readonly CostLevel[];
  /** Basis points of the money traded that the run paid. */
  readonly paidBasisPoints: number | null;
  /** At which nothing is left of the profit; null where there is none, or nothing was traded. */
  readonly breakEven: number | null;
  /** At which it is no better than buying and holding at the same cost. */
  readonly breakEvenToHold: number | null;
  /** Decisions made after the account had first paid a cost: they saw an account that other costs would have changed. */
  readonly dependent: number;
  readonly decisions: number;
}

/**
 * Charges a recording anew: equity plus what was paid less a share of the money traded, session by session.
 *
 * Exact where quantities do not depend on costs. Where they do (sizes in percent of equity, a model that reads its account)
 * the decisions are held as recorded, and `dependent` counts them.
 *
 * @param levels in basis points of the money traded
 * @param held buying and holding over the same sessions
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

/** Both returns fall in a line with the costs; where the lines cross, one is no better than the other. */
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

/** Annualised, without a riskless rate; null where it is not defined. */
export function sharpeOf(returns: Float64Array, periodsPerYear: number): number | null {
  if (returns.length < 2) return null;
  const deviation = standardDeviation(returns);
  // What is left of returns that do not vary is rounding.
  return deviation <= 1e-15 ? null : (mean(returns) / deviation) * Math.sqrt(periodsPerYear);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
