import { z } from 'zod';
import type { Json } from '../../engine/index.ts';
import { AppError, parseInstant, readYaml, type YamlDocument } from '../../kernel/index.ts';
import { TABLE_COLUMNS, toolsForSymbols } from '../../toolkit/index.ts';
import { budgetSchema } from '../model/budget.ts';
import { PROVIDERS } from '../model/capabilities.ts';
import { priceSchema } from '../model/prices.ts';
import { samplingSchema } from '../model/wire-parts.ts';
import { outputSchema } from './output/settings.ts';

/** Request fields that a run fills in itself. `extra_body` must not contain them. */
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

/** Schedule of the model's decisions. */
const scheduleSchema = z.union(
  [
    z.enum(['every_bar', 'week_end', 'month_end']),
    z.strictObject({ every_bars: z.number().int().min(1) }),
    z.strictObject({ weekday: z.enum(WEEKDAYS) }),
    /** Module whose default export is a function. It returns true for bars with a decision. */
    z.strictObject({ module: z.string().min(1) }),
    /** Python expression for `compute` that returns true or false. */
    z.strictObject({ python: z.string().min(1) }),
  ],
  {
    error:
      'must be one of every_bar, week_end, month_end, {every_bars: 5}, {weekday: friday}, {module: ./when.ts}, {python: "…"}',
  },
);

export type Schedule = z.infer<typeof scheduleSchema>;

// A date is parsed from text, because YAML's core schema reads an unquoted date as a text.
const dateSchema = z.string().transform((text, context) => {
  const instant = parseInstant(text);
  if (instant !== undefined) return instant;
  context.addIssue({ code: 'custom', message: `"${text}" is not a date such as 2015-01-01` });
  return z.NEVER;
});

/** Default tools. A tool is offered only if the run has the data that it needs. */
export const DEFAULT_TOOLS: readonly string[] = [
  'market_history',
  'compute',
  'trade_execute',
  'portfolio_rebalance',
  'document_search',
  'document_read',
  'fundamentals',
];

/**
 * Returns the default tools for a number of traded symbols. One symbol needs no tools that compare symbols.
 */
export function defaultTools(symbols: number): readonly string[] {
  return toolsForSymbols(DEFAULT_TOOLS, symbols);
}

/** Settings at the beginning of a Markdown strategy. */
export const strategySchema = z.strictObject({
  name: z
    .string()
    .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'is not lower-case words joined by hyphens')
    .optional(),
  summary: z.string().default(''),
  /** Model name as used by the server. May contain `${NAME:-default}`. */
  model: z.string().min(1),
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the strategy's own notation
  base_url: z.string().default('${OPENAI_BASE_URL:-https://api.openai.com/v1}'),
  /** Name of the environment variable with the API key. The file must not contain the key itself. */
  api_key_env: z
    .string()
    .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'is the name of an environment variable, never the key itself')
    .default('OPENAI_API_KEY'),
  /** Provider of the model server. Default: detected from `base_url`. */
  provider: z.enum(PROVIDERS).optional(),
  api: z.enum(['chat', 'responses']).default('chat'),
  stream: z.boolean().default(false),
  /**
   * Headers of every request. May contain `${NAME}`. The value of the variable is then redacted in all files.
   */
  headers: z
    .record(z.string().regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, 'is not the name of a header'), z.string())
    .default({}),
  /** Extra fields in the body of every request, for server-specific extensions. */
  extra_body: z
    .record(
      z.string().refine((name) => !OWN_FIELDS.includes(name), 'is a field that the run fills in itself'),
      z.json().transform((value): Json => value),
    )
    .default({}),
  /**
   * If true, tool calls that the model writes in its text are executed. Needed for servers that do not parse
   * tool calls.
   */
  text_tool_calls: z.boolean().default(false),
  tools: z.array(z.string()).optional(),
  /**
   * Columns of a table with one row per symbol. The model receives the table instead of the last bar of each
   * symbol.
   */
  columns: z
    .array(z.enum(TABLE_COLUMNS))
    .min(1)
    .refine((columns) => new Set(columns).size === columns.length, 'names a column twice')
    .optional(),
  /** Length of the tool descriptions in requests. */
  tool_manuals: z.enum(['short', 'full']).default('short'),
  /** Form of each answer, and the tool calls derived from it. */
  output: outputSchema.optional(),
  schedule: scheduleSchema.default('every_bar'),
  /** Number of bars that must close before the first decision. */
  warm_up_bars: z.number().int().min(0).default(0),
  /** Date before which no decision is made. */
  decision_start: dateSchema.optional(),
  /** Maximum number of requests per decision. The model cannot call tools in reply to the last request. */
  rounds: z.number().int().min(1).max(100).default(8),
  /** Maximum number of characters of one tool answer that the model receives. */
  tool_output_chars: z.number().int().min(200).default(12_000),
  /** Context limit of the model in tokens. Overrides the built-in value. */
  context_tokens: z.number().int().min(1_000).optional(),
  /** Number of earlier decisions whose conclusions the model receives. */
  notes: z.number().int().min(0).max(50).default(3),
  sampling: samplingSchema.default({}),
  request: z
    .strictObject({
      timeout_seconds: z.number().gt(0).default(120),
      retries: z.number().int().min(0).max(20).default(5),
      /** Seconds before the first retry. Doubles with each retry. */
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
  /** Reaction if the model is unavailable: skip the decision (`hold`) or stop the run. */
  on_failure: z.enum(['hold', 'stop']).default('stop'),
  /** Path of a JSON file with prices, or the price of the strategy's model. */
  prices: z.union([z.string().min(1), priceSchema]).optional(),
  /** Settings of the run, with the same names as in a settings file. Flags override them. */
  settings: z.record(z.string(), z.unknown()).default({}),
  /** Parameters of the prompt. Each can be set with `--param`. */
  parameters: z.record(z.string().regex(/^\w+$/), z.union([z.string(), z.number(), z.boolean()])).default({}),
});

export type StrategySettings = z.infer<typeof strategySchema>;

/** Settings that determine the model and its requests. */
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

/** Markdown file with settings (front matter) at its beginning. */
export interface FrontMatter extends Omit<YamlDocument, 'textOf'> {
  readonly body: string;
  /** Number of lines of the file before the body. */
  readonly bodyLine: number;
}

/**
 * Splits a Markdown file into settings and prompt.
 *
 * @throws AppError `bad_strategy` with the line of every YAML fault
 */
export function readFrontMatter(text: string, file: string): FrontMatter {
  const match = /^(\uFEFF?---[ \t]*\r?\n)([\s\S]*?)^---[ \t]*\r?$\n?/m.exec(text);
  if (match === null || match.index !== 0) {
    throw new AppError({
      code: 'bad_strategy',
      message: `${file}:1: the file does not begin with settings between two lines of ---.`,
      hint: 'Begin it with ---, lines such as "model: gpt-4.1-mini", and ---; see docs/llm.md.',
    });
  }
  return {
    ...readYaml(match[2] ?? '', file, 1, {
      code: 'bad_strategy',
      hint: 'Fix the settings between the lines of ---.',
    }),
    body: text.slice(match[0].length),
    bodyLine: match[0].split('\n').length - 1,
  };
}
