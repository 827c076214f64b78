import { z } from 'zod';
import { openDoorsOf } from '../engine/index.ts';
import type { RunRecord } from '../journal/index.ts';
import { decimalString } from '../kernel/index.ts';
import { alarmsOf, liquidationsOf } from './alarms.ts';
import { ambiguityOf } from './ambiguity.ts';
import { attributionSchema } from './attribution.ts';
import type { BenchmarkChoice } from './benchmark.ts';
import { costStepSchema } from './cost-steps.ts';
import { cashMoved } from './costs.ts';
import { modelCutoffSchema, splitAtCutoff } from './cutoff.ts';
import { decisionStatistics, decisionStatisticsSchema } from './decisions.ts';
import { reportSettings } from './equity.ts';
import { evaluated } from './evaluation.ts';
import type { Figure } from './figures.ts';
import { computeMetrics, type Metrics, type MetricsOptions } from './metrics.ts';
import { modelUsage, modelUsageSchema } from './model-usage.ts';
import { verdictSchema } from './verdict.ts';

const money = z.string().regex(/^-?\d+(\.\d+)?$/, 'must be an amount as a decimal string');
const count = z.number().int().min(0);
const figure = z.number().nullable();

/** `summary.json`, keys in this order: money as decimal strings, ratios as fractions, null where `reasons` says why. */
export const runSummarySchema = z.strictObject({
  runId: z.string().min(1),
  strategy: z.string(),
  outcome: z.enum(['completed', 'insolvent', 'interrupted', 'failed', 'stopped', 'budget_exhausted']),
  verdict: verdictSchema,
  /** What stands before every figure: liquidations, mass refusals, halts, with their counts; a sentence each. */
  alarms: z.array(z.string()),
  liquidations: count,
  /** Whether no door is open. */
  sealed: z.boolean(),
  /** Ways in which something beside its inputs could reach the run. */
  openDoors: z.array(z.string()),
  /** What a reader of the figures must know, such as "same-bar fills". */
  stamps: z.array(z.string()),
  symbols: z.array(z.string()),
  firstBar: z.string().nullable(),
  lastBar: z.string().nullable(),
  /** Bars walked. */
  bars: count,
  /** Date of the first bar that counts, where what came before was history. */
  evaluatedFrom: z.string().optional(),
  initialCash: money,
  finalEquity: money,
  /** Bars that allow several outcomes, and fills that not all outcomes of their bar have. */
  ambiguousBars: count,
  ambiguousFills: count,
  /** The sum over those bars of better less worse equity at the close: no bound of the run. */
  ambiguityDifference: money,
  /** Bars that counted themselves because their finer bars do not cover them. */
  uncoveredBars: count,
  /** Orders sized by a fraction of equity that were filled with less, as far as buying power went; left out for none. */
  reducedOrders: count.optional(),
  totalReturn: figure,
  cagr: figure,
  underAYear: z.boolean(),
  periodsPerYear: z.number().positive(),
  periodsInWords: z.string(),
  /** Yearly rates, as fractions. */
  riskFreeRate: z.number(),
  minimumAcceptableReturn: z.number(),
  volatility: figure,
  sharpe: figure,
  /** Probability that the true Sharpe ratio is above 0. */
  psr: figure,
  sortino: figure,
  maxDrawdown: figure,
  /** Calendar days of the longest drawdown. */
  drawdownDays: figure,
  drawdownRecovered: z.boolean(),
  drawdownCount: figure,
  averageDrawdown: figure,
  averageDrawdownDays: figure,
  calmar: figure,
  ulcerIndex: figure,
  ulcerPerformanceIndex: figure,
  recoveryFactor: figure,
  gainToPain: figure,
  /** Of session returns, as are the figures up to the worst day; the first two are losses where negative. */
  valueAtRisk: figure,
  conditionalValueAtRisk: figure,
  omega: figure,
  tailRatio: figure,
  skewness: figure,
  kurtosis: figure,
  bestDay: figure,
  bestDayDate: z.string().nullable(),
  worstDay: figure,
  worstDayDate: z.string().nullable(),
  /** Share of bars with a position. */
  exposure: figure,
  meanExposure: figure,
  turnover: figure,
  /** What the run is held against; null for buying and holding all of its own data. */
  benchmark: z.string().nullable(),
  benchmarkReturn: figure,
  /** A session. */
  alpha: figure,
  beta: figure,
  correlation: figure,
  trackingError: figure,
  informationRatio: figure,
  upCapture: figure,
  downCapture: figure,
  treynor: figure,
  benchmarkScale: figure,
  benchmarkAtEqualVolatility: figure,
  /** What the benchmark covers of the run, where that is not all of it: figures against it are of these bars. */
  commonPeriod: z
    .strictObject({ firstBar: z.string(), lastBar: z.string(), bars: count, ownReturn: figure })
    .nullable(),
  tradeCount: count,
  openTradeCount: count.nullable(),
  winRate: figure,
  breakevens: count,
  profitFactor: figure,
  expectancy: money.nullable(),
  expectancyRate: figure,
  sqn: figure,
  kelly: figure,
  bestTrade: money.nullable(),
  worstTrade: money.nullable(),
  payoffRatio: figure,
  averageWin: money.nullable(),
  averageLoss: money.nullable(),
  averageWinRate: figure,
  averageLossRate: figure,
  longestWinningStreak: figure,
  longestLosingStreak: figure,
  averageHoldingDays: figure,
  medianHoldingDays: figure,
  longestHoldingDays: figure,
  commissionPaid: money,
  slippagePaid: money,
  /** Signed, as cash moved: negative where it was paid. */
  dividends: money,
  interest: money,
  marginInterest: money,
  borrowFees: money,
  returnBeforeCommission: figure,
  returnBeforeCosts: figure,
  /** The equity has not paid the model's tokens. */
  returnAfterModel: figure,
  /** From what prices brought to what is left after every cost; empty without a bar. */
  costSteps: z.array(costStepSchema),
  /** By symbol, side, month and exit reason, each list adding up to the profit. */
  attribution: attributionSchema,
  /** Returns by calendar month, January to December, and of the year. */
  months: z.array(z.strictObject({ year: z.number().int(), months: z.array(figure), total: figure })),
  toolCalls: count,
  rejectedOrders: count,
  activity: decisionStatisticsSchema,
  /** The bar at whose close the drawdown limit was reached; null where it was not. */
  drawdownHalt: z.string().nullable(),
  /** Days on which the daily loss limit was reached. */
  dailyLossStops: count,
  /** Null for a run without a model. */
  model: modelUsageSchema,
  /** Null where no --model-cutoff was given. */
  modelCutoff: modelCutoffSchema,
  /** What is missing from the journal; empty for a whole one. */
  damage: z.array(z.string()),
  /** Why a figure is null, by its name here. */
  reasons: z.record(z.string(), z.string()),
});

