import { z } from 'zod';
import { budgetSchema, modelSettingsSchema } from '../../agents/index.ts';
import { MASK_KINDS, runSettingsSchema } from '../../engine/index.ts';
import { insteadOf, isObject, issueText, nearest, parseInstant, valueAt } from '../../kernel/index.ts';
import { agentOptions, runOptionsSchema } from '../../runner/index.ts';
import { TOOL_NAMES } from '../../toolkit/index.ts';
import { readSpan } from '../walk-forward/windows.ts';
import { WORLD_KINDS } from '../worlds/make-worlds.ts';

const whole = (least: number, most: number) => z.number().int().min(least).max(most);

const nameText = z
  .string()
  .regex(/^[A-Za-z0-9][\w.-]*$/, 'is not a name of letters, digits, dots, hyphens and underscores');

const day = z
  .string()
  .refine((text) => /^\d{4}-\d{2}-\d{2}$/.test(text) && parseInstant(text) !== undefined, {
    error: ({ input }) => `"${String(input)}" is not a date such as 2025-03-03`,
  });

const span = z.string().refine((text) => readSpan(text) !== undefined, {
  error: ({ input }) => `"${String(input)}" is not a length such as 5d, 2w, 3m or 1y`,
});

const fileSchema = z.strictObject({
  file: z.string().min(1),
  name: nameText.optional(),
  parameters: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).optional(),
});

/**
 * External agent: a program of the user that makes the decisions. Accepts the options of `sandtable run
 * --agent`.
 */
const agentSchema = z.strictObject({
  ...agentOptions,
  agent: z.string().min(1),
  name: nameText.optional(),
  /** Last date of the training data of the agent's models. */
  cutoff: day.optional(),
});

/** External MCP client. The client starts Sandtable's MCP server and trades with its tools. */
const mcpSchema = z.strictObject({
  /** Command of the client. `{config}` is replaced with the path of the server's configuration. */
  mcp: z.string().min(1),
  name: nameText,
  /** Last date of the training data of the client's model. */
  cutoff: day.optional(),
  /** Time limit of one run, in seconds. */
  timeout: z.number().positive().max(604_800).default(3_600),
});

const strategySchema = z.union([z.string().min(1), fileSchema, agentSchema, mcpSchema], {
  error({ input }) {
    const own = !isObject(input)
      ? undefined
      : input.mcp !== undefined
        ? mcpSchema
        : input.agent === undefined
          ? fileSchema
          : agentSchema;
    const issues = own?.safeParse(input).error?.issues ?? [];
    if (
      issues.length === 0 ||
      (isObject(input) && [input.agent, input.file, input.mcp].every((one) => one === undefined))
    )
      return 'must be a file, {file: trader.md, name: patient, parameters: {…}}, {agent: python3 my_agent.py, name: mine, agentEvery: 5} or {mcp: my-client --config {config}, name: mine}';
    return issues
      .map((issue) =>
        issue.code === 'unrecognized_keys'
          ? issue.keys
              .map((key) => `unknown setting ${key}${insteadOf(key, Object.keys(own?.shape ?? {}))}`)
              .join('; ')
          : `${issue.path.join('.')}: ${issueText(issue, valueAt(input, issue.path))}`,
      )
      .join('; ');
  },
});

/**
 * Model that replaces the model named in a prompt's file. Accepts the model settings described in
 * docs/llm.md.
 */
const ownModelSchema = modelSettingsSchema.extend({
  name: nameText.optional(),
  model: z.string().min(1),
  /** Last date of the model's training data. */
  cutoff: day.optional(),
});

const toolsSchema = z
  .union([z.enum(['own', 'off']), z.strictObject({ name: nameText, tools: z.array(z.string()).min(1) })], {
    error: 'must be own, off or {name: few, tools: [market_history, trade_execute]}',
  })
  .superRefine((set, context) => {
    const names = typeof set === 'string' ? [] : set.tools;
    for (const [index, name] of names.entries()) {
      const path = ['tools', index];
      if (!(TOOL_NAMES as readonly string[]).includes(name)) {
        const meant = nearest(name, TOOL_NAMES);
        const hint = meant === undefined ? `available: ${TOOL_NAMES.join(', ')}` : `did you mean ${meant}?`;
        context.addIssue({ code: 'custom', path, message: `unknown tool ${name}; ${hint}` });
      } else if (names.indexOf(name) < index)
        context.addIssue({ code: 'custom', path, message: `duplicate ${name}` });
    }
  });

/**
 * Relation of a window to the training data of the models: `remembered` if the training data contains the
 * window, else `unseen`. If omitted, the cutoff date of each model decides.
 */
const memory = z.enum(['remembered', 'unseen']);

const windowSchema = z.strictObject({
  name: nameText.optional(),
  from: day,
  to: day,
  memory: memory.optional(),
});

const rollingSchema = z.strictObject({
  from: day,
  to: day,
  length: span,
  /** Time from the first day of a window to the first day of the next window. Default: length of a window. */
  step: span.optional(),
});

/** Test periods (windows) of published benchmarks, by name of the benchmark. */
export const WINDOW_PRESETS = {
  /**
   * Source: M. Benhenda, "Look-Ahead-Bench: a Standardized Benchmark of Look-ahead Bias in Point-in-Time LLMs
   * for Finance" (2026).
   */
  'look-ahead-bench': [
    { name: 'P1', from: '2021-04-01', to: '2021-09-30', memory: 'remembered' },
    { name: 'P2', from: '2024-07-01', to: '2024-12-31', memory: 'unseen' },
  ],
} as const satisfies Record<string, readonly z.infer<typeof windowSchema>[]>;

