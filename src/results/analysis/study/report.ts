import { z } from 'zod';
import { alarmGroupSchema } from '../alarms/alarm.ts';
import { registeredSchema } from '../summary/registration.ts';
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

/** Figures in the main table of a study. Each has a mean and an interval. */
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

const holdingComparisonSchema = z
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
  /**
   * Defined in `Agreement`, as are the other fields. `floor` and `aboveFloor` are `null` in studies of
   * earlier versions.
   */
  floor: figure.default(null),
  aboveFloor: figure.default(null),
  entropy: figure,
  mostEntropy: figure,
  bars: count,
});

/**
 * Arm of a study: one of the compared strategies, usually with a model, a tool set and a mask. A mask hides
 * real symbols, dates or price levels from the model.
 */
const armSchema = z.strictObject({
  name: z.string(),
  strategy: z.string(),
  kind: z.string(),
  /** Name of the model. `null` for strategies without a model. */
  model: z.string().nullable(),
  tools: z.string().nullable(),
  mask: z.string(),
  /** Number of samples (runs with the same inputs) in each window (period). */
  samples: count,
  failures: z.array(z.strictObject({ window: z.string(), sample: count, error: z.string() })),
  /** Names of the windows (periods) without a completed run. All figures exclude these windows. */
  gaps: z.array(z.string()).default([]),
  figures: figuresSchema,
  /**
   * Mean excess return over the windows: total return minus the return of buying and holding in the same
   * window.
   */
  excess: estimateSchema.optional(),
  /**
   * Comparison with buying and holding over all windows. The returns of the samples (runs with the same
   * inputs) are averaged session by session.
   */
  beside: holdingComparisonSchema,
  windows: z.array(
    z.strictObject({ name: z.string(), totalReturn: estimateSchema, beside: holdingComparisonSchema }),
  ),
  agreement: agreementSchema.nullable(),
  /**
   * Calibration of the probabilities that the arm's decisions state. `null` if the study does not evaluate
   * forecasts.
   */
  calibration: calibrationSchema.nullable().default(null),
  /**
   * Comparison with random agents, which trade as often, as long and as large as the arm, at random times.
   * `null` without trades, or if not requested.
   */
  random: z
    .strictObject({
      draws: count,
      /**
       * Mean total return of the random agents. `percentile` is the share of random agents with a lower
       * return than the arm.
       */
      mean: z.number(),
      percentile: z.number(),
      /**
       * Mean total return of an agent that repeats the arm's trades at the same times. Its prices and order
       * sizes are determined as for a random agent. `percentile` and `p` use the lower value of this return
       * and the arm's return. `null` in studies of earlier versions.
       */
      repeated: figure.default(null),
      p: z.number(),
      pHolm: z.number(),
      /**
       * Mean number of trades per run of the random agents. `exposure` is their mean exposure. The fields
       * that begin with `own` are the corresponding figures of the arm.
       */
      tradeCount: z.number(),
      exposure: figure,
      ownTradeCount: z.number(),
      ownExposure: z.number(),
      /**
       * Mean annualised turnover of the random agents. `ownTurnover` is the turnover of the arm. `null` in
       * studies of earlier versions.
       */
      turnover: figure.default(null),
      ownTurnover: figure.default(null),
    })
    .nullable(),
  /**
   * Sensitivity of the arm's result to costs, over all windows (periods). The samples of a window are
   * averaged.
   */
  costs: costsSchema.nullable(),
  /**
   * Figures of the arm before and after the training cutoff of its model. `null` if the cutoff is unknown.
   */
  cutoff: z
    .strictObject({ date: z.string(), before: holdingComparisonSchema, after: holdingComparisonSchema })
    .nullable(),
  /**
   * Usage of the arm's models. For an agent: the number of decisions, and the usage that the agent reports.
   * `null` if unknown.
   */
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
  /**
   * Property in which the two compared arms (strategies) differ. `several` if they differ in more than one
   * property.
   */
  kind: z.enum(['baseline', 'mask', 'tools', 'model', 'strategy', 'several']),
  /** Mean session return of arm `a` minus arm `b`, annualised. `null` for too few common sessions. */
  estimate: figure,
  low: figure,
  high: figure,
  p: figure,
  /** p-value after Holm's correction over the primary comparisons. `null` for other comparisons. */
  pHolm: figure,
  /**
   * Two-sided p-value of a t-test over the differences between `a` and `b`, one per window (period). `null`
   * for fewer than five windows, and in studies of earlier versions.
   */
  pWindows: figure.default(null),
  /** True for a primary comparison. Holm's correction of p-values counts only primary comparisons. */
  primary: z.boolean().default(true),
  sessions: count,
});

const probeSchema = z.strictObject({
  model: z.string(),
  questions: count,
  probability: figure,
  /** Smallest p-value that is possible with this number of answers. */
  smallest: figure,
  remembers: z.boolean(),
  /** Reason why the answers of the model were not scored. `null` for scored answers. */
  refused: z.string().nullable(),
});

const counterfactualSchema = z.strictObject({
  arm: z.string(),
  kind: z.string(),
  worlds: count,
  actual: figure,
  mean: figure,
  /**
   * p-value: share of markets on which the compared figure is at least as good as on the actual market. The
   * actual market counts as one of these markets.
   */
  p: figure,
  /**
   * Fraction of decisions on simulated markets that equal the decision at the same bar on the actual market.
   * `agreement` is the fraction of equal decisions between samples (runs with the same inputs) on the actual
   * market.
   */
  consistency: figure,
  agreement: figure,
});

export const AUDIT_STATES = ['passed', 'failed', 'not testable'] as const;

const auditSchema = z.strictObject({
  test: z.string(),
  source: z.string(),
  state: z.enum(AUDIT_STATES),
  /** Figure on which the state is based, as text. */
  figure: z.string(),
  why: z.string(),
});

/**
 * Schema of `study.json`. The file contains no clock times or paths, so that the same study always results in
 * the same bytes.
 */
export const studyReportSchema = z.strictObject({
  schema: z.literal(1),
  name: z.string(),
  version: z.string(),
  seed: count,
  symbols: z.array(z.string()),
  data: z.array(z.string()),
  /** Settings shared by all arms and baselines: costs, fills, cash. Absent in studies of earlier versions. */
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
      beside: holdingComparisonSchema,
    }),
  ),
  comparisons: z.array(comparisonSchema),
  probes: z.array(probeSchema),
  counterfactuals: z.array(counterfactualSchema),
  audit: z.array(z.strictObject({ arm: z.string(), answers: z.array(auditSchema) })),
  /** Alarms of the runs of all arms, by kind. Absent in studies of earlier versions. */
  alarms: z.array(alarmGroupSchema).optional(),
  /** Hypothesis and plan that were registered before the study. Absent if the study was not registered. */
  registration: registeredSchema.optional(),
  /** Notes that affect how the figures should be read, for example about failed runs. */
  notes: z.array(z.string()),
});
export type StudyReport = z.infer<typeof studyReportSchema>;
export type StudyArm = StudyReport['arms'][number];
export type AuditAnswer = z.infer<typeof auditSchema>;
