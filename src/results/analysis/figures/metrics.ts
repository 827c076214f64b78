import type { RunRecord } from '../../../journal/index.ts';
import { AppError, decimal } from '../../../kernel/index.ts';
import { againstBenchmark, type BenchmarkFigures } from '../benchmark/against-benchmark.ts';
import { type BenchmarkChoice, benchmarkName } from '../benchmark/benchmark.ts';
import { probabilisticSharpe, type Shape, shapeOf } from '../overfit/sharpe-tests.ts';
import type { BenchmarkRow } from '../series/benchmark-rows.ts';
import { evaluated } from '../summary/evaluation.ts';
import { type Verdict, verdictOf } from '../summary/verdict.ts';
import { type Attribution, attributionOf } from './attribution.ts';
import { benchmarkTable } from './benchmark-table.ts';
import {
  type CostStep,
  costSteps,
  meanExposure,
  returnAfterModel,
  returnBefore,
  timeInMarket,
  tradingCosts,
  turnover,
} from './costs.ts';
import { type DistributionFigures, distributionFigures } from './distribution-figures.ts';
import {
  type Drawdown,
  type DrawdownFigures,
  deepestDrawdowns,
  drawdownCurve,
  drawdownFigures,
  drawdownsOf,
  firstLargest,
} from './drawdown.ts';
import { equityColumns } from './equity.ts';
import {
  type Figure,
  figure,
  type MoneyFigure,
  moneyFigure,
  NO_BARS,
  type Undefined,
  undefinedBecause,
} from './figures.ts';
import {
  calendarDays,
  calendarReturns,
  calmarRatio,
  compoundAnnualGrowth,
  returnDates,
  sessionReturns,
  sharpeRatio,
  sortinoRatio,
  totalReturn,
  volatility,
  type YearOfReturns,
} from './returns.ts';
import { DAYS_PER_YEAR, sessionsOf } from './sessions.ts';
import { type TradeStatistics, tradeStatistics } from './trade-statistics.ts';

export interface MetricsOptions {
  /** Sessions per year (P) for annualising. Default: derived from the dates of the bars. */
  readonly periodsPerYear?: number;
  /** Annual risk-free rate as a fraction. The rate per session is this rate divided by P. */
  readonly riskFreeRate?: number;
  /**
   * Annual minimum acceptable return (MAR) of Sortino and Omega, as a fraction. The return per session is
   * this return divided by P.
   */
  readonly minimumAcceptableReturn?: number;
  /** Benchmark of the run. Default: buying and holding all symbols of the run. */
  readonly benchmark?: BenchmarkChoice;
}

/** All performance figures of a run, as defined in docs/metrics.md. */
export interface Metrics extends TradeStatistics, BenchmarkFigures, DistributionFigures, DrawdownFigures {
  readonly periodsPerYear: number;
  /** Explanation of the number of periods per year. */
  readonly periodsInWords: string;
  /** Number of sessions. If the first session has no return, the number of session returns is one lower. */
  readonly sessions: number;
  /** Calendar days from the first bar of the run to the last. */
  readonly calendarDays: number;
  /**
   * True if the bars of the run cover less than a year. In this case, CAGR, Calmar ratio and turnover are
   * extrapolated.
   */
  readonly underAYear: boolean;
  readonly finalEquity: MoneyFigure;
  readonly totalReturn: Figure;
  readonly cagr: Figure;
  readonly volatility: Figure;
  readonly sharpe: Figure;
  /** Probability that the true Sharpe ratio is above 0. */
  readonly psr: Figure;
  readonly sortino: Figure;
  readonly maxDrawdown: Figure;
  /** Days of the longest drawdown. `recovered` is false if the run ended during the longest drawdown. */
  readonly drawdownDuration: Figure & { readonly recovered: boolean };
  readonly deepestDrawdown: Drawdown | null;
  readonly longestDrawdown: Drawdown | null;
  /** Deepest drawdowns, deepest first. */
  readonly deepestDrawdowns: readonly Drawdown[];
  readonly calmar: Figure;
  readonly timeInMarket: Figure;
  readonly meanExposure: Figure;
  readonly turnover: Figure;
  readonly commission: MoneyFigure;
  readonly slippage: MoneyFigure;
  readonly returnBeforeCommission: Figure;
  readonly returnBeforeCosts: Figure;
  /** Total return after deducting the cost of the model's tokens. The equity does not include this cost. */
  readonly returnAfterModel: Figure;
  /** Steps from gross profit to profit after all costs. */
  readonly costSteps: readonly CostStep[];
  /** Returns of the run by calendar month and year. */
  readonly months: readonly YearOfReturns[];
  /**
   * Verdict on the run. The verdict and `attribution` are computed on first access, because both are slow for
   * long runs.
   */
  readonly verdict: Verdict;
  readonly attribution: Attribution;
  /**
   * Returns the comparison table with the benchmark. The first call computes the resamples, and later calls
   * return the cached table.
   */
  readonly benchmarkTable: () => readonly BenchmarkRow[];
  /** @deprecated Former name of `benchmarkTable`. */
  readonly spine: () => readonly BenchmarkRow[];
  /**
   * Equity of the benchmark at each evaluated bar. NaN at bars that the benchmark does not cover. `undefined`
   * without a benchmark.
   */
  readonly benchmarkEquity: Float64Array | undefined;
}

