import { z } from 'zod';
import { brokerSettingsSchema, maintenanceMarginOf } from '../broker/index.ts';
import { type Fault, faultsError, parseInstant } from '../kernel/index.ts';
import { sessionSchema } from '../market/index.ts';
import { FIRST_DECISION } from './evaluation.ts';
import { settingsFaults } from './settings-faults.ts';

/** Money as users write it. Stored as a decimal string. */
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
    .describe(
      'go on where the account owes more than it owns, which puts a warning on the run; otherwise that ends it',
    ),
  barTimes: z
    .enum(['start', 'end'])
    .default('start')
    .describe("what a bar's time means: the start of its interval, or the end (default start)"),
  session: sessionSchema
    .optional()
    .describe(
      'the sessions that bars belong to, for DAY orders, daily limits and figures (default days of UTC)',
    ),
  adjust: z
    .enum(['point-in-time'])
    .optional()
    .describe(
      'what is shown of history: "point-in-time" puts it on the basis of today at each split and dividend of the actions, and never before; fills and the account stay as they are',
    ),
  evaluateFrom: z
    .string()
    .refine(
      (text) => text === FIRST_DECISION || parseInstant(text) !== undefined,
      'must be a date such as 2020-01-15 or 2020-01-15T09:30',
    )
    .optional()
    .describe('the first date that counts; what comes before is history (default all, after a warm-up)'),
  seed: z
    .number()
    .int()
    .min(0)
    .max(2 ** 32 - 1)
    .default(0)
    .describe('seeds every random number (default 0)'),
  lookback: z
    .number()
    .int()
    .min(1)
    .nullable()
    .default(null)
    .describe('bars the strategy can look back on (default all)'),
  decisionTimeout: z
    .number()
    .positive()
    .max(86_400)
    .optional()
    .describe(
      'seconds of one decision, after which the run fails (default 60 for rules, no limit for models)',
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
  const faults = settingsFaults(runSettingsSchema, given);
  if (faults.length === 0) {
    const settings = runSettingsSchema.parse(given);
    return { ...settings, maintenanceMargin: maintenanceMarginOf(settings) };
  }
  throw faultsError('bad_settings', subject, faults, 'Fix these settings.');
}

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

/** A rate in one layer is replaced by a model in a later layer, and vice versa. */
function withoutReplaced(below: RunSettingsInput, above: RunSettingsInput): RunSettingsInput {
  const replaced = new Set<string>();
  for (const pair of [
    ['commission', 'commissionRate'],
    ['slippage', 'slippageBps'],
  ] as const)
    if (pair.some((name) => above[name] !== undefined)) for (const name of pair) replaced.add(name);
  return Object.fromEntries(Object.entries(below).filter(([name]) => !replaced.has(name)));
}
