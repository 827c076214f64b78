import { z } from 'zod';

/** Kinds of alarms, in the order in which they are listed. docs/alarms.md describes each of them. */
export const ALARM_KINDS = [
  'held_out',
  'negative_equity',
  'liquidations',
  'failed_calls',
  'no_orders',
  'invalid_orders',
  'refusals',
  'drawdown_halt',
  'daily_loss_stops',
  'no_costs',
  'large_fills',
] as const;

/** Reason why the figures of a run must not be read as they are. Alarms are shown before all figures. */
export const alarmSchema = z.strictObject({
  kind: z.enum(ALARM_KINDS),
  /** Number of occurrences, in the unit of `problem`. */
  count: z.number().int().min(1),
  /** One sentence with the numbers. */
  problem: z.string(),
  meaning: z.string(),
  nextStep: z.string(),
});
export type Alarm = z.infer<typeof alarmSchema>;

/** Returns an alarm with all of its parts as one text. */
export function alarmText({ problem, meaning, nextStep }: Alarm): string {
  return [problem, meaning, nextStep].join(' ');
}

/** `1 order`, `2,000 orders`. */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;
}