/**
 * Computes all performance figures from a journal.
 *
 * @throws AppError `bad_metrics_option` if an option is invalid; `journal_damaged` if an amount or a date of
 *   the journal cannot be read
 */
export function computeMetrics(whole: RunRecord, options: MetricsOptions = {}): Metrics {
  const record = evaluated(whole);
  const columns = equityColumns(record);
  const sessions = sessionsOf(columns);
  const { periods, riskFree, acceptable } = checked(options, sessions.periodsPerYear);
  const returns = sessionReturns(sessions);
  const shape = 'reason' in returns || returns.length < 2 ? undefined : shapeOf(returns);
  const days = calendarDays(columns.times);
  const underAYear = days < DAYS_PER_YEAR;
  const shortRun = underAYear ? '; under a year' : '';
  const unit = sessions.unit === 'day' ? 'UTC day' : sessions.unit;
  const inWords = options.periodsPerYear === undefined ? sessions.periodsInWords : 'as set';
  const yearly = `by the ${unit}, ${round(periods)} a year (${inWords})`;

  const growth = compoundAnnualGrowth(columns);
  const curve = drawdownCurve(columns);
  const drawdowns = drawdownsOf(columns, curve);
  const deepest = firstLargest(drawdowns, (one) => -one.depth);
  const longest = firstLargest(drawdowns, (one) => one.days);
  const maxDrawdown = curve.length === 0 ? NO_BARS : (deepest?.depth ?? 0);

  const months = calendarReturns(columns);
  let verdict: Verdict | undefined;
  let attribution: Attribution | undefined;
  let benchmarkRows: readonly BenchmarkRow[] | undefined;
  const mar = `MAR ${percent(options.minimumAcceptableReturn)} a year`;
  const terms = { periodsPerYear: periods, riskFree };
  const benchmark = againstBenchmark(record, columns, returns, options.benchmark, terms);
  const costs = tradingCosts(record);
  const steps = costSteps(record, costs);
  const finalEquity = record.bars.at(-1)?.equity;
  const before = (added: typeof costs.commission) => returnBefore(added, finalEquity, columns.initialCash);

  return {
    periodsPerYear: periods,
    periodsInWords: inWords,
    sessions: sessions.equity.length,
    calendarDays: days,
    underAYear,
    finalEquity: moneyFigure(
      'cash and positions at the last close',
      finalEquity === undefined ? NO_BARS : decimal(finalEquity),
    ),
    totalReturn: figure('final equity / initial cash − 1', totalReturn(columns)),
    cagr: figure(
      `(final equity / initial cash)^(365.25 / ${round(days)} calendar days) − 1${shortRun}`,
      growth,
    ),
    volatility: figure(`sd(returns, ddof 1) · √P, ${yearly}`, volatility(returns, periods)),
    sharpe: figure(
      `mean(returns − rf) / sd(returns, ddof 1) · √P, arithmetic, ${yearly}, rf ${percent(options.riskFreeRate)} a year`,
      sharpeRatio(returns, periods, riskFree),
    ),
    sortino: figure(
      `mean(returns − MAR) / √(Σ min(returns − MAR, 0)² / N) · √P, ${yearly}, ${mar}`,
      sortinoRatio(returns, periods, acceptable),
    ),
    psr: figure(
      `probability that the true Sharpe ratio is above 0, by ${returnsInWords(returns, shape)}, rf ${percent(options.riskFreeRate)} a year`,
      probabilisticSharpe(returns, 0, riskFree, shape),
    ),
    maxDrawdown: figure(
      'lowest equity / running maximum − 1, at bar closes, from the initial cash',
      maxDrawdown,
    ),
    drawdownDuration: {
      ...figure(
        'calendar days of the longest drawdown, from its peak to recovery or the end',
        curve.length === 0 ? NO_BARS : (longest?.days ?? undefinedBecause('there was no drawdown')),
      ),
      recovered: longest?.recovered ?? true,
    },
    deepestDrawdown: deepest ?? null,
    longestDrawdown: longest ?? null,
    deepestDrawdowns: deepestDrawdowns(drawdowns),
    calmar: figure(`CAGR / |max drawdown|${shortRun}`, calmarRatio(growth, maxDrawdown)),
    timeInMarket: figure('bars with a position / all bars', timeInMarket(record)),
    meanExposure: figure('mean over all bars of gross exposure / equity', meanExposure(record)),
    turnover: figure(
      `notional of all fills / mean bar equity, a year${shortRun}`,
      turnover(costs.tradedNotional, columns),
    ),
    ...benchmark.figures,
    ...distributionFigures(returns, returnDates(sessions), acceptable, mar, shape),
    ...drawdownFigures(columns, sessions, drawdowns, months, growth, options.riskFreeRate ?? 0),
    ...tradeStatistics(record),
    commission: moneyFigure('sum over all fills', costs.commission),
    slippage: moneyFigure(
      'sum over all fills of quantity × price difference, against the trader',
      costs.slippage,
    ),
    returnBeforeCommission: figure(
      'total return, commission added back at the end',
      before(costs.commission),
    ),
    returnBeforeCosts: figure(
      'total return, commission and slippage added back at the end',
      before(costs.commission.plus(costs.slippage)),
    ),
    returnAfterModel: figure('total return, less the cost of the model’s tokens', returnAfterModel(steps)),
    costSteps: steps,
    months,
    get verdict() {
      verdict ??= verdictOf({
        record,
        pair: benchmark.pair,
        sessions: returnDates(sessions).length,
        terms,
        benchmark: benchmarkName(options.benchmark),
        commonPeriod: benchmark.figures.commonPeriod,
      });
      return verdict;
    },
    get attribution() {
      attribution ??= attributionOf(record);
      return attribution;
    },
    benchmarkTable() {
      benchmarkRows ??= benchmarkTable(whole, this, options);
      return benchmarkRows;
    },
    spine() {
      return this.benchmarkTable();
    },
    benchmarkEquity: benchmark.equity,
  };
}

