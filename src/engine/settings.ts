import { z } from 'zod';
import { brokerSettingsSchema } from '../broker/index.ts';
import { faultsError, issueText, valueAt } from '../kernel/index.ts';

/** Money as users write it; kept as a decimal string. */
const moneySchema = z
  .union([z.number(), z.string()])
  .transform((value) => String(value).trim())
  .refine(
    (text) => /^\d+(\.\d+)?$/.test(text) && Number(text) > 0,
    'must be a positive amount such as 100000 or 2500.50',
  );

/** What a run needs besides its market and its decider. */
export const runSettingsSchema = brokerSettingsSchema.extend({
  cash: moneySchema.default('100000'),
  /** What a bar's time means, where finer bars are given: its beginning, or its end. */
  barTimes: z.enum(['start', 'end']).default('start'),
  /** Seeds every random number a run may draw. */
  seed: z
    .number()
    .int()
    .min(0)
    .max(2 ** 32 - 1)
    .default(0),
  /** Bars a decider can look back on; null for all. */
  lookback: z.number().int().min(1).nullable().default(null),
});

export type RunSettings = z.infer<typeof runSettingsSchema>;
export type RunSettingsInput = z.input<typeof runSettingsSchema>;

/**
 * Reads a run's settings.
 *
 * @throws AppError `bad_settings` with every fault
 */
export function readRunSettings(given: RunSettingsInput): RunSettings {
  const parsed = runSettingsSchema.safeParse(given);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map((issue) => ({
    where: issue.path.join('.') || 'settings',
    message: issueText(issue, valueAt(given, issue.path)),
  }));
  throw faultsError('bad_settings', 'The settings of the run', faults, 'Mend these settings.');
}
