import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { z } from 'zod';
import { MASK_KINDS, type MaskKind, type RunSettingsInput } from '../engine/index.ts';
import {
  AppError,
  type Fault,
  faultsError,
  fileProblem,
  issueText,
  parseInstant,
  valueAt,
} from '../kernel/index.ts';
import type { LoadOptions } from '../market/index.ts';

interface NumberRules {
  readonly min: number;
  readonly max: number;
  readonly whole?: boolean;
}

function numberText({ min, max, whole = false }: NumberRules): z.ZodType<number, string> {
  const kind = whole ? 'a whole number' : 'a number';
  return z.string().transform((text, context) => {
    const value = text.trim() === '' ? Number.NaN : Number(text);
    if (value >= min && value <= max && (!whole || Number.isInteger(value))) return value;
    const range = max >= Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`;
    context.addIssue({ code: 'custom', message: `"${text}" is not ${kind} ${range}` });
    return z.NEVER;
  });
}

/** A whole number of at least `min`, as a flag's text. */
export const wholeText = (min: number): z.ZodType<number, string> =>
  numberText({ min, max: Number.MAX_SAFE_INTEGER, whole: true });

const moneyText = z
  .string()
  .trim()
  .refine((text) => /^\d+(\.\d+)?$/.test(text) && Number(text) > 0, {
    error: (issue) => `"${String(issue.input)}" is not a positive amount such as 100000`,
  });

const dataFlags = {
  data: z.array(z.string()).optional(),
  symbol: z.array(z.string()).optional(),
  from: z.string().optional(),
  to: z.string().optional(),
  allowGaps: z.boolean().optional(),
  sort: z.boolean().optional(),
  volume: z.boolean().optional(),
  dateOrder: z.enum(['mdy', 'dmy']).optional(),
};

const settingsFlags = {
  cash: moneyText.optional(),
  commission: numberText({ min: 0, max: 0.999_999 }).optional(),
  slippageBps: numberText({ min: 0, max: 9_999 }).optional(),
  leverage: numberText({ min: 1, max: 1_000 }).optional(),
  lot: numberText({ min: 1e-12, max: 1e12 }).optional(),
  short: z.boolean().optional(),
  seed: numberText({ min: 0, max: 2 ** 32 - 1, whole: true }).optional(),
  lookback: wholeText(1).optional(),
  settings: z.string().optional(),
};

/** `symbols,dates,prices`, or some of them. */
const maskText = z.string().transform((text, context) => {
  const kinds = text.split(',').map((word) => word.trim());
  const unknown = kinds.filter((kind) => !(MASK_KINDS as readonly string[]).includes(kind));
  if (unknown.length === 0) return kinds as MaskKind[];
  context.addIssue({
    code: 'custom',
    message: `"${unknown[0]}" cannot be masked; give some of ${MASK_KINDS.join(',')}`,
  });
  return z.NEVER;
});

const dateText = z.string().transform((text, context) => {
  const instant = parseInstant(text);
  if (instant !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(text)) return text;
  context.addIssue({ code: 'custom', message: `"${text}" is no date such as 2024-06-01` });
  return z.NEVER;
});

/** Flags of `run`. */
export const runFlagsSchema = z.object({
  ...dataFlags,
  ...settingsFlags,
  param: z.array(z.string()).optional(),
  mask: maskText.optional(),
  modelCutoff: dateText.optional(),
  samples: wholeText(1).optional(),
  concurrency: wholeText(1).optional(),
  recording: z.string().optional(),
  replayOnly: z.boolean().optional(),
  out: z.string().optional(),
  json: z.boolean().optional(),
  quiet: z.boolean().optional(),
});

/** Flags of `compute` and `tools call`, which look at one bar of a world. */
export const worldFlagsSchema = z.object({
  ...dataFlags,
  ...settingsFlags,
  bar: wholeText(0).optional(),
  maxResultBytes: wholeText(1).optional(),
});

/** Flags of `probe`. */
export const probeFlagsSchema = z.object({
  ...dataFlags,
  questions: wholeText(1).optional(),
  seed: numberText({ min: 0, max: 2 ** 32 - 1, whole: true }).optional(),
  json: z.boolean().optional(),
});

export const checkFlagsSchema = z.object({ ...dataFlags, json: z.boolean().optional() });

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

export type DataFlags = z.infer<z.ZodObject<typeof dataFlags>>;
export type SettingsFlags = z.infer<z.ZodObject<typeof settingsFlags>>;

/** The flags that name and trim data, for every command that reads bars. */
export function addDataFlags(command: Command): Command {
  return command
    .option('--data <path...>', 'data files, folders or globs (CSV, Parquet, JSON; text also .gz)')
    .option('--symbol <symbol...>', 'keep only these symbols; names the symbol of a single file')
    .option('--from <date>', 'first date, such as 2015-01-01')
    .option('--to <date>', 'last date, included')
    .option('--allow-gaps', 'leave out rows without a price instead of refusing the file')
    .option('--sort', 'put rows in order of time instead of refusing the file')
    .option('--no-volume', 'accept files without a volume column: every bar gets volume 1')
    .option('--date-order <order>', 'how 03/04/2020 is meant: mdy or dmy');
}

/** The flags that set an account and its trading terms. */
export function addSettingsFlags(command: Command): Command {
  return command
    .option('--cash <amount>', 'initial cash (default 100000)')
    .option('--commission <rate>', 'commission as a fraction of each fill: 0.002 is 0.2 % (default 0)')
    .option('--slippage-bps <n>', 'slippage of market fills in basis points (default 0)')
    .option('--leverage <n>', 'notional a unit of equity carries (default 1)')
    .option('--lot <units>', 'smallest quantity and step of quantities (default 1)')
    .option('--no-short', 'refuse orders that would open a short position')
    .option('--seed <n>', 'seeds every random number (default 0)')
    .option('--lookback <bars>', 'bars the strategy can look back on (default all)')
    .option(
      '--settings <file>',
      'JSON with any of the settings, such as commission models and risk limits; flags win',
    );
}

/**
 * Reads a command's flags, with every fault at once.
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
    where: `--${kebab(issue.path.map(String)[0] ?? '')}`,
    message: issueText(issue, valueAt(given, issue.path)),
  }));
  if (parsed.success && more.length === 0) return parsed.data;
  throw faultsError(
    'bad_flags',
    `sandtable ${command}`,
    [...faults, ...more],
    `See: npx sandtable ${command} --help`,
  );
}

/** The fault of a command that was given no data. */
export function missingData(given: { readonly data?: unknown }): Fault[] {
  return given.data === undefined
    ? [{ where: '--data', message: 'name at least one data file, folder or glob' }]
    : [];
}

export function loadOptions(flags: DataFlags): LoadOptions {
  return {
    paths: flags.data ?? [],
    ...(flags.symbol === undefined ? {} : { symbols: flags.symbol }),
    ...(flags.from === undefined ? {} : { from: flags.from }),
    ...(flags.to === undefined ? {} : { to: flags.to }),
    ...(flags.allowGaps === undefined ? {} : { allowGaps: flags.allowGaps }),
    ...(flags.sort === undefined ? {} : { sortRows: flags.sort }),
    ...(flags.volume === false ? { noVolume: true } : {}),
    ...(flags.dateOrder === undefined ? {} : { dateOrder: flags.dateOrder }),
  };
}

/** Settings by flags, over what a strategy file brings, over the defaults. */
export function runSettings(flags: SettingsFlags, fromStrategy: RunSettingsInput = {}): RunSettingsInput {
  return {
    ...fromStrategy,
    ...(flags.settings === undefined ? {} : readSettingsFile(flags.settings)),
    ...(flags.cash === undefined ? {} : { cash: flags.cash }),
    ...(flags.commission === undefined ? {} : { commissionRate: flags.commission }),
    ...(flags.slippageBps === undefined ? {} : { slippageBps: flags.slippageBps }),
    ...(flags.leverage === undefined ? {} : { leverage: flags.leverage }),
    ...(flags.lot === undefined ? {} : { lot: flags.lot }),
    ...(flags.short === false ? { allowShort: false } : {}),
    ...(flags.seed === undefined ? {} : { seed: flags.seed }),
    ...(flags.lookback === undefined ? {} : { lookback: flags.lookback }),
  };
}

function kebab(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function readSettingsFile(file: string): RunSettingsInput {
  const bad = (problem: string): AppError =>
    new AppError({
      code: 'bad_settings',
      message: `The settings file ${file} cannot be used: ${problem}.`,
      remedy: 'Give JSON such as {"leverage": 2, "risk": {"maxPosition": 0.5}}.',
    });
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, 'utf8'));
  } catch (cause) {
    throw bad(cause instanceof SyntaxError ? `it is not JSON (${cause.message})` : fileProblem(cause));
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw bad('it is no JSON object');
  return value as RunSettingsInput;
}
