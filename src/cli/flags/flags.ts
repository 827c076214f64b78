import type { Command } from 'commander';
import { z } from 'zod';
import {
  MASK_KINDS,
  type MaskKind,
  mergeSettings,
  type RunSettingsInput,
  runSettingsFaults,
} from '../../engine/index.ts';
import {
  doubledKeys,
  type Fault,
  faultsError,
  fileProblem,
  isObject,
  issueText,
  parseInstant,
  parseJsonInput,
  readInput,
  valueAt,
} from '../../kernel/index.ts';
import {
  ADJUSTED_KINDS,
  COLUMN_PRESET_NAMES,
  ROLL_ADJUSTMENTS,
  type RollRule,
  readRollRule,
} from '../../market/index.ts';
import {
  dataOptions,
  figureOptions,
  type RunOptions,
  runOptionsSchema,
  toolExtraOptions,
  worldOptions,
} from '../../runner/index.ts';
import { CONFIG_HINT, configuredOf, locatedFaults } from '../config/origins.ts';
import { flagNamed, numberText, readAgentBudget, wholeText } from './flag-values.ts';
import { contradictions, flagsFor, settingsFields, settingsOfFlags } from './settings-flags.ts';

/**
 * Schema of a comma-separated list of the data that are masked for the strategy or model:
 * `symbols,dates,prices`.
 */
const maskText = z.string().transform((text, context) => {
  const kinds = text.split(',').map((word) => word.trim());
  const unknown = kinds.filter((kind) => !(MASK_KINDS as readonly string[]).includes(kind));
  if (unknown.length === 0) return kinds as MaskKind[];
  context.addIssue({
    code: 'custom',
    message: `"${unknown[0]}" is not a mask. Expected one or more of ${MASK_KINDS.join(',')}`,
  });
  return z.NEVER;
});

/** Schema of budget limits such as `usd=5 decisions=100`. */
const agentBudgetText = z.array(z.string()).transform((texts, context) => {
  const { budget, faults } = readAgentBudget(texts, '');
  for (const { message } of faults) context.addIssue({ code: 'custom', message });
  return faults.length === 0 ? budget : z.NEVER;
});

/**
 * Flags of `run` for its options, for example data files and the output folder. The flags for settings, for
 * example cash and costs, are in `settingsFields`.
 */
const optionFields = {
  ...flagsFor(runOptionsSchema.shape),
  mask: maskText.optional(),
  agentBudget: agentBudgetText.optional(),
};

/** Flags of `run`. */
export const runFlagsSchema = z.object({
  ...optionFields,
  ...settingsFields,
  resolve: z.enum(['worst', 'best', 'both']).optional(),
  param: z.array(z.string()).optional(),
  samples: wholeText(1).optional(),
  concurrency: wholeText(1).optional(),
  recording: z.string().optional(),
  replayOnly: z.boolean().optional(),
  budget: z.array(z.string()).optional(),
  estimate: z.boolean().optional(),
  estimateFrom: z.array(z.string()).min(1).optional(),
  json: z.boolean().optional(),
  quiet: z.boolean().optional(),
  verbose: z.boolean().optional(),
});

const toolFlags = {
  tools: z.array(z.string()).optional(),
  budget: z.array(z.string()).optional(),
  maxResultBytes: wholeText(1).optional(),
};

/** Flags of `compute` and `tools call`. Both commands work on the market and account at one bar. */
export const worldFlagsSchema = z.object({
  ...flagsFor(worldOptions),
  ...settingsFields,
  ...toolFlags,
  ...flagsFor(toolExtraOptions),
  bar: wholeText(0).optional(),
  timing: z.boolean().optional(),
});

/** Flags of `mcp`. */
export const mcpFlagsSchema = z.object({
  ...flagsFor(worldOptions),
  ...settingsFields,
  ...toolFlags,
  ...flagsFor(toolExtraOptions),
  mask: maskText.optional(),
  strategyRisk: z.string().optional(),
  project: runOptionsSchema.shape.project,
  out: z.string().optional(),
});

/** Flags of `probe`. */
export const probeFlagsSchema = z.object({
  ...flagsFor(dataOptions),
  questions: wholeText(1).optional(),
  seed: numberText({ min: 0, max: 2 ** 32 - 1, whole: true }).optional(),
  json: z.boolean().optional(),
});

/** Flags of `report`. */
export const reportFlagsSchema = z.object({
  ...flagsFor(figureOptions),
  out: z.string().optional(),
  pdf: z.boolean().optional(),
  embed: z.boolean().optional(),
  svg: z.boolean().optional(),
  png: z.boolean().optional(),
  otel: z.string().optional(),
});

