import { z } from 'zod';
import { alarmSchema } from './alarm.ts';
import { attributionSchema } from './attribution.ts';
import { costStepSchema } from './cost-steps.ts';
import { modelCutoffSchema } from './cutoff.ts';
import { decisionStatisticsSchema } from './decisions.ts';
import { modelUsageSchema } from './model-usage.ts';
import { SPINE_ROWS } from './series/spine.ts';
import { verdictSchema } from './verdict.ts';

const money = z.string().regex(/^-?\d+(\.\d+)?$/, 'must be an amount as a decimal string');
const count = z.number().int().min(0);
const figure = z.number().nullable();

/** A row of the table against the benchmark. */
const spineRowSchema = z.strictObject({
  name: z.enum(SPINE_ROWS),
  own: figure,
  benchmark: figure,
  /** Of the benchmark at the run's volatility. */
  scaled: figure,
  against: z.enum(['scaled', 'benchmark']),
  difference: figure,
  low: figure,
  high: figure,
  supports: z.enum(['better', 'worse']).nullable(),
});

/** `summary.json`, keys in this order: money as decimal strings, ratios as fractions, null where `reasons` says why. */
export const runSummarySchema = z.strictObject({
  runId: z.string().min(1),
  strategy: z.string(),
  outcome: z.enum(['completed', 'insolvent', 'interrupted', 'failed', 'stopped', 'budget_exhausted']),
  verdict: verdictSchema,
  /** The table against the benchmark; trials and folders of earlier versions have none. */
  spine: z.array(spineRowSchema).optional(),
  /** Reasons why the figures must not be read as they are. See docs/alarms.md. */
  alarms: z.array(alarmSchema),
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
  /** Bars processed. */
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
  /** The ten deepest, deepest first; folders of earlier versions have none. */
  drawdowns: z
    .array(
      z.strictObject({
        /** Date of the last bar at the peak. */
        start: z.string(),
        trough: z.string(),
        /** Null where the run ended in it. */
        recovery: z.string().nullable(),
        /** As a fraction of the peak, negative. */
        depth: z.number(),
        /** Calendar days from the start to the recovery, or to the last bar. */
        days: z.number(),
      }),
    )
    .optional(),
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
  /** What the run is compared with; null for buying and holding all of its own data. */
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
  /** Of perpetual contracts; left out where there was none. */
  funding: money.optional(),
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