/** What `summary.json` holds of a run: its figures, its verdict and what to know of both. */
export type RunSummary = z.infer<typeof runSummarySchema>;

/** Sums up a run from its journal alone; without a bar the final equity is the initial cash. */
export function summarise(
  record: RunRecord,
  options: MetricsOptions & {
    readonly runId: string;
    /** Exchanges with a model that this process found recorded. */
    readonly replayedExchanges?: number;
    /** What the machine left open, which no journal tells. */
    readonly platformDoors?: readonly string[];
    /** The last date a model was trained on. */
    readonly modelCutoff?: string | undefined;
    /** The record's own, by these options, where they have been worked out already. */
    readonly metrics?: Metrics;
  },
): RunSummary {
  const metrics = options.metrics ?? computeMetrics(record, options);
  const { benchmark } = options;
  const moved = cashMoved(record);
  const openDoors = [...openDoorsOf(record.started), ...(options.platformDoors ?? [])];
  const initialCash = decimalString(reportSettings(record).cash);
  const reducedOrders = record.fills.filter((fill) => fill.requestedQuantity !== undefined).length;
  const finalEquity = metrics.finalEquity.value ?? initialCash;
  return {
    runId: options.runId,
    strategy: record.started.strategy.name,
    outcome: record.outcome,
    verdict: metrics.verdict,
    alarms: alarmsOf(record).map(({ text }) => text),
    liquidations: liquidationsOf(record),
    sealed: openDoors.length === 0,
    openDoors,
    stamps: [...(record.started.stamps ?? [])],
    symbols: [...record.started.symbols],
    firstBar: record.bars[0]?.date ?? null,
    lastBar: record.bars.at(-1)?.date ?? null,
    bars: record.bars.length,
    ...(evaluated(record) === record ? {} : { evaluatedFrom: evaluated(record).bars[0]!.date }),
    initialCash,
    finalEquity,
    ...ambiguityOf(record),
    uncoveredBars: record.uncoveredBars,
    ...(reducedOrders === 0 ? {} : { reducedOrders }),
    totalReturn: metrics.totalReturn.value,
    cagr: metrics.cagr.value,
    underAYear: metrics.underAYear,
    periodsPerYear: metrics.periodsPerYear,
    periodsInWords: metrics.periodsInWords,
    riskFreeRate: options.riskFreeRate ?? 0,
    minimumAcceptableReturn: options.minimumAcceptableReturn ?? 0,
    volatility: metrics.volatility.value,
    sharpe: metrics.sharpe.value,
    psr: metrics.psr.value,
    sortino: metrics.sortino.value,
    maxDrawdown: metrics.maxDrawdown.value,
    drawdownDays: metrics.drawdownDuration.value,
    drawdownRecovered: metrics.drawdownDuration.recovered,
    drawdownCount: metrics.drawdownCount.value,
    averageDrawdown: metrics.averageDrawdown.value,
    averageDrawdownDays: metrics.averageDrawdownDays.value,
    calmar: metrics.calmar.value,
    ulcerIndex: metrics.ulcerIndex.value,
    ulcerPerformanceIndex: metrics.ulcerPerformanceIndex.value,
    recoveryFactor: metrics.recoveryFactor.value,
    gainToPain: metrics.gainToPain.value,
    valueAtRisk: metrics.valueAtRisk.value,
    conditionalValueAtRisk: metrics.conditionalValueAtRisk.value,
    omega: metrics.omega.value,
    tailRatio: metrics.tailRatio.value,
    skewness: metrics.skewness.value,
    kurtosis: metrics.kurtosis.value,
    bestDay: metrics.bestDay.value,
    bestDayDate: metrics.bestDayDate,
    worstDay: metrics.worstDay.value,
    worstDayDate: metrics.worstDayDate,
    exposure: metrics.timeInMarket.value,
    meanExposure: metrics.meanExposure.value,
    turnover: metrics.turnover.value,
    benchmark: nameOfBenchmark(benchmark, record.started.symbols),
    benchmarkReturn: metrics.benchmarkReturn.value,
    alpha: metrics.alpha.value,
    beta: metrics.beta.value,
    correlation: metrics.correlation.value,
    trackingError: metrics.trackingError.value,
    informationRatio: metrics.informationRatio.value,
    upCapture: metrics.upCapture.value,
    downCapture: metrics.downCapture.value,
    treynor: metrics.treynor.value,
    benchmarkScale: metrics.benchmarkScale.value,
    benchmarkAtEqualVolatility: metrics.benchmarkAtEqualVolatility.value,
    commonPeriod: metrics.commonPeriod,
    tradeCount: record.trades.length,
    openTradeCount: metrics.openTradeCount.value,
    winRate: metrics.winRate.value,
    breakevens: metrics.breakevens.value ?? 0,
    profitFactor: metrics.profitFactor.value,
    expectancy: metrics.expectancy.value,
    expectancyRate: metrics.expectancyRate.value,
    sqn: metrics.sqn.value,
    kelly: metrics.kelly.value,
    bestTrade: metrics.bestTrade.value?.netPnl ?? null,
    worstTrade: metrics.worstTrade.value?.netPnl ?? null,
    payoffRatio: metrics.payoffRatio.value,
    averageWin: metrics.averageWin.value,
    averageLoss: metrics.averageLoss.value,
    averageWinRate: metrics.averageWinRate.value,
    averageLossRate: metrics.averageLossRate.value,
    longestWinningStreak: metrics.longestWinningStreak.value,
    longestLosingStreak: metrics.longestLosingStreak.value,
    averageHoldingDays: metrics.averageHoldingDays.value,
    medianHoldingDays: metrics.medianHoldingDays.value,
    longestHoldingDays: metrics.longestHoldingDays.value,
    commissionPaid: metrics.commission.value ?? '0',
    slippagePaid: metrics.slippage.value ?? '0',
    dividends: decimalString(moved.dividend),
    interest: decimalString(moved.interest),
    marginInterest: decimalString(moved.margin_interest),
    borrowFees: decimalString(moved.borrow_fee),
    returnBeforeCommission: metrics.returnBeforeCommission.value,
    returnBeforeCosts: metrics.returnBeforeCosts.value,
    returnAfterModel: metrics.returnAfterModel.value,
    costSteps: [...metrics.costSteps],
    attribution: metrics.attribution,
    months: metrics.months.map(({ year, months, total }) => ({ year, months: [...months], total })),
    toolCalls: record.toolCalls.length,
    rejectedOrders: record.rejections.length,
    activity: decisionStatistics(record),
    ...haltsOf(record),
    model: modelUsage(record, options.replayedExchanges ?? 0),
    modelCutoff: splitAtCutoff(record, options.modelCutoff, options),
    damage: [...record.damage],
    reasons: reasonsOf(metrics),
  };
}

