import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { alarmGroupSchema, runSummarySchema } from '../../analysis/index.ts';
import { readWritten } from '../files.ts';

const value = z.union([z.number(), z.string(), z.boolean()]);
const point = z.record(z.string(), value);
const figure = z.number().nullable();
/** Number, or `null` with the reason why the number is undefined. */
const reasoned = z.object({ value: figure, reason: z.string().optional() });

const dimensionSchema = z.object({
  name: z.string(),
  /** Allowed values of the parameter, in order. Omitted if any number between `low` and `high` is allowed. */
  values: z.array(value).optional(),
  low: z.number().optional(),
  high: z.number().optional(),
  integer: z.boolean().optional(),
  /** Origin of the parameter's range: a flag of the command, or the schema of the strategy. */
  given: z.enum(['flag', 'schema']),
});

const trialSchema = z.object({
  id: z.string(),
  parameters: point,
  /** Value of the figure that the sweep optimises. `null` if undefined or if a constraint is violated. */
  objective: figure,
  totalReturn: figure,
  sharpe: figure,
  maxDrawdown: figure,
  tradeCount: figure,
});

/**
 * One cell of a heatmap: all trials with one value of the first parameter and one value of the second
 * parameter. The other parameters may have any value.
 */
const cellSchema = z.object({
  /** Indexes in `xs` and `ys`. */
  x: z.number().int(),
  y: z.number().int(),
  trials: z.number().int(),
  /** Best and mean objective of the trials. */
  best: figure,
  mean: figure,
  /** Figures of the best trial. */
  tradeCount: figure,
  maxDrawdown: figure,
});

/**
 * Evaluated bars of a walk-forward window or a cross-validation group, from the first bar (`from`) to the
 * last bar (`to`). `historyBars` is the number of earlier bars that the strategy can read, or `null` in
 * sweeps of earlier versions.
 */
const judgedSchema = z.object({
  from: z.string(),
  to: z.string(),
  historyBars: z.number().int().nullable().default(null),
});

const windowSchema = z.object({
  train: judgedSchema,
  test: judgedSchema,
  /** Parameters chosen on the train window. `null` if no trial on that window had an objective value. */
  parameters: point.nullable(),
  trials: z.number().int(),
  inSample: figure,
  outOfSample: figure,
  totalReturn: figure,
  tradeCount: figure,
});

const walkForwardSchema = z.object({
  terms: z.object({
    train: z.string(),
    test: z.string(),
    step: z.string(),
    anchored: z.boolean(),
    embargo: z.string().nullable(),
    /** True if positions are carried from one test window into the next. */
    carry: z.boolean(),
  }),
  /** Description of how positions are treated at the end of a window. */
  positions: z.string(),
  /**
   * Describes the bars that the strategy can read and the bars that are evaluated in a window. Empty in
   * sweeps of earlier versions.
   */
  history: z.string().default(''),
  windows: z.array(windowSchema),
  /** Equity over the consecutive test windows as pairs of date and value. The first value is 1. */
  equity: z.array(z.tuple([z.string(), z.number()])),
  totalReturn: figure,
  sharpe: figure,
  maxDrawdown: figure,
  tradeCount: figure,
  /**
   * Walk-forward efficiency: mean out-of-sample value of the objective divided by its mean in-sample value.
   */
  efficiency: figure,
});

const crossValidationSchema = z.object({
  groups: z.number().int(),
  test: z.number().int(),
  embargo: z.string().nullable(),
  /** Description of the criterion by which the parameters are chosen and evaluated. */
  by: z.string(),
  /**
   * Description of how positions are treated at the border of a group. Empty in sweeps of earlier versions.
   */
  positions: z.string().default(''),
  /**
   * Describes the bars that the strategy can read and the bars that are evaluated in a group. Empty in sweeps
   * of earlier versions.
   */
  history: z.string().default(''),
  /**
   * Evaluated bars of each group. A group is a consecutive part of the data. Empty in sweeps of earlier
   * versions.
   */
  windows: z.array(judgedSchema).default([]),
  splits: z.array(
    z.object({
      test: z.array(z.number().int()),
      id: z.string(),
      parameters: point,
      inSample: figure,
      outOfSample: figure,
    }),
  ),
  /**
   * Annualised Sharpe ratio of each path. A path contains one out-of-sample result for each group of bars.
   */
  paths: z.array(figure),
  /**
   * Share of splits with a negative out-of-sample Sharpe ratio. A split evaluates some groups out of sample
   * and chooses parameters on the other groups.
   */
  lossShare: figure,
});

/**
 * `sweep.json`: result of a sweep, for pages, tables and programs. The same sweep always results in the same
 * bytes.
 */