/**
 * Checks the options and fills in defaults.
 *
 * @param usual number of periods per year if the options do not contain it
 */
function checked(options: MetricsOptions, usual: number) {
  const { periodsPerYear = usual, riskFreeRate = 0, minimumAcceptableReturn = 0 } = options;
  const good =
    periodsPerYear > 0 &&
    [periodsPerYear, riskFreeRate, minimumAcceptableReturn].every((value) => Number.isFinite(value));
  if (!good) {
    throw new AppError({
      code: 'bad_metrics_option',
      message: `Invalid options for metrics: ${periodsPerYear} periods per year, risk-free rate ${riskFreeRate}, minimum acceptable return ${minimumAcceptableReturn}.`,
      hint: 'Use a positive number of periods per year, for example 252, and rates as fractions, for example 0.03.',
    });
  }
  return {
    periods: periodsPerYear,
    riskFree: riskFreeRate / periodsPerYear,
    acceptable: minimumAcceptableReturn / periodsPerYear,
  };
}

function returnsInWords(returns: Float64Array | Undefined, moments: Shape | undefined): string {
  if ('reason' in returns || moments === undefined) return 'its session returns';
  const { skewness, kurtosis } = moments;
  const shape = Number.isFinite(kurtosis)
    ? `, skewness ${round(skewness)}, Pearson kurtosis ${round(kurtosis)}`
    : '';
  return `its ${returns.length} session returns${shape}`;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

function percent(rate = 0): string {
  return `${round(rate * 100)}%`;
}
