import { z } from 'zod';
import { brokerSettingsSchema, maintenanceMarginOf } from '../../broker/index.ts';
import { type Fault, faultsError, issueText, nearest, parseInstant, valueAt } from '../../kernel/index.ts';
import { sessionSchema } from '../../market/index.ts';
import { FIRST_DECISION } from './settings-fit.ts';

/** Amount of money as users write it: a number or a text. Stored as a decimal string. */
const moneySchema = z
  .union([z.number(), z.string()])
  .transform((value) => String(value).trim())
  .refine(
    (text) => /^\d+(\.\d+)?$/.test(text) && Number(text) > 0,
    'must be a positive amount such as 100000 or 2500.50',
  );

/** Settings of a run. */
export const runSettingsSchema = brokerSettingsSchema.extend({
  cash: moneySchema.default('100000').describe('initial cash (default 100000)'),
  allowNegativeEquity: z
    .boolean()
    .optional()
    .describe('continue with negative equity, with a warning; by default the run ends'),
  barTimes: z
    .enum(['start', 'end'])
    .default('start')
    .describe("meaning of a bar's time: start or end of its interval (default start)"),
  session: sessionSchema
    .optional()
    .describe('sessions of bars, for DAY orders, daily limits and figures (default UTC days)'),
  adjust: z
    .enum(['point-in-time'])
    .optional()
    .describe(
      'adjustment of visible history: "point-in-time" applies each split and dividend when it occurs; fills and the account are not adjusted',
    ),
  evaluateFrom: z
    .string()
    .refine(
      (text) => text === FIRST_DECISION || parseInstant(text) !== undefined,
      'must be a date such as 2020-01-15 or 2020-01-15T09:30',
    )
    .optional()
    .describe('first evaluated date; earlier bars are history (default all bars after the warm-up)'),
  seed: z
    .number()
    .int()
    .min(0)
    .max(2 ** 32 - 1)
    .default(0)
    .describe('seed of all random numbers (default 0)'),
  lookback: z
    .number()
    .int()
    .min(1)
    .nullable()
    .default(null)
    .describe('number of past bars that the strategy can read (default all)'),
  decisionTimeout: z
    .number()
    .positive()
    .max(86_400)
    .optional()
    .describe(
      'timeout of one decision in seconds; the run then fails (default 60 for rules, no limit for models)',
    ),
});

export type RunSettings = z.infer<typeof runSettingsSchema>;
/** Settings as users write them. Omitted settings have defaults; docs/cli.md lists all of them. */
export type RunSettingsInput = z.input<typeof runSettingsSchema>;

/**
 * Parses a run's settings.
 *
 * @param subject owner of the settings, for messages
 * @throws AppError `bad_settings` with every fault
 */
export function readRunSettings(given: RunSettingsInput, subject = 'The settings of the run'): RunSettings {
  // Returns settings unchanged if they were already read. Compares their text, because code can change an
  // object after it was read.
  if (alreadyRead.get(given) === JSON.stringify(given)) return given as RunSettings;
  const faults = settingsFaults(runSettingsSchema, given);
  if (faults.length === 0) {
    const settings = runSettingsSchema.parse(given);
    const read = { ...settings, maintenanceMargin: maintenanceMarginOf(settings) };
    alreadyRead.set(read, JSON.stringify(read));
    return read;
  }
  throw faultsError('bad_settings', subject, faults, 'Fix these settings.');
}

/**
 * Texts of settings that `readRunSettings` returned. A run reads its settings several times and parses them
 * only once.
 */
const alreadyRead = new WeakMap<object, string>();

/** Returns all faults of settings. Empty for valid settings. */
export function runSettingsFaults(given: unknown): Fault[] {
  return settingsFaults(runSettingsSchema, given);
}

/**
 * Merges settings; later layers take precedence. Risk limits, financing and instruments are merged by field.
 * A cost model or the rate of a currency is replaced as a whole.
 */
export function mergeSettings(...layers: readonly RunSettingsInput[]): RunSettingsInput {
  return layers.reduce<RunSettingsInput>((below, above) => {
    const given = Object.fromEntries(Object.entries(above).filter(([, value]) => value !== undefined));
    const instruments = new Map(Object.entries(below.instruments ?? {}));
    for (const [symbol, own] of Object.entries(above.instruments ?? {}))
      instruments.set(symbol, { ...instruments.get(symbol), ...own });
    return {
      ...withoutReplaced(below, given),
      ...given,
      risk: { ...below.risk, ...above.risk },
      financing: { ...below.financing, ...above.financing },
      instruments: Object.fromEntries(instruments),
      currencies: { ...below.currencies, ...above.currencies },
    };
  }, {});
}

/**
 * Removes settings of an earlier layer that a later layer replaces: a rate by a model, or a model by a rate.
 */
