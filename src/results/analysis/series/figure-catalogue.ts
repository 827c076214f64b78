/** Unit of a figure. A share is a fraction of 1 and is shown as a percentage. */
export type FigureUnit = 'share' | 'ratio' | 'money' | 'count' | 'days';

/** Groups of figures. `summary.json` lists the figures of a group together. */
export type FigureGroup =
  | 'account'
  | 'return'
  | 'risk'
  | 'drawdown'
  | 'session'
  | 'exposure'
  | 'benchmark'
  | 'trade'
  | 'cost'
  | 'beforeCosts';

/**
 * Description of a figure, from which pages, comparisons, sweeps and Gherkin steps derive its label and
 * format.
 */
export interface FigureEntry {
  readonly label: string;
  /** Label for narrow tables. Default: `label`. */
  readonly short?: string;
  readonly unit: FigureUnit;
  /** True if positive values have a plus sign in descriptions of a single run. */
  readonly signed?: boolean;
  /** Decimal places. Default: 2 for shares, ratios and money, 0 for counts and days. */
  readonly places?: number;
  /** 1 if a higher value is better, −1 if a lower value is better, 0 for neither. */
  readonly better: 1 | -1 | 0;
  /** Name in `Metrics` if it differs from the name in `summary.json`. */
  readonly metric?: string;
  /** Group of the figure, which determines its place in `summary.json`. */
  readonly group: FigureGroup;
  /** True if the figure is never `null`. If there is nothing to count or sum, the figure is 0. */
  readonly always?: true;
}

/**
 * All figures of a run by their name in `summary.json`, in the order of the report. The schema and the values of
 * `summary.json`, all tables and pages, and the table of docs/metrics.md derive from this catalogue.
 *
 * The comment of a figure is its definition in docs/metrics.md. A sentence that begins with `null` states when the
 * figure is undefined. r are session returns, P is the number of periods per year.
 */
