import type { Metrics } from '../metrics.ts';
import type { RunSummary } from '../summary-schema.ts';

/**
 * Figures used to compare worlds: 1 if a higher value is better, −1 if a lower value is better, 0 for
 * neither.
 */
export const STRESS_FIGURES = {
  sharpe: 1,
  totalReturn: 1,
  cagr: 1,
  sortino: 1,
  calmar: 1,
  maxDrawdown: 1,
  drawdownDays: -1,
  averageDrawdown: 1,
  ulcerIndex: -1,
  ulcerPerformanceIndex: 1,
  gainToPain: 1,
  omega: 1,
  psr: 1,
  valueAtRisk: 1,
  conditionalValueAtRisk: 1,
  volatility: 0,
  exposure: 0,
  turnover: 0,
  tradeCount: 0,
  winRate: 1,
  profitFactor: 1,
  expectancyRate: 1,
  payoffRatio: 1,
  sqn: 1,
  returnBeforeCosts: 1,
  benchmarkReturn: 0,
  alpha: 1,
  informationRatio: 1,
} as const satisfies Partial<Record<keyof RunSummary, 1 | -1 | 0>>;

export type StressFigureName = keyof typeof STRESS_FIGURES;

export const STRESS_FIGURE_NAMES = Object.keys(STRESS_FIGURES) as StressFigureName[];

/** Figures of one run. `null` if undefined. */
export type FigureValues = Readonly<Record<StressFigureName, number | null>>;

/** Figures whose name in the metrics differs from the name in the summary. */
const METRIC_NAMES = { drawdownDays: 'drawdownDuration', exposure: 'timeInMarket' } as const;

/** Returns the figures of a run as in its summary, without computing the other parts of the summary. */
export function stressFigures(metrics: Metrics): FigureValues {
  const entries = STRESS_FIGURE_NAMES.map((name) => {
    const own = name in METRIC_NAMES ? METRIC_NAMES[name as keyof typeof METRIC_NAMES] : name;
    return [name, metrics[own as Exclude<StressFigureName, keyof typeof METRIC_NAMES>].value];
  });
  return Object.fromEntries(entries) as FigureValues;
}

/** Figures of a run without a result. */
export function emptyFigures(): FigureValues {
  return Object.fromEntries(STRESS_FIGURE_NAMES.map((name) => [name, null])) as FigureValues;
}