/**
 * Options of a run that a study accepts in `options`. Excludes options that have a separate field in the
 * study file.
 */
const optionsSchema = runOptionsSchema.omit({
  data: true,
  to: true,
  mask: true,
  out: true,
  modelCutoff: true,
  agent: true,
  agentTools: true,
  agentEvery: true,
  agentWarmUp: true,
  agentTimeout: true,
  agentCalls: true,
  agentFailures: true,
  agentBudget: true,
});

/** Schema of the study file `study.yaml`. */
export const studySchema = z.strictObject({
  name: z
    .string()
    .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'is not lower-case words joined by hyphens')
    .optional(),
  strategies: z.array(strategySchema).min(1),
  /** Models with which each prompt runs. Default: the model of each prompt. */
  models: z
    .array(
      z.union([z.literal('own'), ownModelSchema], {
        error:
          'is neither own nor {model: gpt-4.1-mini, name: mini, cutoff: 2024-06-01, …} with settings of docs/llm.md',
      }),
    )
    .min(1)
    .default(['own']),
  /** Number of samples: repeated runs of each prompt in each window. Default: 1. */
  samples: whole(1, 1_000).default(1),
  windows: z.union(
    [
      z.array(windowSchema).min(1),
      z.strictObject({ rolling: rollingSchema }),
      z.strictObject({ preset: z.enum(Object.keys(WINDOW_PRESETS) as [keyof typeof WINDOW_PRESETS]) }),
    ],
    {
      error:
        'must be a list of {from: 2025-03-03, to: 2025-06-30}, {rolling: {from, to, length: 1m, step: 1m}} or {preset: look-ahead-bench}',
    },
  ),
  /**
   * Masks with which each prompt runs: `none`, or a list of kinds. A mask hides symbols, dates, prices or the
   * shape of the market from the model.
   */
  masks: z
    .array(
      z.union([z.literal('none'), z.array(z.enum(MASK_KINDS)).min(1)], {
        error: `is neither none nor a list of ${MASK_KINDS.join(', ')}`,
      }),
    )
    .min(1)
    .default(['none']),
  /**
   * Tool sets with which each prompt runs: its own tools (`own`), only trading tools (`off`), or the named
   * tools.
   */
  tools: z.array(toolsSchema).min(1).default(['own']),
  data: z.union([z.string().min(1), z.array(z.string().min(1)).min(1)], {
    error: 'must be a file or folder of bars, or a list of them, for example ../data/djia',
  }),
  options: optionsSchema.default({}),
  settings: runSettingsSchema.omit({ evaluateFrom: true, seed: true }).strict().partial().default({}),
  baselines: z
    .strictObject({
      /** Length of the moving average in bars. The baseline `sma` buys a symbol above its average. */
      sma: whole(2, 1_000).default(20),
      /**
       * The baseline `momentum` ranks symbols by their return over this number of bars. `top` is the number
       * of symbols that it buys. Default of `top`: a quarter of all symbols.
       */
      momentum: whole(1, 1_000).default(20),
      top: whole(1, 10_000).optional(),
      /** Number of bars between two rebalances of the baselines `equal-weight` and `momentum`. */
      rebalance: whole(1, 1_000).default(21),
    })
    .prefault({}),
  /** Number of random agents with which each arm is compared. 0 disables them. */
  random: whole(0, 10_000).default(200),
  /** Cost levels at which the results of all runs are recomputed, in basis points of the traded value. */
  costs: z.array(z.number().min(0).max(10_000)).default([0, 5, 10, 20, 50]),
  /** Calibration of the probabilities in decisions: Brier score and a reliability table. */
  calibration: z
    .strictObject({
      /**
       * Path of the stated probability in the model's structured answer (`output`), for example `confidence`
       * or `forecast.up`.
       */
      field: z.string().min(1),
      states: z.enum(['up', 'right']),
      /** Number of bars after a decision at which the outcome is determined. */
      horizon: whole(1, 1_000).default(1),
      /**
       * Symbol to which a single stated probability refers. Used if `states` is `up` and several symbols are
       * traded.
       */
      symbol: z.string().min(1).optional(),
    })
    .optional(),
  /**
   * Comparisons to which Holm's correction applies, as pairs of names of arms and baselines. Default: each
   * arm with each baseline.
   */
  primary: z
    .array(
      z.tuple([z.string().min(1), z.string().min(1)], {
        error: 'is not a pair of names such as [trader, buy-and-hold]',
      }),
    )
    .min(1)
    .optional(),
  leakage: z
    .strictObject({
      /**
       * Number of questions that test what each model remembers of the data. The questions contain no data. 0
       * disables the test.
       */
      probe: whole(0, 1_000).default(0),
      /**
       * Additional runs of the same prompts on simulated markets with other prices: kind and number of these
       * markets.
       */
      counterfactual: z
        .strictObject({ kind: z.enum(WORLD_KINDS).default('permute'), worlds: whole(1, 1_000) })
        .optional(),
    })
    .prefault({}),
  seed: whole(0, 2 ** 32 - 1).default(0),
  /** Budget of all model requests of the study: runs on actual and simulated markets, and memory probes. */
  budget: budgetSchema.omit({ seconds: true }).optional(),
});

export type StudyFile = z.infer<typeof studySchema>;