export const FIGURES = {
  /** Cash plus positions at the last close. */
  finalEquity: { group: 'account', always: true, label: 'Final equity', unit: 'money', better: 1 },
  /** Final equity / initial cash − 1. `null` without a bar. */
  totalReturn: { group: 'return', label: 'Total return', unit: 'share', signed: true, better: 1 },
  /** (Final equity / initial cash)^(365.25 / days) − 1. `underAYear` is true if the run is shorter than a year. `null` for a single instant, or if the final equity is not positive. */
  cagr: { group: 'return', label: 'CAGR', unit: 'share', signed: true, better: 1 },
  /** sd(r, ddof 1) · √P. `null` with fewer than two returns, or if equity is not positive at a session. */
  volatility: { group: 'risk', label: 'Volatility', unit: 'share', better: 0 },
  /** mean(r − rf) / sd(r, ddof 1) · √P, arithmetic. `null` as for `volatility`, or if returns do not vary. */
  sharpe: { group: 'risk', label: 'Sharpe ratio', short: 'Sharpe', unit: 'ratio', better: 1 },
  /** Probability that the true Sharpe ratio is above 0; see [below](#how-far-a-sharpe-ratio-can-be-believed). `null` as for `sharpe`, or if returns have only two values at one ratio. */
  psr: { group: 'risk', label: 'Probabilistic Sharpe ratio', short: 'PSR', unit: 'share', better: 1 },
  /** mean(r − MAR) / √(Σ min(r − MAR, 0)² / N) · √P, where N counts all returns. `null` as for `volatility`, or without a return below MAR. */
  sortino: { group: 'risk', label: 'Sortino ratio', short: 'Sortino', unit: 'ratio', better: 1 },
  /** Lowest value of equity / running maximum − 1, at bar closes. `null` without a bar. */
  maxDrawdown: { group: 'risk', label: 'Max drawdown', unit: 'share', better: 1 },
  /** Calendar days of the longest drawdown, from its peak to recovery or the end. `drawdownRecovered` is false if the run ended during it. `null` without a drawdown. */
  drawdownDays: {
    group: 'risk',
    label: 'Longest drawdown, days',
    unit: 'days',
    better: -1,
    metric: 'drawdownDuration',
  },
  /** Falls below a running maximum, including a drawdown that did not recover. `null` without a bar. */
  drawdownCount: { group: 'drawdown', label: 'Drawdowns', unit: 'count', better: -1 },
  /** Mean depth of all drawdowns. `null` without a drawdown. */
  averageDrawdown: { group: 'drawdown', label: 'Average drawdown', unit: 'share', better: 1 },
  /** Mean calendar days of all drawdowns. `null` without a drawdown. */
  averageDrawdownDays: {
    group: 'drawdown',
    label: 'Average drawdown, days',
    unit: 'days',
    places: 1,
    better: -1,
  },
  /** CAGR / |max drawdown|. `null` if either is `null`, or without a drawdown. */
  calmar: { group: 'session', label: 'Calmar ratio', short: 'Calmar', unit: 'ratio', better: 1 },
  /** √ of the mean squared drawdown, at session closes, from the initial cash (P. Martin, B. McCann, 1989). `null` without a bar. */
  ulcerIndex: { group: 'session', label: 'Ulcer index', unit: 'share', better: -1 },
  /** (CAGR − rf) / ulcer index (P. Martin, B. McCann, 1989). `null` if either is `null`, or without a drawdown. */
  ulcerPerformanceIndex: { group: 'session', label: 'Ulcer performance index', unit: 'ratio', better: 1 },
  /** Net profit / largest drawdown in money, at bar closes. `null` without a bar or without a drawdown. */
  recoveryFactor: { group: 'session', label: 'Recovery factor', unit: 'ratio', better: 1 },
  /** Σ monthly returns / |Σ negative monthly returns| (J. Schwager, _Hedge Fund Market Wizards_, 2012). `null` without a bar, if equity is not positive, or without a losing month. */
  gainToPain: { group: 'session', label: 'Gain to pain', unit: 'ratio', better: 1 },
  /** Historical, 95 %: 5 % quantile of r per session, by linear interpolation (R. Hyndman, Y. Fan, 1996, type 7). Negative for a loss. `null` as for `volatility`. */
  valueAtRisk: {
    group: 'session',
    label: 'Value at risk, 95%',
    short: 'Value at risk',
    unit: 'share',
    better: 1,
  },
  /** Mean of the returns at or below the value at risk (R. Rockafellar, S. Uryasev, 2000). `null` as for `volatility`. */
  conditionalValueAtRisk: {
    group: 'session',
    label: 'Conditional value at risk, 95%',
    short: 'Conditional VaR',
    unit: 'share',
    better: 1,
  },
  /** Σ max(r − MAR, 0) / Σ max(MAR − r, 0) (C. Keating, W. Shadwick, 2002). `null` as for `volatility`, or without a return below MAR. */
  omega: { group: 'session', label: 'Omega ratio', short: 'Omega', unit: 'ratio', better: 1 },
  /** |95 % quantile of r| / |5 % quantile of r|. `null` as for `volatility`, or if the second quantile is 0. */
  tailRatio: { group: 'session', label: 'Tail ratio', unit: 'ratio', better: 1 },
  /** Skewness of r, corrected for bias: g₁ · √(n(n − 1)) / (n − 2). `null` with fewer than three returns, or if returns do not vary. */
  skewness: { group: 'session', label: 'Skewness', unit: 'ratio', better: 1 },
  /** Pearson kurtosis of r, 3 for a normal distribution. `null` with fewer than two returns, or if returns do not vary. */
  kurtosis: { group: 'session', label: 'Kurtosis', unit: 'ratio', better: 0 },
  /** Largest r. `bestDayDate` is its date. `null` without a return, or if equity is not positive at a session. */
  bestDay: { group: 'session', label: 'Best day', unit: 'share', signed: true, better: 1 },
  /** Smallest r. `worstDayDate` is its date. `null` as for `bestDay`. */
  worstDay: { group: 'session', label: 'Worst day', unit: 'share', signed: true, better: 1 },
  /** Bars with a position / all bars. `null` without a bar. */
  exposure: {
    group: 'exposure',
    label: 'Time in the market',
    short: 'Time in market',
    unit: 'share',
    better: 0,
    metric: 'timeInMarket',
  },
  /** Mean over all bars of Σ |position| · mark / equity. `null` if equity was not positive on a bar. */
  meanExposure: { group: 'exposure', label: 'Mean exposure', unit: 'share', places: 1, better: 0 },
  /** Σ fill quantity · price / mean bar equity, annualised. `null` for a single instant, or if the mean equity is not positive. */
  turnover: { group: 'exposure', label: 'Turnover', unit: 'ratio', better: 0 },
  /** Closed trades. */
  tradeCount: {
    group: 'trade',
    always: true,
    label: 'Closed trades',
    short: 'Trades',
    unit: 'count',
    better: 0,
  },
  /** Trades open at the end. No other trade figure includes them. `null` if a killed run has a position, or a run ended in a bar with fills. */
  openTradeCount: { group: 'trade', label: 'Open trades', unit: 'count', better: 0 },
  /** Trades with net P&L > 0 / closed trades. `null` without a closed trade. */
  winRate: { group: 'trade', label: 'Win rate', unit: 'share', better: 1 },
  /** Closed trades with a net P&L of exactly 0. */
  breakevens: { group: 'trade', always: true, label: 'Breakevens', unit: 'count', better: 0 },
  /** Σ net wins / |Σ net losses|, in money. `null` without a closed trade, or without a losing trade. */
  profitFactor: { group: 'trade', label: 'Profit factor', unit: 'ratio', better: 1 },
  /** Mean net P&L per trade, to 10 decimal places. `null` without a closed trade. */
  expectancy: { group: 'trade', label: 'Expectancy', unit: 'money', better: 1 },
  /** Mean of net P&L / entry notional. `null` without a closed trade, or if a trade was entered at a price of 0. */
  expectancyRate: { group: 'trade', label: 'Expectancy, of entry', unit: 'share', better: 1 },
  /** √n · mean / sd(ddof 1) of net P&L, without a limit on n (Van K. Tharp, 2008). `null` with fewer than two trades, or if all results are equal. */
  sqn: { group: 'trade', label: 'SQN', unit: 'ratio', better: 1 },
  /** W − (1 − W) / (average win / average loss), where W is the win rate. `null` with fewer than 30 trades, or without both winning and losing trades. */
  kelly: { group: 'trade', label: 'Kelly fraction', unit: 'share', better: 0 },
  /** Largest net P&L of a trade. `null` without a closed trade. */
  bestTrade: { group: 'trade', label: 'Best trade', unit: 'money', better: 1 },
  /** Smallest net P&L of a trade. `null` without a closed trade. */
  worstTrade: { group: 'trade', label: 'Worst trade', unit: 'money', better: 1 },
  /** Mean net P&L of winning trades, to 10 decimal places. `null` without a winning trade. */
  averageWin: { group: 'trade', label: 'Average win', unit: 'money', better: 1 },
  /** Mean net P&L of losing trades, to 10 decimal places. `null` without a losing trade. */
  averageLoss: { group: 'trade', label: 'Average loss', unit: 'money', better: 1 },
  /** Mean of net P&L / entry notional of winning trades. `null` as for `averageWin`, or if a trade was entered at a price of 0. */
  averageWinRate: { group: 'trade', label: 'Average win, of entry', unit: 'share', better: 1 },
  /** Mean of net P&L / entry notional of losing trades. `null` as for `averageLoss`, or if a trade was entered at a price of 0. */
  averageLossRate: { group: 'trade', label: 'Average loss, of entry', unit: 'share', better: 1 },
  /** Average win / |average loss|, in money. `null` without both winning and losing trades. */
  payoffRatio: { group: 'trade', label: 'Payoff ratio', unit: 'ratio', better: 1 },
  /** Largest number of consecutive wins. A breakeven trade ends a streak. `null` without a closed trade. */
  longestWinningStreak: { group: 'trade', label: 'Longest winning streak', unit: 'count', better: 1 },
  /** Largest number of consecutive losses. A breakeven trade ends a streak. `null` without a closed trade. */
  longestLosingStreak: { group: 'trade', label: 'Longest losing streak', unit: 'count', better: -1 },
  /** Mean calendar days from entry to exit of closed trades. `null` without a closed trade. */
  averageHoldingDays: {
    group: 'trade',
    label: 'Average holding time, days',
    unit: 'days',
    places: 1,
    better: 0,
  },
  /** Median calendar days from entry to exit of closed trades. `null` without a closed trade. */
  medianHoldingDays: {
    group: 'trade',
    label: 'Median holding time, days',
    unit: 'days',
    places: 1,
    better: 0,
  },
  /** Largest number of calendar days from entry to exit of closed trades. `null` without a closed trade. */
  longestHoldingDays: {
    group: 'trade',
    label: 'Longest holding time, days',
    unit: 'days',
    places: 1,
    better: 0,
  },
  /** Sum over all fills. */
  commissionPaid: {
    group: 'cost',
    always: true,
    label: 'Commission',
    unit: 'money',
    better: -1,
    metric: 'commission',
  },
  /** Σ quantity · (fill price − price of the rule), against the trader. */
  slippagePaid: {
    group: 'cost',
    always: true,
    label: 'Slippage',
    unit: 'money',
    better: -1,
    metric: 'slippage',
  },
  /** Total return with commission added back at the end: same fills, same quantities. `null` without a bar. */
  returnBeforeCommission: {
    group: 'beforeCosts',
    label: 'Return before commission',
    unit: 'share',
    signed: true,
    better: 1,
  },
  /** Total return with commission and slippage added back at the end: same fills, same quantities. `null` without a bar. */
  returnBeforeCosts: {
    group: 'beforeCosts',
    label: 'Return before costs',
    unit: 'share',
    signed: true,
    better: 1,
  },
  /** Total return minus cost of the model's tokens / initial cash. Equal to the total return without a model. `null` without a bar, or if the cost is unknown. */
  returnAfterModel: {
    group: 'beforeCosts',
    label: 'Return after model tokens',
    short: 'After model tokens',
    unit: 'share',
    signed: true,
    better: 1,
  },
  /** Last value of the [benchmark](#the-benchmark) / initial cash − 1. `benchmark` is its name. `null` without a bar, without prices in the journal, or if the benchmark covers fewer than two bars of the run or has gaps. */
  benchmarkReturn: { group: 'benchmark', label: 'Benchmark return', unit: 'share', signed: true, better: 0 },
  /** Intercept of the ordinary least squares regression of r on the benchmark's returns of the same sessions, per session. `null` as for `volatility` and `benchmarkReturn`, or if the benchmark does not vary. */
  alpha: {
    group: 'benchmark',
    label: 'Alpha',
    short: 'Alpha a session',
    unit: 'share',
    signed: true,
    places: 4,
    better: 1,
  },
  /** Slope of the regression of `alpha`. `null` as for `alpha`. */
  beta: { group: 'benchmark', label: 'Beta', unit: 'ratio', better: 0 },
  /** Correlation of r with the benchmark's returns. `null` as for `alpha`, or if returns do not vary. */
  correlation: { group: 'benchmark', label: 'Correlation', unit: 'ratio', better: 0 },
  /** sd(r − b, ddof 1) · √P, where b are the benchmark's returns. `null` as for `alpha`. */
  trackingError: { group: 'benchmark', label: 'Tracking error', unit: 'share', better: 0 },
  /** mean(r − b) / sd(r − b) · √P. `null` as for `alpha`, or if r − b does not vary. */
  informationRatio: { group: 'benchmark', label: 'Information ratio', unit: 'ratio', better: 1 },
  /** Geometric mean of r over sessions with b > 0 / geometric mean of b (Morningstar's capture ratio, per session). `null` without such a session, or after a total loss on one. */
  upCapture: { group: 'benchmark', label: 'Up capture', unit: 'share', better: 1 },
  /** Geometric mean of r over sessions with b < 0 / geometric mean of b (Morningstar's capture ratio, per session). `null` without such a session, or after a total loss on one. */
  downCapture: { group: 'benchmark', label: 'Down capture', unit: 'share', better: -1 },
  /** mean(r − rf) · P / beta (J. Treynor, 1965). `null` as for `beta`, or if beta is 0. */
  treynor: { group: 'benchmark', label: 'Treynor ratio', unit: 'ratio', better: 1 },
  /** sd(r) / sd(b). `null` as for `alpha`. */
  benchmarkScale: { group: 'benchmark', label: 'Benchmark scaled by', unit: 'ratio', better: 0 },
  /** Total return of rf + scale · (b − rf): the benchmark at the run's volatility, with the rest lent or borrowed at rf. `null` as for `alpha`, or after a total loss. */
  benchmarkAtEqualVolatility: {
    group: 'benchmark',
    label: 'Benchmark at equal volatility',
    unit: 'share',
    signed: true,
    better: 0,
  },
} as const satisfies Readonly<Record<string, FigureEntry>>;

/** Name of a figure. It is also the key in `summary.json`. */
export type FigureName = keyof typeof FIGURES;

/** Names of the figures of a group. */
export type FigureOfGroup<Group extends FigureGroup> = {
  [Name in FigureName]: (typeof FIGURES)[Name]['group'] extends Group ? Name : never;
}[FigureName];

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