export const checkFlagsSchema = z.object({
  ...flagsFor(dataOptions),
  json: z.boolean().optional(),
  calendar: z.string().optional(),
  actions: z.string().optional(),
});

export const convertFlagsSchema = z.object({ ...flagsFor(dataOptions), out: z.string() });

export const mergeFlagsSchema = z.object({
  ...flagsFor(dataOptions),
  prefer: z.enum(['first', 'last']).optional(),
  out: z.string(),
});

export const adjustFlagsSchema = z.object({
  ...flagsFor(dataOptions),
  actions: z.string().optional(),
  factors: z.string().optional(),
  for: z.enum(ADJUSTED_KINDS).optional(),
  out: z.string(),
});

export const continuousFlagsSchema = z.object({
  ...flagsFor(dataOptions),
  name: z.string().trim().min(1, 'is missing. Pass the symbol of the series, for example ES').toUpperCase(),
  expiries: z.string(),
  roll: z.string().transform((text, context): RollRule => {
    const rule = readRollRule(text);
    if (rule !== undefined) return rule;
    const message = `"${text}" is not a roll rule. Expected volume, days:5 (before expiry) or dates (the expiries' roll column)`;
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  }),
  adjust: z.enum(ROLL_ADJUSTMENTS),
  rolls: z.string(),
  out: z.string(),
});

const dateFlag = z.string().refine((text) => parseInstant(text) !== undefined, {
  error: ({ input }) =>
    `"${String(input)}" is not a date. Expected for example 2020-01-15 or 2020-01-15T09:30`,
});

export const downloadFlagsSchema = z.object({
  from: dateFlag,
  to: dateFlag.optional(),
  interval: z.string().optional(),
  out: z.string().optional(),
  baseUrl: z.url({ protocol: /^https?$/ }).optional(),
  rate: numberText({ min: 0, above: true, max: 1_000_000 }).optional(),
});

export const simulateFlagsSchema = z.object({
  seed: numberText({ min: 0, max: 2 ** 32 - 1, whole: true }).optional(),
  bars: wholeText(1).optional(),
  regime: z
    .enum(['random-walk', 'trend', 'mean-reverting', 'volatile', 'crash', 'regime-switching'])
    .optional(),
  symbols: z.array(z.string()).optional(),
  correlation: numberText({ min: 0, max: 1 }).optional(),
  start: z.string().optional(),
  interval: z.enum(['1min', '5min', '15min', '30min', '1h', '4h', '1d']).optional(),
  price: numberText({ min: 1, max: 1_000_000 }).optional(),
  volatility: numberText({ min: 1e-9, max: 0.2 }).optional(),
  out: z.string().optional(),
});

/** Adds the flags that select and limit data, for every command that reads bars. */
export function addDataFlags(command: Command): Command {
  return command
    .optionsGroup('Data:')
    .option('--data <path...>', 'data files, folders or globs (CSV, Parquet, JSON; text also .gz)')
    .option(
      '--symbol <symbol...>',
      'symbols to use; for a single file without symbols, the name of its symbol',
    )
    .option('--from <date>', 'first date, such as 2015-01-01')
    .option('--to <date>', 'last date (inclusive)')
    .option('--allow-gaps', 'skip rows without a price instead of rejecting the file')
    .option('--sort', 'sort rows by time instead of rejecting the file')
    .option('--no-volume', 'accept files without a volume column: every bar gets volume 1')
    .option('--interval <length>', 'length of a bar, for example 1h (default: detected from the bars)')
    .option('--date-order <order>', 'order of dates such as 03/04/2020: mdy or dmy')
    .option(
      '--timezone <zone>',
      'time zone of timestamps without one, for example America/New_York (default UTC)',
    )
    .option(
      '--columns <mapping>',
      `headers of the columns: date="Gmt time",close=Close, or preset= ${COLUMN_PRESET_NAMES.join(', ')}`,
    )
    .option('--max-unpacked <mb>', 'maximum unpacked size of a .gz or Parquet file (default 256)');
}

/**
 * Adds the flags that select the offered tools and limit their calls.
 *
 * @param otherwise description of the tools that are offered without the flag
 */
export function addToolFlags(command: Command, otherwise: string): Command {
  return command
    .optionsGroup('Tools:')
    .option('--tools <name...>', `tools to provide (default ${otherwise})`)
    .option('--budget <tool=calls...>', 'maximum calls of a tool per decision, for example compute=5')
    .option('--max-result-bytes <n>', 'maximum size of one result (default 32768)')
    .optionsGroup('Other options:');
}

/**
 * Reads the flags of a command. Throws one error with all faults, including the caller's faults in `more`.
 *
 * @throws AppError `bad_flags`
 */
