import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { runSummarySchema } from '../analysis/index.ts';
import { readWritten } from './files.ts';

const value = z.union([z.number(), z.string(), z.boolean()]);
const point = z.record(z.string(), value);
const figure = z.number().nullable();
/** A number, or null and why. */
const reasoned = z.object({ value: figure, reason: z.string().optional() });

const dimensionSchema = z.object({
  name: z.string(),
  /** In their order; left out where any number between `low` and `high` could be chosen. */
  values: z.array(value).optional(),
  low: z.number().optional(),
  high: z.number().optional(),
  integer: z.boolean().optional(),
  /** Whether a flag named it, or the strategy's schema. */
  given: z.enum(['flag', 'schema']),
});

const trialSchema = z.object({
  id: z.string(),
  parameters: point,
  /** Null where it is not defined or a constraint is not met. */
  objective: figure,
  totalReturn: figure,
  sharpe: figure,
  maxDrawdown: figure,
  tradeCount: figure,
});

/** One cell: the trials that have these two values, whatever the others are. */
const cellSchema = z.object({
  /** Places in `xs` and `ys`. */
  x: z.number().int(),
  y: z.number().int(),
  trials: z.number().int(),
  /** The best and the mean of them, by the objective. */
  best: figure,
  mean: figure,
  /** Of the best of them. */
  tradeCount: figure,
  maxDrawdown: figure,
});

/** Judged bars, and how many earlier bars the strategy sees. Sweeps of earlier versions do not state the history. */
const judgedSchema = z.object({
  from: z.string(),
  to: z.string(),
  historyBars: z.number().int().nullable().default(null),
});

const windowSchema = z.object({
  train: judgedSchema,
  test: judgedSchema,
  /** Chosen on the train window; null where no trial there had an objective. */
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
    /** Whether positions are carried from one test window into the next. */
    carry: z.boolean(),
  }),
  /** Treatment of positions at the end of a window, in words. */
  positions: z.string(),
  /** Bars that a window sees and bars that count, in words. Empty in sweeps of earlier versions. */
  history: z.string().default(''),
  windows: z.array(windowSchema),
  /** Equity of the test windows one after the other, beginning with 1: date and value. */
  equity: z.array(z.tuple([z.string(), z.number()])),
  totalReturn: figure,
  sharpe: figure,
  maxDrawdown: figure,
  tradeCount: figure,
  /** Mean out-of-sample objective as a share of the mean in-sample one. */
  efficiency: figure,
});

const crossValidationSchema = z.object({
  groups: z.number().int(),
  test: z.number().int(),
  embargo: z.string().nullable(),
  /** What chooses and judges, in words. */
  by: z.string(),
  /** Treatment of positions at the border of a group, in words. Empty in sweeps of earlier versions. */
  positions: z.string().default(''),
  /** Bars that a group sees and bars that count, in words. Empty in sweeps of earlier versions. */
  history: z.string().default(''),
  /** One per group. Empty in sweeps of earlier versions. */
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
  /** Sharpe ratio a year of each path that goes through all groups out of sample. */
  paths: z.array(figure),
  /** Share of splits whose out-of-sample Sharpe ratio is negative. */
  lossShare: figure,
});

/** `sweep.json`: what a sweep came to, for pages, tables and programs. The same sweep gives the same bytes. */
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
    /** The figures of all trials begin here; null where every bar counts. */
    evaluatedFrom: z.string().nullable(),
    /** First bar that is kept from all sweeps. */
    holdoutFrom: z.string().nullable(),
  }),
  counts: z.object({
    /** That were run. */
    trials: z.number().int(),
    /** Combinations that the strategy's schema refuses. */
    refused: z.number().int(),
    failed: z.number().int(),
    /** That came to a result without an objective: it is not defined, or a constraint is not met. */
    unrated: z.number().int(),
  }),
  /** Why trials failed, the most frequent first. */
  failures: z.array(z.object({ message: z.string(), trials: z.number().int() })),
  /** What is to be known before any figure, a sentence each. */
  warnings: z.array(z.string()),
  best: z
    .object({
      id: z.string(),
      parameters: point,
      objective: z.number(),
      summary: runSummarySchema.omit({ runId: true }),
    })
    .nullable(),
  /** The ten best. */
  top: z.array(trialSchema),
  /** How the trials next to the best do. */
  plateau: z
    .object({
      state: z.enum(['plateau', 'lonely peak', 'unknown']),
      neighbours: z.number().int(),
      /** Mean objective of the neighbours, and the median of all. */
      neighbourMean: figure,
      median: figure,
      text: z.string(),
    })
    .nullable(),
  /** For each pair of parameters with several values. */
  heatmaps: z.array(
    z.object({
      x: z.string(),
      y: z.string(),
      xs: z.array(value),
      ys: z.array(value),
      cells: z.array(cellSchema),
    }),
  ),
  /** By value of each parameter, over all values of the others. */
  slices: z.array(
    z.object({
      parameter: z.string(),
      points: z.array(z.object({ value, trials: z.number().int(), best: figure, mean: figure })),
    }),
  ),
  /** The best over parts of the time: Sharpe ratio a year, and its rank among all trials there, 1 being the first. */
  stability: z.array(
    z.object({
      from: z.string(),
      to: z.string(),
      sharpe: figure,
      rank: z.number().nullable(),
      trials: z.number().int(),
    }),
  ),
  /** Sharpe ratio a year of each trial in the first half of the time and in the second. */
  scatter: z.array(z.object({ id: z.string(), inSample: figure, outOfSample: figure })),
  /** Different things tried on these data in the research project: in this sweep, only outside it, and together. */
  looks: z.object({
    sweep: z.number().int(),
    before: z.number().int(),
    total: z.number().int(),
    /** `null` is the default project of the strategy and the data. */
    project: z.string().nullable().default(null),
  }),
  deflatedSharpe: reasoned.extend({
    /** Number of trials that it takes account of. */
    trials: z.number().int(),
    /** Sharpe ratio a year that the best of so many without skill is expected to show. */
    luckySharpe: figure,
    /** Of the best's Sharpe ratio a year: 95 %. */
    sharpeInterval: z.tuple([z.number(), z.number()]).nullable(),
  }),
  pbo: reasoned.extend({
    interval: z.tuple([z.number(), z.number()]).nullable(),
    blocks: z.number().int(),
    splits: z.number().int(),
  }),
  /** The answer first: whether it holds out of sample, in a sentence. */
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

/** Whether a folder is a sweep's. */
export function isSweepFolder(folder: string): boolean {
  return existsSync(join(folder, SWEEP_MANIFEST));
}

/** @throws AppError `not_a_sweep` for a folder without a finished sweep */
export function readSweepResult(folder: string): SweepResult {
  const file = join(folder, SWEEP_FILE);
  return readWritten(file, sweepResultSchema, (problem) => ({
    code: 'not_a_sweep',
    message: `Cannot read ${file}: ${problem}.`,
    hint: `Name the folder of a finished sweep, or finish it with: npx sandtable sweep --resume ${folder}`,
  }));
}