function withoutReplaced(below: RunSettingsInput, above: RunSettingsInput): RunSettingsInput {
  const replaced = new Set<string>();
  for (const pair of [
    ['commission', 'commissionRate'],
    ['slippage', 'slippageBps'],
  ] as const)
    if (pair.some((name) => above[name] !== undefined)) for (const name of pair) replaced.add(name);
  return Object.fromEntries(Object.entries(below).filter(([name]) => !replaced.has(name)));
}

/**
 * Returns the faults of settings with their places. An unknown key is reported with the most similar known
 * key.
 */
export function settingsFaults(schema: z.ZodType, given: unknown): Fault[] {
  const faults: Fault[] = (schema.safeParse(given).error?.issues ?? []).flatMap((issue) => {
    const where = issue.path.join('.') || 'settings';
    if (issue.code === 'unrecognized_keys') {
      const known = keysAt(schema, given, issue.path);
      return issue.keys.map((key) => {
        const meant = nearest(key, known);
        const hint = meant === undefined ? `available: ${known.join(', ')}` : `did you mean ${meant}?`;
        return { where: [...issue.path, key].join('.'), message: 'unknown setting', hint };
      });
    }
    if (issue.code === 'invalid_union' && issue.path.at(-1) === 'model') {
      const names = modelsAt(schema, issue.path.slice(0, -1));
      const model = valueAt(given, issue.path);
      const message = model === undefined ? 'is missing' : `${JSON.stringify(model)} is not a model`;
      return [{ where, message, hint: `available: ${names.join(', ')}` }];
    }
    return [{ where, message: issueText(issue, valueAt(given, issue.path)) }];
  });
  for (const [short, model] of [
    ['commissionRate', 'commission'],
    ['slippageBps', 'slippage'],
  ] as const) {
    if (valueAt(given, [short]) && valueAt(given, [model]) !== undefined)
      faults.push({ where: short, message: `${model} sets the same value. Use one of them` });
  }
  return faults;
}

type Definition = {
  readonly innerType?: z.ZodType;
  readonly valueType?: z.ZodType;
  readonly options?: readonly z.ZodType[];
  readonly shape?: Readonly<Record<string, z.ZodType>>;
  readonly values?: readonly unknown[];
};

function definitionOf(schema: z.ZodType): Definition {
  let definition = schema.def as Definition;
  // Optional and default schemas contain the actual schema.
  while (definition.innerType !== undefined) definition = definition.innerType.def as Definition;
  return definition;
}

/**
 * Returns the schema definition at a path. A key of a record leads to the schema of its values. For a union
 * of models, such as the commission models, returns the definition of the union. Empty for an unknown path.
 */
function definitionAt(schema: z.ZodType, path: readonly PropertyKey[]): Definition {
  return path.reduce<Definition>((definition, key) => {
    const next = definition.shape?.[String(key)] ?? definition.valueType;
    return next === undefined ? {} : definitionOf(next);
  }, definitionOf(schema));
}

function keysAt(schema: z.ZodType, given: unknown, path: readonly PropertyKey[]): string[] {
  const definition = definitionAt(schema, path);
  const model = valueAt(given, [...path, 'model']);
  const chosen = definition.options?.map(definitionOf).find((option) => modelOf(option) === model);
  return Object.keys((chosen ?? definition).shape ?? {});
}

function modelsAt(schema: z.ZodType, path: readonly PropertyKey[]): string[] {
  return (definitionAt(schema, path).options ?? []).map((option) => String(modelOf(definitionOf(option))));
}

function modelOf({ shape }: Definition): unknown {
  return shape?.model === undefined ? undefined : definitionOf(shape.model).values?.[0];
}

/** A JSON value. Type of the arguments and results of tools. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/**
 * `Value` if it is plain data that JSON can represent, including interfaces and optional fields. Otherwise
 * `never`.
 */
type PlainData<Value> = Value extends Json | undefined
  ? Value
  : Value extends (...given: never[]) => unknown
    ? never
    : Value extends object
      ? { readonly [Key in keyof Value]: PlainData<Value[Key]> }
      : never;

/**
 * Casts plain data to JSON. TypeScript cannot assign interfaces and optional fields to JSON.
 *
 * @param value must not have fields that are `undefined`, unless it is written with `JSON.stringify`, which
 *   omits them
 */
export function asJson<Value>(value: Value & PlainData<Value>): AsJson<Value> {
  return value as AsJson<Value>;
}

type AsJson<Value> = Value extends Json
  ? Value
  : Value extends readonly unknown[]
    ? readonly Json[]
    : Readonly<Record<string, Json>>;

/** True for a JSON object. False for a list. */
export function isJsonObject(value: Json | undefined): value is Readonly<Record<string, Json>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Parses JSON with a precise return type.
 *
 * @throws SyntaxError
 */
export function parseJson(text: string): Json {
  return JSON.parse(text);
}

/** Schema that accepts a parsed JSON value without checking it again. */
export const jsonSchema: z.ZodType<Json> = z.custom<Json>();