export function readFlags<Schema extends z.ZodObject>(
  schema: Schema,
  given: unknown,
  command: string,
  more: readonly Fault[] = [],
): z.infer<Schema> {
  const parsed = schema.safeParse(given);
  const faults = (parsed.error?.issues ?? []).map((issue) => ({
    where: flagNamed(issue.path.map(String)[0] ?? ''),
    message: issueText(issue, valueAt(given, issue.path)),
  }));
  const { settings } = given as { readonly settings?: unknown };
  const all = locatedFaults(given, [
    ...faults,
    ...('settings' in schema.shape ? contradictions(isObject(given) ? given : {}) : []),
    ...(typeof settings === 'string' ? readSettingsFile(settings).faults : []),
    ...more,
  ]);
  if (parsed.success && all.length === 0) return parsed.data;
  const hint =
    (configuredOf(given)?.faults ?? []).length > 0 ? CONFIG_HINT : `See: npx sandtable ${command} --help`;
  throw faultsError('bad_flags', `sandtable ${command}`, all, hint);
}

/**
 * Returns the names of the flags that were given, as the library commander names them. A flag with the value
 * in `defaults` does not count as given: commander sets `short` and `volume` to true if `--no-short` and
 * `--no-volume` are absent. `config` is false with `--no-config`.
 */
export function givenFlags(given: Readonly<Record<string, unknown>>): string[] {
  const defaults = { short: true, volume: true, config: false } as Readonly<Record<string, unknown>>;
  return Object.keys(given).filter((name) => given[name] !== undefined && given[name] !== defaults[name]);
}

const STRATEGY_FILE = /\.(py|m?ts|m?js|md)$/i;

/**
 * Returns the fault of a command without a strategy. A possible cause: a flag with several values, placed
 * before the strategy, takes the strategy as one of its values.
 *
 * @param hint what to pass
 */
export function missingStrategy(given: unknown, hint: string, where = '<strategy>'): Fault {
  for (const [name, values] of Object.entries(isObject(given) ? given : {})) {
    const taken = Array.isArray(values) ? values.find((one) => STRATEGY_FILE.test(String(one))) : undefined;
    if (taken === undefined) continue;
    return {
      where,
      message: `is missing, because ${flagNamed(name)} takes all values that follow, and took ${String(taken)}. Write the strategy before the flags`,
    };
  }
  return { where, message: `is missing. ${hint}` };
}

/** Returns a fault if the flag `--data` is missing. */
export function missingData(given: { readonly data?: unknown }): Fault[] {
  return given.data === undefined
    ? [{ where: '--data', message: 'is missing. Pass at least one data file, folder or glob' }]
    : [];
}

/**
 * Returns the flags of `run` that set options, for example data files. Flags for settings, for example costs,
 * are omitted.
 */
export function runOptionsOf(flags: Readonly<Record<string, unknown>>): RunOptions {
  const options = Object.entries(flags).filter(([name]) => name in optionFields);
  return Object.fromEntries(options);
}

/** Returns the settings that the user gave. Flags override the settings file. */
export function settingsAskedFor(flags: Readonly<Record<string, unknown>>): RunSettingsInput {
  const file = typeof flags.settings === 'string' ? readSettingsFile(flags.settings).value : {};
  return mergeSettings(file, settingsOfFlags(flags));
}

/** Reads a JSON file. If the file cannot be read or is not JSON, `problem` contains the reason. */
export function readJsonFile(file: string): {
  readonly value?: unknown;
  /** Faults of keys that occur twice in one object. */
  readonly doubled: readonly Fault[];
  readonly problem?: string;
} {
  try {
    const text = readInput(file).toString('utf8');
    return { value: parseJsonInput(text), doubled: doubledKeys(text, file) };
  } catch (cause) {
    const isSyntax = cause instanceof SyntaxError;
    return { doubled: [], problem: isSyntax ? `it is not JSON (${cause.message})` : fileProblem(cause) };
  }
}

/** Reads a settings file. Returns its faults and does not throw them. */
function readSettingsFile(file: string): {
  readonly value: RunSettingsInput;
  readonly faults: readonly Fault[];
} {
  const bad = (message: string) => ({ value: {}, faults: [{ where: `--settings ${file}`, message }] });
  const { value, doubled, problem } = readJsonFile(file);
  if (problem !== undefined) return bad(problem);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return bad('it is not a JSON object. Expected for example {"leverage": 2, "risk": {"maxPosition": 0.5}}');
  }
  const faults = runSettingsFaults(value).map((fault) => ({ ...fault, where: `${file} ${fault.where}` }));
  return { value: value as RunSettingsInput, faults: [...doubled, ...faults] };
}
