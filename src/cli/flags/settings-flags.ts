import type { Command } from 'commander';
import { z } from 'zod';
import {
  commissionText,
  instrumentSchema,
  modelText,
  SLIPPAGE_MODELS,
  slippageSchema,
} from '../../broker/index.ts';
import { type RunSettingsInput, runSettingsSchema } from '../../engine/index.ts';
import type { Fault } from '../../kernel/index.ts';
import {
  instantText,
  instrumentTexts,
  lotText,
  moneyText,
  type NumberRules,
  numberText,
} from './flag-values.ts';

/**
 * Returns the schema of one setting, with its description.
 *
 * @param path names of nested settings, outermost first
 */
export function settingAt(
  schema: z.ZodObject,
  path: readonly (string | undefined)[],
): { readonly schema: unknown; readonly description: string } {
  let found: unknown = schema;
  let description = '';
  for (const name of path) {
    if (name === undefined) break;
    if (!(found instanceof z.ZodObject)) throw new Error(`unknown setting ${path.join('.')}`);
    const inner: unknown = found.shape[name];
    if (!(inner instanceof z.ZodType)) throw new Error(`unknown setting ${path.join('.')}`);
    description = inner.description ?? '';
    found = bare(inner);
  }
  if (description === '') throw new Error(`the setting ${path.join('.')} has no description`);
  return { schema: found, description };
}

/** Returns the inner schema of an optional schema, or of a schema with a default value or `null`. */
function bare(schema: unknown): unknown {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable)
    return bare(schema.unwrap());
  return schema;
}

/** Schema of a bound in the checks that zod stores for a number. */
const boundSchema = z.object({
  check: z.enum(['greater_than', 'less_than']),
  value: z.number(),
  inclusive: z.boolean(),
});

/** Returns the bounds of a number. */
export function numberRulesOf(schema: z.ZodNumber): NumberRules {
  const bounds = (schema.def.checks ?? []).flatMap((check) => {
    const bound = boundSchema.safeParse(check._zod.def);
    return bound.success ? [bound.data] : [];
  });
  // If there are several bounds on one side, the last one is the narrowest and applies.
  const least = bounds.findLast(({ check }) => check === 'greater_than');
  const most = bounds.findLast(({ check }) => check === 'less_than');
  return {
    min: least?.value ?? Number.NEGATIVE_INFINITY,
    max: most?.value ?? Number.POSITIVE_INFINITY,
    whole: schema.isInt,
    above: least?.inclusive === false,
    below: most?.inclusive === false,
  };
}

/** Flag for one setting of a run. Omitted fields are derived from the schema of the setting. */
interface SettingFlag {
  /** Flag and its placeholder, as shown in the help. */
  readonly flag: string;
  /** Path of the setting in the settings of a run. Default: the flag's name. */
  readonly path?: readonly [string, string?];
  /** Help text. Default: the description of the setting. */
  readonly help?: string;
  /** Schema of the flag's text. Default: derived from the schema of the setting. */
  readonly value?: z.ZodType;
}

/**
 * Flags for settings, in the groups of the help. The key of a flag is the name that the library commander
 * gives to its value.
 */
