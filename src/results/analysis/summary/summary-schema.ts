import { z } from 'zod';
import { alarmSchema } from '../alarms/alarm.ts';
import { attributionSchema } from '../figures/attribution.ts';
import { costStepSchema } from '../figures/costs.ts';
import { modelUsageSchema } from '../figures/model-usage.ts';
import { BENCHMARK_ROWS } from '../series/benchmark-rows.ts';
import {
  FIGURE_ENTRIES,
  type FIGURES,
  type FigureGroup,
  type FigureOfGroup,
} from '../series/figure-catalogue.ts';
import { modelCutoffSchema } from './cutoff.ts';
import { decisionStatisticsSchema } from './decisions.ts';
import { verdictSchema } from './verdict.ts';

const money = z.string().regex(/^-?\d+(\.\d+)?$/, 'must be an amount as a decimal string');
const count = z.number().int().min(0);
const figure = z.number().nullable();

type SchemaOf<Entry> = Entry extends { readonly unit: 'money' }
  ? Entry extends { readonly always: true }
    ? typeof money
    : z.ZodNullable<typeof money>
  : Entry extends { readonly always: true }
    ? typeof count
    : typeof figure;

/** Returns the schemas of the figures of a group, in the order of the catalogue. */
function figuresOf<Group extends FigureGroup>(
  group: Group,
): { [Name in FigureOfGroup<Group>]: SchemaOf<(typeof FIGURES)[Name]> } {
  const schemas = FIGURE_ENTRIES.filter(([, entry]) => entry.group === group).map(
    ([name, { unit, always }]): [string, z.ZodType] => {
      if (unit === 'money') return [name, always === true ? money : money.nullable()];
      return [name, always === true ? count : figure];
    },
  );
  return Object.fromEntries(schemas) as { [Name in FigureOfGroup<Group>]: SchemaOf<(typeof FIGURES)[Name]> };
}

/** Row of the comparison table with the benchmark. `BenchmarkRow` defines the fields. */
const benchmarkRowSchema = z.strictObject({
  name: z.enum(BENCHMARK_ROWS),
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
  /**
   * Comparison table with the benchmark. Absent in the trials of a sweep and in folders of earlier versions.
   */
  spine: z.array(benchmarkRowSchema).optional(),
  /** Problems that make the figures misleading. docs/alarms.md describes each of them. */
  alarms: z.array(alarmSchema),
  liquidations: count,
  /** True if only its inputs could influence the run, that is, if `openDoors` is empty. */
  sealed: z.boolean(),
  /** Ways in which data other than the inputs could influence the run, one sentence each. */
  openDoors: z.array(z.string()),
  /** Warnings that affect how the results should be read, for example same-bar fills. */
  stamps: z.array(z.string()),
  symbols: z.array(z.string()),
  firstBar: z.string().nullable(),
  lastBar: z.string().nullable(),
  /** Number of processed bars. */
  bars: count,
  /** Date of the first bar that the figures include. Absent if the figures include all bars. */
  evaluatedFrom: z.string().optional(),
  initialCash: money,
  ...figuresOf('account'),
  /**
   * Number of bars whose prices allow several outcomes. `ambiguousFills` is the number of fills that occur in
   * only some of the outcomes.
   */
  ambiguousBars: count,
  ambiguousFills: count,
  /**
   * Sum over the ambiguous bars: equity at the close in the better outcome minus equity in the worse outcome.
   * The sum is not the largest possible effect on the whole run.
   */
  ambiguityDifference: money,
  /**
   * Number of bars that were processed without bars of a shorter interval, because the files with the shorter
   * interval do not cover them.
   */
  uncoveredBars: count,
  /**
   * Number of orders that were sized by a fraction of equity and filled with fewer units because of limited
   * buying power. Absent if 0.
   */
  reducedOrders: count.optional(),
  ...figuresOf('return'),
  underAYear: z.boolean(),
  periodsPerYear: z.number().positive(),
  periodsInWords: z.string(),
  /** Annual rates, as fractions. */
  riskFreeRate: z.number(),
  minimumAcceptableReturn: z.number(),
  ...figuresOf('risk'),
  drawdownRecovered: z.boolean(),
  ...figuresOf('drawdown'),
  /** Ten deepest drawdowns, deepest first. Absent in folders of earlier versions. */
  drawdowns: z
    .array(
      z.strictObject({
        /**
         * Date of the last bar at which equity was at the peak. `trough` is the date of the lowest equity.
         */
        start: z.string(),
        trough: z.string(),
        /** Date of recovery to the peak. `null` if the run ended during the drawdown. */
        recovery: z.string().nullable(),
        /** Lowest equity of the drawdown divided by the peak, minus one. Negative. */
        depth: z.number(),
        /** Calendar days from the start to the recovery, or to the last bar. */
        days: z.number(),
      }),
    )
    .optional(),
  ...figuresOf('session'),
  bestDayDate: z.string().nullable(),
  worstDayDate: z.string().nullable(),
  ...figuresOf('exposure'),
  /** Benchmark of the run. `null` for buying and holding all symbols of the run. */
  benchmark: z.string().nullable(),
  ...figuresOf('benchmark'),
  /**
   * Part of the run that the benchmark covers. `null` if the benchmark covers the whole run. Figures against
   * the benchmark refer to these bars.
   */
  commonPeriod: z
    .strictObject({ firstBar: z.string(), lastBar: z.string(), bars: count, ownReturn: figure })
    .nullable(),
  ...figuresOf('trade'),
  ...figuresOf('cost'),
  /** Sum of dividends. Dividends and the cash movements after this field are negative if paid. */
  dividends: money,
  interest: money,
  marginInterest: money,
  borrowFees: money,
  /** Sum of funding payments of perpetual contracts. Absent without funding payments. */
  funding: money.optional(),
  ...figuresOf('beforeCosts'),
  /** Steps from gross profit to profit after all costs. Empty if the run processed no bar. */
  costSteps: z.array(costStepSchema),
  /** Profit by symbol, side, month and exit reason. The totals of each list add up to the profit. */
  attribution: attributionSchema,
  /** Returns of the run by calendar month, January to December, and by year. */
  months: z.array(z.strictObject({ year: z.number().int(), months: z.array(figure), total: figure })),
  toolCalls: count,
  rejectedOrders: count,
  activity: decisionStatisticsSchema,
  /** Date of the bar at whose close the drawdown limit was reached. `null` if the limit was not reached. */
  drawdownHalt: z.string().nullable(),
  /** Number of days on which the daily loss limit was reached. */
  dailyLossStops: count,
  /** Usage and cost of the model. `null` for a run without a model. */
  model: modelUsageSchema,
  /** Figures before and after the model's training cutoff. `null` without `--model-cutoff`. */
  modelCutoff: modelCutoffSchema,
  /** Missing parts of the journal. Empty for a complete journal. */
  damage: z.array(z.string()),
  /** Reason why a figure is `null`, by name of the figure. */
  reasons: z.record(z.string(), z.string()),
});

/** Content of `summary.json`: figures, verdict and warnings of a run. */
export type RunSummary = z.infer<typeof runSummarySchema>;
