import { z } from 'zod';
import type { Json } from '../../engine/index.ts';
import { parseInstant } from '../../kernel/index.ts';
import { TABLE_COLUMNS, toolsForSymbols } from '../../toolkit/index.ts';
import { budgetSchema } from '../model/budget.ts';
import { PROVIDERS } from '../model/capabilities.ts';
import { priceSchema } from '../model/prices.ts';
import { samplingSchema } from '../model/sampling.ts';
import { outputSchema } from './output/settings.ts';

/** Fields of a request that settings of their own say. */
const OWN_FIELDS: readonly string[] = [
  'model',
  'messages',
  'input',
  'tools',
  'tool_choice',
  'stream',
  'stream_options',
  'store',
];

const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;

/** When the model is asked. */
const scheduleSchema = z.union(
  [
    z.enum(['every_bar', 'week_end', 'month_end']),
    z.strictObject({ every_bars: z.number().int().min(1) }),
    z.strictObject({ weekday: z.enum(WEEKDAYS) }),
    /** A module whose default export says, given the turn, whether to ask. */
    z.strictObject({ module: z.string().min(1) }),
    /** A Python expression of `compute` that gives true or false. */
    z.strictObject({ python: z.string().min(1) }),
  ],
  {
    error:
      'is none of every_bar, week_end, month_end, {every_bars: 5}, {weekday: friday}, {module: ./when.ts}, {python: "…"}',
  },
);

export type Schedule = z.infer<typeof scheduleSchema>;

// YAML reads an unquoted date as a text in its core schema.
const dateSchema = z.string().transform((text, context) => {
  const instant = parseInstant(text);
  if (instant !== undefined) return instant;
  context.addIssue({ code: 'custom', message: `"${text}" is no date such as 2015-01-01` });
  return z.NEVER;
});

/** Tools where a strategy names none; those whose data a run was not given are not on offer. */
export const DEFAULT_TOOLS: readonly string[] = [
  'market_history',
  'compute',
  'trade_execute',
  'portfolio_rebalance',
  'document_search',
  'document_read',
  'fundamentals',
];

/** The same for a run of so many symbols. */
export function defaultTools(symbols: number): readonly string[] {
  return toolsForSymbols(DEFAULT_TOOLS, symbols);
}

/** The settings at the head of a strategy in Markdown. */
export const strategySchema = z.strictObject({
  name: z
    .string()
    .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'is not lower-case words joined by hyphens')
    .optional(),
  summary: z.string().default(''),
  /** As the server names it; may hold ${NAME:-default}. */
  model: z.string().min(1),
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the strategy's own notation
  base_url: z.string().default('${OPENAI_BASE_URL:-https://api.openai.com/v1}'),
  /** The variable that holds the key; the key itself has no place in a file. */
  api_key_env: z
    .string()
    .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'is the name of an environment variable, never the key itself')
    .default('OPENAI_API_KEY'),
  /** Known by the address where it is left out. */
  provider: z.enum(PROVIDERS).optional(),
  api: z.enum(['chat', 'responses']).default('chat'),
  stream: z.boolean().default(false),
  /** Sent with every request; may hold ${NAME}, whose value is then kept out of every file. */
  headers: z
    .record(z.string().regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, 'is no name of a header'), z.string())
    .default({}),
  /** Fields added to the body of every request, for what a server takes beyond the protocol. */
  extra_body: z
    .record(
      z.string().refine((name) => !OWN_FIELDS.includes(name), 'is a field that the run fills in itself'),
      z.json().transform((value): Json => value),
    )
    .default({}),
  /** Makes the calls that a model writes into its text, where its server does not take them out. */
  text_tool_calls: z.boolean().default(false),
  tools: z.array(z.string()).optional(),
  /** Shows the symbols as a table of these, in place of their bars. */
  columns: z
    .array(z.enum(TABLE_COLUMNS))
    .min(1)
    .refine((columns) => new Set(columns).size === columns.length, 'names a column twice')
    .optional(),
  /** How much requests say of each tool. */
  tool_manuals: z.enum(['short', 'full']).default('short'),
  /** The form of each answer, and what is made of it. */
  output: outputSchema.optional(),
  schedule: scheduleSchema.default('every_bar'),
  /** Bars that must have closed before the first decision. */
  warm_up_bars: z.number().int().min(0).default(0),
  /** No decision before this date. */
  decision_start: dateSchema.optional(),
  /** Requests of one decision, the last one without tools. */
  rounds: z.number().int().min(1).max(100).default(8),
  /** Characters of one tool's answer that the model is shown. */
  tool_output_chars: z.number().int().min(200).default(12_000),
  /** The model's limit, where ours is not right. */
  context_tokens: z.number().int().min(1_000).optional(),
  /** Earlier decisions whose conclusions the model is shown again. */
  notes: z.number().int().min(0).max(50).default(3),
  sampling: samplingSchema.default({}),
  request: z
    .strictObject({
      timeout_seconds: z.number().gt(0).default(120),
      retries: z.number().int().min(0).max(20).default(5),
      /** Before the first retry, doubled for each further one. */
      backoff_seconds: z.number().min(0).default(1),
      longest_wait_seconds: z.number().min(0).default(60),
    })
    .prefault({}),
  limits: z
    .strictObject({
      requests_per_minute: z.number().int().min(1).optional(),
      tokens_per_minute: z.number().int().min(1).optional(),
      concurrency: z.number().int().min(1).default(4),
    })
    .prefault({}),
  budget: z.strictObject({ decision: budgetSchema.default({}), run: budgetSchema.default({}) }).prefault({}),
  /** What becomes of a decision whose model cannot be reached. */
  on_failure: z.enum(['hold', 'stop']).default('stop'),
  /** A JSON file of prices, or this model's price itself. */
  prices: z.union([z.string().min(1), priceSchema]).optional(),
  /** Settings of the run, for what no flag says; checked as those of --settings. */
  settings: z.record(z.string(), z.unknown()).default({}),
  /** Values for the prompt, each settable with --param. */
  parameters: z.record(z.string().regex(/^\w+$/), z.union([z.string(), z.number(), z.boolean()])).default({}),
});

export type StrategySettings = z.infer<typeof strategySchema>;

/** The settings of a strategy that say which model is asked, and how. */
export const modelSettingsSchema = strategySchema
  .pick({
    model: true,
    base_url: true,
    api_key_env: true,
    provider: true,
    api: true,
    stream: true,
    headers: true,
    extra_body: true,
    text_tool_calls: true,
    context_tokens: true,
    sampling: true,
    request: true,
    limits: true,
    prices: true,
  })
  .partial();
