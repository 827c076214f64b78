/** Unit of a figure. A share is a fraction of 1 and is shown as a percentage. */
export type FigureUnit = 'share' | 'ratio' | 'money' | 'count' | 'days';

/** Description of a figure, from which pages, comparisons, sweeps and steps derive its label and format. */
export interface FigureEntry {
  readonly label: string;
  /** Label where there is less room. Default: `label`. */
  readonly short?: string;
  readonly unit: FigureUnit;
  /** True if positive values are shown with a plus sign where a single run is described. */
  readonly signed?: boolean;
  /** Decimal places. Default: 2 for shares, ratios and money, 0 for counts and days. */
  readonly places?: number;
  /** 1 if a higher value is better, −1 if a lower value is better, 0 for neither. */
  readonly better: 1 | -1 | 0;
  /** Name in `Metrics` if it differs from the name in `summary.json`. */
  readonly metric?: string;
}

/**
 * All figures of a run by their name in `summary.json`, in the order of the report. docs/metrics.md has the
 * definitions and their sources.
 */
export const FIGURES = {
  finalEquity: { label: 'Final equity', unit: 'money', better: 1 },
  totalReturn: { label: 'Total return', unit: 'share', signed: true, better: 1 },
  cagr: { label: 'CAGR', unit: 'share', signed: true, better: 1 },
  volatility: { label: 'Volatility', unit: 'share', better: 0 },
  sharpe: { label: 'Sharpe ratio', short: 'Sharpe', unit: 'ratio', better: 1 },
  psr: { label: 'Probabilistic Sharpe ratio', short: 'PSR', unit: 'share', better: 1 },
  sortino: { label: 'Sortino ratio', short: 'Sortino', unit: 'ratio', better: 1 },
  maxDrawdown: { label: 'Worst drawdown', unit: 'share', better: 1 },
  drawdownDays: { label: 'Longest drawdown, days', unit: 'days', better: -1, metric: 'drawdownDuration' },
  drawdownCount: { label: 'Drawdowns', unit: 'count', better: -1 },
  averageDrawdown: { label: 'Average drawdown', unit: 'share', better: 1 },
  averageDrawdownDays: { label: 'Average drawdown, days', unit: 'days', places: 1, better: -1 },
  calmar: { label: 'Calmar ratio', short: 'Calmar', unit: 'ratio', better: 1 },
  ulcerIndex: { label: 'Ulcer index', unit: 'share', better: -1 },
  ulcerPerformanceIndex: { label: 'Ulcer performance index', unit: 'ratio', better: 1 },
  recoveryFactor: { label: 'Recovery factor', unit: 'ratio', better: 1 },
  gainToPain: { label: 'Gain to pain', unit: 'ratio', better: 1 },
  valueAtRisk: { label: 'Value at risk, 95%', short: 'Value at risk', unit: 'share', better: 1 },
  conditionalValueAtRisk: {
    label: 'Conditional value at risk, 95%',
    short: 'Conditional VaR',
    unit: 'share',
    better: 1,
  },
  omega: { label: 'Omega ratio', short: 'Omega', unit: 'ratio', better: 1 },
  tailRatio: { label: 'Tail ratio', unit: 'ratio', better: 1 },
  skewness: { label: 'Skewness', unit: 'ratio', better: 1 },
  kurtosis: { label: 'Kurtosis', unit: 'ratio', better: 0 },
  bestDay: { label: 'Best day', unit: 'share', signed: true, better: 1 },
  worstDay: { label: 'Worst day', unit: 'share', signed: true, better: 1 },
  exposure: {
    label: 'Time in the market',
    short: 'Time in market',
    unit: 'share',
    better: 0,
    metric: 'timeInMarket',
  },
  meanExposure: { label: 'Mean exposure', unit: 'share', places: 1, better: 0 },
  turnover: { label: 'Turnover', unit: 'ratio', better: 0 },
  tradeCount: { label: 'Closed trades', short: 'Trades', unit: 'count', better: 0 },
  openTradeCount: { label: 'Open trades', unit: 'count', better: 0 },
  winRate: { label: 'Win rate', unit: 'share', better: 1 },
  breakevens: { label: 'Breakevens', unit: 'count', better: 0 },
  profitFactor: { label: 'Profit factor', unit: 'ratio', better: 1 },
  expectancy: { label: 'Expectancy', unit: 'money', better: 1 },
  expectancyRate: { label: 'Expectancy, of entry', unit: 'share', better: 1 },
  sqn: { label: 'SQN', unit: 'ratio', better: 1 },
  kelly: { label: 'Kelly fraction', unit: 'share', better: 0 },
  bestTrade: { label: 'Best trade', unit: 'money', better: 1 },
  worstTrade: { label: 'Worst trade', unit: 'money', better: 1 },
  averageWin: { label: 'Average win', unit: 'money', better: 1 },
  averageLoss: { label: 'Average loss', unit: 'money', better: 1 },
  averageWinRate: { label: 'Average win, of entry', unit: 'share', better: 1 },
  averageLossRate: { label: 'Average loss, of entry', unit: 'share', better: 1 },
  payoffRatio: { label: 'Payoff ratio', unit: 'ratio', better: 1 },
  longestWinningStreak: { label: 'Longest winning streak', unit: 'count', better: 1 },
  longestLosingStreak: { label: 'Longest losing streak', unit: 'count', better: -1 },
  averageHoldingDays: { label: 'Average holding time, days', unit: 'days', places: 1, better: 0 },
  medianHoldingDays: { label: 'Median holding time, days', unit: 'days', places: 1, better: 0 },
  longestHoldingDays: { label: 'Longest holding time, days', unit: 'days', places: 1, better: 0 },
  commissionPaid: { label: 'Commission', unit: 'money', better: -1, metric: 'commission' },
  slippagePaid: { label: 'Slippage', unit: 'money', better: -1, metric: 'slippage' },
  returnBeforeCommission: { label: 'Return before commission', unit: 'share', signed: true, better: 1 },
  returnBeforeCosts: { label: 'Return before costs', unit: 'share', signed: true, better: 1 },
  returnAfterModel: {
    label: 'Return after model tokens',
    short: 'After model tokens',
    unit: 'share',
    signed: true,
    better: 1,
  },
  benchmarkReturn: { label: 'Benchmark return', unit: 'share', signed: true, better: 0 },
  alpha: { label: 'Alpha', short: 'Alpha a session', unit: 'share', signed: true, places: 4, better: 1 },
  beta: { label: 'Beta', unit: 'ratio', better: 0 },
  correlation: { label: 'Correlation', unit: 'ratio', better: 0 },
  trackingError: { label: 'Tracking error', unit: 'share', better: 0 },
  informationRatio: { label: 'Information ratio', unit: 'ratio', better: 1 },
  upCapture: { label: 'Up capture', unit: 'share', better: 1 },
  downCapture: { label: 'Down capture', unit: 'share', better: -1 },
  treynor: { label: 'Treynor ratio', unit: 'ratio', better: 1 },
  benchmarkScale: { label: 'Benchmark scaled by', unit: 'ratio', better: 0 },
  benchmarkAtEqualVolatility: {
    label: 'Benchmark at equal volatility',
    unit: 'share',
    signed: true,
    better: 0,
  },
} as const satisfies Readonly<Record<string, FigureEntry>>;

/** Name of a figure in `summary.json`. */
export type FigureName = keyof typeof FIGURES;

export const FIGURE_ENTRIES = Object.entries(FIGURES) as readonly (readonly [FigureName, FigureEntry])[];

/** Returns the description of a figure. `undefined` if the catalogue does not contain the name. */
export function figureEntry(name: string): FigureEntry | undefined {
  return Object.hasOwn(FIGURES, name) ? FIGURES[name as FigureName] : undefined;
}

/** Returns 1 if a higher value is better, −1 if a lower value is better, 0 for neither. */
export function directionOf(name: FigureName): 1 | -1 | 0 {
  return FIGURES[name].better;
}

/** Returns the short label of a figure. */
export function shortLabel(name: FigureName): string {
  const { label, short = label }: FigureEntry = FIGURES[name];
  return short;
}
