import { z } from 'zod';
import type { RunRecord } from '../journal/index.ts';
import { decimalString } from '../kernel/index.ts';
import { ambiguityOf } from './ambiguity.ts';
import type { BenchmarkChoice } from './analysis/benchmark.ts';
import { decisionStatistics, decisionStatisticsSchema } from './analysis/decisions.ts';
import { costStepSchema } from './cost-steps.ts';
import { cashMoved } from './costs.ts';
import { modelCutoffSchema, splitAtCutoff } from './cutoff.ts';
import { reportSettings } from './equity.ts';
import type { Figure } from './figures.ts';
import { computeMetrics, type Metrics, type MetricsOptions } from './metrics.ts';
import { modelUsage, modelUsageSchema } from './model-usage.ts';

const money = z.string().regex(/^-?\d+(\.\d+)?$/, 'must be an amount as a decimal string');
const count = z.number().int().min(0);
const figure = z.number().nullable();

/** `summary.json`, keys in this order: money as decimal strings, ratios as fractions, null where `reasons` says why. */
export const runSummarySchema = z.strictObject({
  runId: z.string().min(1),
  strategy: z.string(),
  outcome: z.enum(['completed', 'insolvent', 'interrupted', 'failed', 'stopped', 'budget_exhausted']),
  sealed: z.boolean(),
  /** What a reader of the figures must know, such as "same-bar fills". */
  stamps: z.array(z.string()),
  symbols: z.array(z.string()),
  firstBar: z.string().nullable(),
  lastBar: z.string().nullable(),
  /** Bars walked. */
  bars: count,
  initialCash: money,
  finalEquity: money,
  /** Fills whose bars left two answers open; the worse ones are in the final equity. */
  ambiguousFills: count,
  /** The final equity had the better answers been taken, all else equal. */
  finalEquityIfBetter: money,
  totalReturn: figure,
  cagr: figure,
  underAYear: z.boolean(),
  periodsPerYear: z.number().positive(),
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
  calmar: figure,
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

export type RunSummary = z.infer<typeof runSummarySchema>;

/** Sums up a run from its journal alone; without a bar the final equity is the initial cash. */
export function summarise(
  record: RunRecord,
  options: MetricsOptions & {
    readonly runId: string;
    /** Exchanges with a model that this process found recorded. */
    readonly replayedExchanges?: number;
    /** The last date a model was trained on. */
    readonly modelCutoff?: string | undefined;
    /** The record's own, by these options, where they have been worked out already. */
    readonly metrics?: Metrics;
  },
): RunSummary {
  const metrics = options.metrics ?? computeMetrics(record, options);
  const { benchmark } = options;
  const moved = cashMoved(record);
  const initialCash = decimalString(reportSettings(record).cash);
  const finalEquity = metrics.finalEquity.value ?? initialCash;
  return {
    runId: options.runId,
    strategy: record.started.strategy.name,
    outcome: record.outcome,
    sealed: record.started.sealed,
    stamps: [...(record.started.stamps ?? [])],
    symbols: [...record.started.symbols],
    firstBar: record.bars[0]?.date ?? null,
    lastBar: record.bars.at(-1)?.date ?? null,
    bars: record.bars.length,
    initialCash,
    finalEquity,
    ...ambiguityOf(record, finalEquity),
    totalReturn: metrics.totalReturn.value,
    cagr: metrics.cagr.value,
    underAYear: metrics.underAYear,
    periodsPerYear: metrics.periodsPerYear,
    riskFreeRate: options.riskFreeRate ?? 0,
    minimumAcceptableReturn: options.minimumAcceptableReturn ?? 0,
    volatility: metrics.volatility.value,
    sharpe: metrics.sharpe.value,
    psr: metrics.psr.value,
    sortino: metrics.sortino.value,
    maxDrawdown: metrics.maxDrawdown.value,
    drawdownDays: metrics.drawdownDuration.value,
    drawdownRecovered: metrics.drawdownDuration.recovered,
    calmar: metrics.calmar.value,
    exposure: metrics.timeInMarket.value,
    meanExposure: metrics.meanExposure.value,
    turnover: metrics.turnover.value,
    benchmark: nameOfBenchmark(benchmark, record.started.symbols),
    benchmarkReturn: metrics.benchmarkReturn.value,
    alpha: metrics.alpha.value,
    beta: metrics.beta.value,
    correlation: metrics.correlation.value,
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