const GROUPS = {
  'Account:': {
    cash: { flag: '--cash <amount>', value: moneyText },
    leverage: { flag: '--leverage <n>' },
    maintenanceMargin: { flag: '--maintenance-margin <share>' },
    allowNegativeEquity: { flag: '--allow-negative-equity' },
    short: {
      flag: '--no-short',
      path: ['allowShort'],
      help: 'reject orders that would open a short position',
    },
    lots: { flag: '--lots <method>' },
    currency: {
      flag: '--currency <code>',
      value: z.string().transform((code) => code.trim().toUpperCase()),
    },
    creditRate: { flag: '--credit-rate <rate>', path: ['financing', 'creditRate'] },
    debitRate: { flag: '--debit-rate <rate>', path: ['financing', 'debitRate'] },
    borrowRate: { flag: '--borrow-rate <rate>', path: ['financing', 'borrowRate'] },
  },
  'Costs:': {
    commission: { flag: '--commission <rate>', path: ['commissionRate'] },
    commissionModel: {
      flag: '--commission-model <model>',
      path: ['commission'],
      help: 'rate:rate=R, fixed:amount=M, per-share:perShare=M,minimum=M,maximumRate=R, tiered:0=R,100000=R or maker-taker:maker=R,taker=R',
      value: commissionText,
    },
    slippageBps: { flag: '--slippage-bps <n>' },
    slippageModel: {
      flag: '--slippage-model <model>',
      path: ['slippage'],
      help: 'bps:bps=N, fixed:amount=M, spread:bps=N, spread:column=NAME, spread:bid=NAME,ask=NAME or volume-impact:coefficient=X',
      value: modelText(slippageSchema, SLIPPAGE_MODELS),
    },
  },
  'Fills:': {
    lot: { flag: '--lot <units>', value: lotText({ min: 1e-12, max: 1e12 }) },
    tick: { flag: '--tick <price>' },
    instrument: {
      flag: '--instrument <terms...>',
      path: ['instruments'],
      help: 'settings of one symbol: AAPL:lot=1,tick=0.01 or ES:multiplier=50,margin=12000',
      value: instrumentTexts(instrumentSchema),
    },
    participation: { flag: '--participation <share>' },
    limitThrough: { flag: '--limit-through', path: ['limitNeedsThrough'] },
    fillOn: { flag: '--fill-on <when>' },
    resolve: {
      flag: '--resolve <answer>',
      help: 'outcome to use if a bar allows several: worst or best; run also accepts both, which runs twice and shows the two results (default worst)',
    },
  },
  'Risk limits:': {
    maxPosition: { flag: '--max-position <n>', path: ['risk', 'maxPosition'] },
    maxGross: { flag: '--max-gross <n>', path: ['risk', 'maxGrossExposure'] },
    maxNet: { flag: '--max-net <n>', path: ['risk', 'maxNetExposure'] },
    maxOpenPositions: { flag: '--max-open-positions <n>', path: ['risk', 'maxOpenPositions'] },
    maxOrderNotional: { flag: '--max-order-notional <amount>', path: ['risk', 'maxOrderNotional'] },
    maxDailyLoss: { flag: '--max-daily-loss <share>', path: ['risk', 'maxDailyLoss'] },
    maxDrawdown: { flag: '--max-drawdown <share>', path: ['risk', 'maxDrawdown'] },
    flattenOnHalt: { flag: '--flatten-on-halt', path: ['risk', 'flattenOnHalt'] },
    cooldownBars: { flag: '--cooldown-bars <n>', path: ['risk', 'cooldownBars'] },
  },
  'Evaluation:': {
    evaluateFrom: { flag: '--evaluate-from <date>', value: instantText },
    lookback: { flag: '--lookback <bars>' },
    mark: { flag: '--mark <price>' },
    seed: { flag: '--seed <n>' },
    decisionTimeout: { flag: '--decision-timeout <seconds>' },
  },
  'Data:': {
    barTimes: { flag: '--bar-times <which>' },
    adjust: { flag: '--adjust <how>' },
  },
} as const satisfies Record<string, Record<string, SettingFlag>>;

const FLAGS: Readonly<Record<string, SettingFlag>> = Object.assign({}, ...Object.values(GROUPS));

/** Schemas of `--settings` and of all flags for settings. */
export const settingsFields = {
  ...Object.fromEntries(
    Object.entries(FLAGS).map(([name, flag]) => [name, textReaderOf(flag, flag.path ?? [name]).optional()]),
  ),
  settings: z.string().optional(),
} as Record<string, z.ZodType>;

/** Adds the flags for the account, costs, fills and risk limits, in groups. */
export function addSettingsFlags(command: Command): Command {
  for (const [group, flags] of Object.entries(GROUPS)) {
    command.optionsGroup(group);
    for (const [name, { flag, help, path = [name] }] of Object.entries<SettingFlag>(flags))
      command.option(flag, help ?? settingAt(runSettingsSchema, path).description);
  }
  return command
    .optionsGroup('Data:')
    .option('--fx <path...>', 'files with exchange rates: bars of pairs such as EURUSD.csv')
    .option('--actions <file>', 'dividends, splits and delistings: symbol,date,kind,amount,ratio,price')
    .option(
      '--rolls <file>',
      'rolls of futures, as written by data continuous: symbol,date,from,to,from_price,to_price',
    )
    .option('--funding <file>', 'funding that longs pay shorts of a perpetual contract: symbol,date,rate')
    .option('--features <path...>', 'other time series: date, available_at, symbol, then any columns')
    .option(
      '--features-lag <time>',
      'delay after its bar until a row of --features is visible, for example 1d (default 0d)',
    )
    .option(
      '--session <hours>',
      "start and end of a trading day, for example 09:30-16:00, in --timezone or the calendar's zone",
    )
    .option(
      '--calendar <exchange|file>',
      'trading sessions: XNYS, XNAS, XLON, XETR, XTKS, or a file: date,closes',
    )
    .option(
      '--context <path...>',
      'extra bars of any length that cannot be traded; each is visible after its end',
    )
    .option(
      '--documents <path...>',
      'news, filings and other documents: id, available_at, symbols, source, kind, title, text',
    )
    .option('--fundamentals <path...>', 'fundamentals: symbol, field, period_end, available_at, value')
    .option(
      '--instruments <file>',
      "each symbol's contract: symbol, multiplier, tick, margin, commission, hours, expiry and more",
    )
    .option('--universe <file>', 'periods in which a symbol can be traded: symbol, from, to')
    .optionsGroup('Other options:')
    .option(
      '--settings <file>',
      'JSON file with any of the settings, nested as in docs/risk.md; flags take precedence',
    );
}

