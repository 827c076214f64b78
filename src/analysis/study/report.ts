import { z } from 'zod';
import { calibrationSchema } from './calibration.ts';

const figure = z.number().nullable();
const count = z.number().int().min(0);

const estimateSchema = z.strictObject({
  mean: figure,
  low: figure,
  high: figure,
  runs: count,
  over: z.enum(['windows and samples', 'windows', 'samples']).nullable(),
});

/** Figures of the table, of which each has a mean and an interval. */
export const STUDY_FIGURES = [
  'totalReturn',
  'sharpe',
  'maxDrawdown',
  'tradeCount',
  'exposure',
  'turnover',
] as const;
export type StudyFigure = (typeof STUDY_FIGURES)[number];

const figuresSchema = z.strictObject({
  totalReturn: estimateSchema,
  sharpe: estimateSchema,
  maxDrawdown: estimateSchema,
  tradeCount: estimateSchema,
  exposure: estimateSchema,
  turnover: estimateSchema,
});

const besideSchema = z
  .strictObject({
    sessions: count,
    totalReturn: z.number(),
    holdReturn: z.number(),
    excess: z.number(),
    alpha: figure,
    beta: figure,
    sharpe: figure,
    psr: figure,
  })
  .nullable();

const costsSchema = z.strictObject({
  levels: z.array(z.strictObject({ basisPoints: z.number(), totalReturn: figure, sharpe: figure })),
  paidBasisPoints: figure,
  breakEven: figure,
  breakEvenToHold: figure,
  dependent: count,
  decisions: count,
});

const agreementSchema = z.strictObject({
  mean: figure,
  /** `null` in studies of earlier versions. */
  floor: figure.default(null),
  aboveFloor: figure.default(null),
  entropy: figure,
  mostEntropy: figure,
  bars: count,
});

/** One way to trade: a strategy with a model, a tool set and a mask. */
const armSchema = z.strictObject({
  name: z.string(),
  strategy: z.string(),
  kind: z.string(),
  /** Null for what asks none. */
  model: z.string().nullable(),
  tools: z.string().nullable(),
  mask: z.string(),
  /** Of each window. */
  samples: count,
  failures: z.array(z.strictObject({ window: z.string(), sample: count, error: z.string() })),
  /** Windows in which not one run came to a result: they are in none of its figures. */
  gaps: z.array(z.string()).default([]),
  figures: figuresSchema,
  /** Total return less that of holding in the same window, a mean over windows as that of the return is. */
  excess: estimateSchema.optional(),
  /** Over all windows, the samples of each averaged session by session. */
  beside: besideSchema,
  windows: z.array(z.strictObject({ name: z.string(), totalReturn: estimateSchema, beside: besideSchema })),
  agreement: agreementSchema.nullable(),
  /** Of the probabilities that its decisions state; null where none are looked for. */
  calibration: calibrationSchema.nullable().default(null),
  /** Among random agents: null without trades, or where none were asked for. */
  random: z
    .strictObject({
      draws: count,
      /** Mean total return of the random agents, and the share of them that did worse. */
      mean: z.number(),
      percentile: z.number(),
      p: z.number(),
      pHolm: z.number(),
      /** Number of times in the market and mean exposure of a run: of the random agents, and of the arm. */
      tradeCount: z.number(),
      exposure: figure,
      ownTradeCount: z.number(),
      ownExposure: z.number(),
      /** Annualised turnover of a run. `null` in studies of earlier versions. */
      turnover: figure.default(null),
      ownTurnover: figure.default(null),
    })
    .nullable(),
  /** Over all windows, mean of the samples. */
  costs: costsSchema.nullable(),
  /** Before and after the model's cutoff; null where that is not known. */
  cutoff: z.strictObject({ date: z.string(), before: besideSchema, after: besideSchema }).nullable(),
  /** What its models took; of an agent its decisions, and what it says itself. Null where nothing is known. */
  usage: z
    .strictObject({
      requests: count,
      tokens: count,
      cost: figure,
      served: z.array(z.strictObject({ model: z.string(), fingerprint: z.string(), runs: count })),
    })
    .nullable(),
});

const comparisonSchema = z.strictObject({
  a: z.string(),
  b: z.string(),
  /** What the two differ in. */
  kind: z.enum(['baseline', 'mask', 'tools', 'model', 'strategy', 'several']),
  /** Of mean session returns, annualised; null for too few sessions in common. */
  estimate: figure,
  low: figure,
  high: figure,
  p: figure,
  /** After Holm's correction over the primary comparisons. `null` for all others. */
  pHolm: figure,
  /** Two-sided p of a t-test over the differences of the windows. `null` for fewer than five windows. */
  pWindows: figure.default(null),
  /** True if Holm's correction counts this comparison. */
  primary: z.boolean().default(true),
  sessions: count,
});

const probeSchema = z.strictObject({
  model: z.string(),
  questions: count,
  probability: figure,
  /** The smallest p that as many answers can give. */
  smallest: figure,
  remembers: z.boolean(),
  /** Why nothing was scored; null where it was. */
  refused: z.string().nullable(),
});

const counterfactualSchema = z.strictObject({
  arm: z.string(),
  kind: z.string(),
  worlds: count,
  actual: figure,
  mean: figure,
  /** Share of worlds that did at least as well, the actual one counted. */
  p: figure,
  /** Share of decisions that were the same on another path; beside that of samples on the same path. */
  consistency: figure,
  agreement: figure,
});

export const AUDIT_STATES = ['passed', 'failed', 'not testable'] as const;

const auditSchema = z.strictObject({
  test: z.string(),
  source: z.string(),
  state: z.enum(AUDIT_STATES),
  /** What it was judged by, with its figure. */
  figure: z.string(),
  why: z.string(),
});

/** `study.json`: no times and no paths in it, so that the same study gives the same bytes. */
export const studyReportSchema = z.strictObject({
  schema: z.literal(1),
  name: z.string(),
  version: z.string(),
  seed: count,
  symbols: z.array(z.string()),
  data: z.array(z.string()),
  /** Costs, fills, cash: what all arms and baselines traded under. Left out by studies of before. */
  settings: z.record(z.string(), z.unknown()).optional(),
  windows: z.array(
    z.strictObject({
      name: z.string(),
      from: z.string(),
      to: z.string(),
      sessions: count,
      memory: z.enum(['remembered', 'unseen']).nullable(),
    }),
  ),
  periodsPerYear: z.number().positive(),
  arms: z.array(armSchema),
  baselines: z.array(
    z.strictObject({
      name: z.string(),
      text: z.string(),
      figures: figuresSchema,
      excess: estimateSchema.optional(),
      beside: besideSchema,
    }),
  ),
  comparisons: z.array(comparisonSchema),
  probes: z.array(probeSchema),
  counterfactuals: z.array(counterfactualSchema),
  audit: z.array(z.strictObject({ arm: z.string(), answers: z.array(auditSchema) })),
  /** To know before any figure, a sentence each. */
  notes: z.array(z.string()),
});
export type StudyReport = z.infer<typeof studyReportSchema>;
export type StudyArm = StudyReport['arms'][number];
export type AuditAnswer = z.infer<typeof auditSchema>;