export const sweepResultSchema = z.object({
  schema: z.literal(1),
  strategy: z.object({ name: z.string(), file: z.string().nullable(), sha256: z.string() }),
  objective: z.object({ text: z.string(), minimise: z.boolean(), constraints: z.array(z.string()) }),
  search: z.object({ name: z.string(), seed: z.number(), trials: z.number().nullable() }),
  space: z.array(dimensionSchema),
  data: z.array(z.object({ symbols: z.array(z.string()), sha256: z.string().nullable() })),
  period: z.object({
    firstBar: z.string(),
    lastBar: z.string(),
    bars: z.number().int(),
    /** First bar that the figures of all trials include. `null` if all bars are evaluated. */
    evaluatedFrom: z.string().nullable(),
    /**
     * First bar that the sweep reserves for a final test (held out). Trials use only earlier bars. `null` if
     * no bars are held out.
     */
    holdoutFrom: z.string().nullable(),
  }),
  counts: z.object({
    /** Number of trials that were run. */
    trials: z.number().int(),
    /** Number of combinations that the strategy's schema rejects. */
    refused: z.number().int(),
    failed: z.number().int(),
    /**
     * Number of trials with a result but without an objective value: the objective is undefined, or a
     * constraint is violated.
     */
    unrated: z.number().int(),
  }),
  /** Reasons of failed trials, the most frequent first. */
  failures: z.array(z.object({ message: z.string(), trials: z.number().int() })),
  /** Alarms of the trials, by kind. Empty in sweeps of earlier versions. */
  alarms: z.array(alarmGroupSchema).default([]),
  /** Warnings that affect how the figures should be read, one sentence each. */
  warnings: z.array(z.string()),
  best: z
    .object({
      id: z.string(),
      parameters: point,
      objective: z.number(),
      summary: runSummarySchema.omit({ runId: true }),
    })
    .nullable(),
  /** Trials with the best values of the objective, best first. At most ten. */
  top: z.array(trialSchema),
  /**
   * Comparison of the best trial with its neighbours, which are the trials with adjacent parameter values. On
   * a plateau, neighbours have results similar to the best trial.
   */
  plateau: z
    .object({
      state: z.enum(['plateau', 'lonely peak', 'unknown']),
      neighbours: z.number().int(),
      /** Mean objective of the neighbours, and median objective of all trials. */
      neighbourMean: figure,
      median: figure,
      text: z.string(),
    })
    .nullable(),
  /** One heatmap for each pair of parameters with several values. */
  heatmaps: z.array(
    z.object({
      x: z.string(),
      y: z.string(),
      xs: z.array(value),
      ys: z.array(value),
      cells: z.array(cellSchema),
    }),
  ),
  /** Best and mean result for each value of one parameter. The other parameters may have any value. */
  slices: z.array(
    z.object({
      parameter: z.string(),
      points: z.array(z.object({ value, trials: z.number().int(), best: figure, mean: figure })),
    }),
  ),
  /**
   * Best trial in consecutive parts of the period. For each part: annualised Sharpe ratio of the best trial,
   * and its rank among all trials. Rank 1 is the best.
   */
  stability: z.array(
    z.object({
      from: z.string(),
      to: z.string(),
      sharpe: figure,
      rank: z.number().nullable(),
      trials: z.number().int(),
    }),
  ),
  /** Annualised Sharpe ratio of each trial in the first and the second half of the period. */
  scatter: z.array(z.object({ id: z.string(), inSample: figure, outOfSample: figure })),
  /**
   * Number of different variants that the research project tried on this data: in this sweep (`sweep`), only
   * outside of this sweep (`before`), and in total.
   */
  looks: z.object({
    sweep: z.number().int(),
    before: z.number().int(),
    total: z.number().int(),
    /** Name of the research project. `null` is the default project of the strategy and the data. */
    project: z.string().nullable().default(null),
  }),
  deflatedSharpe: reasoned.extend({
    /** Number of trials from which `luckySharpe` is computed. */
    trials: z.number().int(),
    /** Annualised Sharpe ratio that the best of `trials` strategies without skill is expected to reach. */
    luckySharpe: figure,
    /** 95 % interval of the best trial's annualised Sharpe ratio. */
    sharpeInterval: z.tuple([z.number(), z.number()]).nullable(),
  }),
  pbo: reasoned.extend({
    interval: z.tuple([z.number(), z.number()]).nullable(),
    blocks: z.number().int(),
    splits: z.number().int(),
  }),
  /** Main conclusion in one sentence: whether the strategy works out of sample. */
  answer: z.object({ holds: z.boolean().nullable(), text: z.string() }),
  walkForward: walkForwardSchema.nullable(),
  crossValidation: crossValidationSchema.nullable(),
});

export type SweepResult = z.infer<typeof sweepResultSchema>;
export type WalkForwardResult = z.infer<typeof walkForwardSchema>;
export type CrossValidationResult = z.infer<typeof crossValidationSchema>;

export const SWEEP_FILE = 'sweep.json';
export const SWEEP_PAGE = 'sweep.html';
export const SWEEP_MANIFEST = 'sweep-manifest.json';
export const SWEEP_TRIALS = 'trials.parquet';

/** True if a folder contains a sweep. */
export function isSweepFolder(folder: string): boolean {
  return existsSync(join(folder, SWEEP_MANIFEST));
}

/**
 * Reads the result of a finished sweep.
 *
 * @throws AppError `not_a_sweep` for a folder without a finished sweep
 */
export function readSweepResult(folder: string): SweepResult {
  const file = join(folder, SWEEP_FILE);
  return readWritten(file, sweepResultSchema, (problem) => ({
    code: 'not_a_sweep',
    message: `Cannot read ${file}: ${problem}.`,
    hint: `Pass the folder of a finished sweep, or finish the sweep: npx sandtable sweep --resume ${folder}`,
  }));
}