/** Returns the settings that the flags set. */
export function settingsOfFlags(flags: Readonly<Record<string, unknown>>): RunSettingsInput {
  const settings: Record<string, unknown> = {};
  for (const [name, { path = [name] as const }] of Object.entries(FLAGS)) {
    const value = flags[name];
    // The library commander sets `short` to true if the flag `--no-short` is absent.
    if (value === undefined || (name === 'short' && value === true)) continue;
    const [first, second] = path;
    if (second === undefined) settings[first] = value;
    else settings[first] = { ...(settings[first] as object | undefined), [second]: value };
  }
  return settings as RunSettingsInput;
}

/** Groups of flags of which only one can be used, by the names that the library commander gives to values. */
export const EXCLUSIVE_FLAGS = [
  ['commission', 'commissionModel'],
  ['slippageBps', 'slippageModel'],
] as const satisfies readonly (readonly (keyof typeof FLAGS)[])[];

/** Setting of a run, as a field of the form with which the page of `sandtable serve` starts runs. */
export interface SettingForm {
  readonly name: string;
  readonly flag: string;
  readonly group: string;
  readonly description: string;
  readonly path: readonly (string | undefined)[];
  /** Schema of the setting. Absent if the flag's text has another format than the setting. */
  readonly schema: unknown;
}

/** Returns the form fields of all settings whose flag accepts a single value. */
export function settingForms(): readonly SettingForm[] {
  return Object.entries(GROUPS).flatMap(([group, flags]) =>
    Object.entries<SettingFlag>(flags)
      .filter(([, { flag }]) => !flag.includes('...'))
      .map(([name, { flag, help, path = [name], value }]) => {
        const { schema, description } = settingAt(runSettingsSchema, path);
        return {
          name,
          flag: flag.split(' ')[0]!,
          group: group.replace(':', ''),
          description: help ?? description,
          path,
          schema: value === undefined ? schema : undefined,
        };
      }),
  );
}

/** Returns faults of flags that set the same value in two ways. */
export function contradictions(given: Readonly<Record<string, unknown>>): Fault[] {
  const flag = (name: string): string => FLAGS[name]?.flag.split(' ')[0] ?? name;
  return EXCLUSIVE_FLAGS.filter(([one, other]) => given[one] !== undefined && given[other] !== undefined).map(
    ([one, other]) => ({
      where: flag(one),
      message: `cannot be combined with ${flag(other)}. Remove one of them`,
    }),
  );
}

/** Returns the schema that converts the text of a flag to a setting. */
function textReaderOf({ flag, value }: SettingFlag, path: readonly [string, string?]): z.ZodType {
  if (value !== undefined) return value;
  const { schema } = settingAt(runSettingsSchema, path);
  if (schema instanceof z.ZodEnum) return schema;
  if (schema instanceof z.ZodBoolean) return z.boolean();
  if (schema instanceof z.ZodNumber) return numberText(numberRulesOf(schema));
  throw new Error(`${flag} has no text reader`);
}

type Fields = Readonly<Record<string, z.ZodOptional<z.ZodType>>>;

/** Schemas of flags for options of a run, with the same bounds as the options. */
type FlagsOf<Options extends Fields> = {
  readonly [Name in keyof Options]: z.ZodOptional<z.ZodType<NonNullable<z.infer<Options[Name]>>>>;
};

/**
 * Returns the schemas of flags for options of a run. A flag for a number converts its text to a number and
 * has the bounds of the option. Every other flag uses the schema of its option.
 */
export function flagsFor<Options extends Fields>(options: Options): FlagsOf<Options> {
  const flags = Object.entries(options).map(([name, option]) => {
    const schema = option.unwrap();
    return [name, (schema instanceof z.ZodNumber ? numberText(numberRulesOf(schema)) : schema).optional()];
  });
  // `Object.fromEntries` loses the types of the names.
  return Object.fromEntries(flags) as FlagsOf<Options>;
}
