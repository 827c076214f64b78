import { lowerMean, sharpeRatio, sortinoRatio, volatility } from './ratios.ts';

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
/** NaN if a figure is undefined. */
export type PathFigures = Record<PathFigure, number>;

/** Terms for annualising session returns. */
export interface PathTerms {
  readonly periodsPerYear: number;
  /** Years that the sessions cover. */
  readonly years: number;
  /** Rate per session. */
  readonly riskFree: number;
  /** Minimum acceptable return per session. */
  readonly acceptable: number;
}

/** Computes the figures of one series of session returns. The drawdown uses session closes. */
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
