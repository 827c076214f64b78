import { z } from 'zod';
import { alarmSchema } from '../alarms/alarm.ts';
import { attributionSchema } from '../figures/attribution.ts';
import { costStepSchema } from '../figures/costs.ts';
import { modelUsageSchema } from '../figures/model-usage.ts';
import { SPINE_ROWS } from '../series/spine.ts';
import { modelCutoffSchema } from './cutoff.ts';
import { decisionStatisticsSchema } from './decisions.ts';
import { verdictSchema } from './verdict.ts';

const money = z.string().regex(/^-?\d+(\.\d+)?$/, 'must be an amount as a decimal string');
const count = z.number().int().min(0);
const figure = z.number().nullable();

/** Row of the table against the benchmark. */
const spineRowSchema = z.strictObject({
  name: z.enum(SPINE_ROWS),
  own: figure,
  benchmark: figure,
  /** Figure of the benchmark at the run's volatility. */
  scaled: figure,
  against: z.enum(['scaled', 'benchmark']),
  difference: figure,
  low: figure,
  high: figure,
  supports: z.enum(['better', 'worse']).nullable(),
});

/**
 * Schema of `summary.json`, with keys in this order. Money is a decimal string, ratios are fractions.
 * `reasons` explains each `null`.
 */
export const runSummarySchema = z.strictObject({
  runId: z.string().min(1),
  strategy: z.string(),
  outcome: z.enum(['completed', 'insolvent', 'interrupted', 'failed', 'stopped', 'budget_exhausted']),
  verdict: verdictSchema,
  /** Table against the benchmark. Absent in trials and in folders of earlier versions. */
  spine: z.array(spineRowSchema).optional(),
  /** Reasons why the figures must not be read as they are. See docs/alarms.md. */
  alarms: z.array(alarmSchema),
  liquidations: count,
  /** True if `openDoors` is empty. */
  sealed: z.boolean(),
  /** Ways in which data other than the inputs could influence the run. */
  openDoors: z.array(z.string()),
  /** Warnings that affect how the results should be read, for example same-bar fills. */
  stamps: z.array(z.string()),
  symbols: z.array(z.string()),
  firstBar: z.string().nullable(),
  lastBar: z.string().nullable(),
  /** Number of processed bars. */
  bars: count,
  /** Date of the first evaluated bar, if earlier bars were only history. */
  evaluatedFrom: z.string().optional(),
  initialCash: money,
  finalEquity: money,
  /** Bars that allow several outcomes, and fills that occur in only some outcomes of their bar. */
  ambiguousBars: count,
  ambiguousFills: count,
  /**
   * Sum over these bars of the better equity at the close minus the worse one. The sum does not bound the
   * run.
   */
  ambiguityDifference: money,
  /** Bars evaluated without finer bars, because the finer bars do not cover them. */
  uncoveredBars: count,
  /**
   * Orders sized by a fraction of equity that were filled with fewer units because of limited buying power.
   * Absent if 0.
   */
  reducedOrders: count.optional(),
  totalReturn: figure,
  cagr: figure,
  underAYear: z.boolean(),
  periodsPerYear: z.number().positive(),
  periodsInWords: z.string(),
  /** Annual rates, as fractions. */
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
  /** Ten deepest drawdowns, deepest first. Absent in folders of earlier versions. */
  drawdowns: z
    .array(
      z.strictObject({
        /** Date of the last bar at the peak. */
        start: z.string(),
        trough: z.string(),
        /** `null` if the run ended during the drawdown. */
        recovery: z.string().nullable(),
        /** Fraction of the peak, negative. */
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
  /** Figures of session returns, up to the worst day. The first two are negative for losses. */
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
  /** Benchmark of the run. `null` for buying and holding all of its data. */
  benchmark: z.string().nullable(),
  benchmarkReturn: figure,
  /** Per session. */
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
  /**
   * Part of the run that the benchmark covers, if it does not cover the whole run. Figures against the
   * benchmark refer to these bars.
   */
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
  /** Signed cash movement: negative if paid. */
  dividends: money,
  interest: money,
  marginInterest: money,
  borrowFees: money,
  /** Funding of perpetual contracts. Absent if there was none. */
  funding: money.optional(),
  returnBeforeCommission: figure,
  returnBeforeCosts: figure,
  /** Total return after deducting the model's tokens, which the equity does not include. */
  returnAfterModel: figure,
  /** Steps from gross profit to profit after all costs. Empty without a bar. */
  costSteps: z.array(costStepSchema),
  /** Profit by symbol, side, month and exit reason. Each list adds up to the profit. */
  attribution: attributionSchema,
  /** Returns by calendar month, January to December, and by year. */
  months: z.array(z.strictObject({ year: z.number().int(), months: z.array(figure), total: figure })),
  toolCalls: count,
  rejectedOrders: count,
  activity: decisionStatisticsSchema,
  /** Bar at whose close the drawdown limit was reached. `null` if it was not reached. */
  drawdownHalt: z.string().nullable(),
  /** Number of days on which the daily loss limit was reached. */
  dailyLossStops: count,
  /** `null` for a run without a model. */
  model: modelUsageSchema,
  /** `null` without --model-cutoff. */
  modelCutoff: modelCutoffSchema,
  /** Missing parts of the journal. Empty for a complete journal. */
  damage: z.array(z.string()),
  /** Reasons why figures are `null`, by name. */
  reasons: z.record(z.string(), z.string()),
});

/** Content of `summary.json`: figures, verdict and warnings of a run. */
export type RunSummary = z.infer<typeof runSummarySchema>;