function nameOfBenchmark(benchmark: BenchmarkChoice, symbols: readonly string[]): string | null {
  if (typeof benchmark !== 'object') return benchmark ?? null;
  return benchmark.held === true && !symbols.includes(benchmark.name) ? null : benchmark.name;
}

function haltsOf({ halts, bars }: RunRecord): Pick<RunSummary, 'drawdownHalt' | 'dailyLossStops'> {
  const drawdown = halts.find(({ code }) => code === 'risk_drawdown');
  return {
    drawdownHalt: bars.find(({ bar }) => bar === drawdown?.bar)?.date ?? null,
    dailyLossStops: halts.filter(({ code }) => code === 'risk_daily_loss').length,
  };
}

/** Metrics that go by another name in the summary. */
const SUMMARY_NAMES: Readonly<Record<string, string>> = {
  drawdownDuration: 'drawdownDays',
  timeInMarket: 'exposure',
};

function reasonsOf(metrics: Metrics): Record<string, string> {
  const reasons: Record<string, string> = {};
  for (const [name, entry] of Object.entries(metrics) as [string, unknown][]) {
    if (name === 'finalEquity' || !isFigure(entry) || entry.reason === undefined) continue;
    reasons[SUMMARY_NAMES[name] ?? name] = entry.reason;
  }
  return reasons;
}

function isFigure(entry: unknown): entry is Figure<unknown> {
  return typeof entry === 'object' && entry !== null && 'convention' in entry;
}
