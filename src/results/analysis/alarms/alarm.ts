import { z } from 'zod';

/** Kinds of alarms, in the order in which they are listed. docs/alarms.md describes each of them. */
export const ALARM_KINDS = [
  'held_out',
  'negative_equity',
  'liquidations',
  'failed_decisions',
  'failed_calls',
  'no_orders',
  'no_fills',
  'invalid_orders',
  'refusals',
  'unreachable_exits',
  'drawdown_halt',
  'daily_loss_stops',
  'no_costs',
  'large_fills',
] as const;

/** Problem that makes the figures of a run misleading. Alarms are shown before all figures. */
export const alarmSchema = z.strictObject({
  kind: z.enum(ALARM_KINDS),
  /** Number of occurrences, for example of rejected orders. `problem` states what is counted. */
  count: z.number().int().min(1),
  /** One sentence that states the problem with its numbers. */
  problem: z.string(),
  meaning: z.string(),
  nextStep: z.string(),
});
export type Alarm = z.infer<typeof alarmSchema>;

/** Short name of each kind, for lists of several runs. */
const TITLES: Readonly<Record<Alarm['kind'], string>> = {
  held_out: 'Held-out bars seen before',
  negative_equity: 'Equity at zero or below',
  liquidations: 'Liquidated positions',
  failed_decisions: 'Failed decisions',
  failed_calls: 'Failed tool calls',
  no_orders: 'No orders',
  no_fills: 'No fills',
  invalid_orders: 'Orders with invalid values',
  refusals: 'Most orders refused',
  unreachable_exits: 'Exits that the market cannot reach',
  drawdown_halt: 'Drawdown limit reached',
  daily_loss_stops: 'Daily loss limit reached',
  no_costs: 'No commission and no slippage',
  large_fills: 'Fills above 10 % of the volume',
};

/** Alarms of one kind in several runs: trials of a sweep, or runs of a study. */
export const alarmGroupSchema = z.strictObject({
  kind: z.enum(ALARM_KINDS),
  /** Number of runs that have the alarm. */
  runs: z.number().int().min(1),
  /** Recommended action, taken from the first run that has the alarm. */
  nextStep: z.string(),
});
export type AlarmGroup = z.infer<typeof alarmGroupSchema>;

/**
 * Kind and next step of an alarm. A sweep or a study stores only these two fields for each alarm of a run.
 */
export const storedAlarmSchema = z.strictObject({ kind: z.enum(ALARM_KINDS), nextStep: z.string() });
export type StoredAlarm = z.infer<typeof storedAlarmSchema>;

/** Returns the first alarm of each kind of one run, in the format of stored alarms. */
export function storedAlarms(alarms: readonly Alarm[]): StoredAlarm[] {
  const first = new Map<string, StoredAlarm>();
  for (const { kind, nextStep } of alarms) if (!first.has(kind)) first.set(kind, { kind, nextStep });
  return [...first.values()];
}

/** Groups the stored alarms of several runs by kind, in the order of `ALARM_KINDS`. */
export function groupAlarms(runs: Iterable<readonly StoredAlarm[] | undefined>): AlarmGroup[] {
  const groups = new Map<string, AlarmGroup>();
  for (const alarms of runs)
    for (const { kind, nextStep } of alarms ?? []) {
      const known = groups.get(kind);
      groups.set(kind, { kind, nextStep: known?.nextStep ?? nextStep, runs: (known?.runs ?? 0) + 1 });
    }
  return [...groups.values()].sort(
    (one, other) => ALARM_KINDS.indexOf(one.kind) - ALARM_KINDS.indexOf(other.kind),
  );
}

/**
 * Returns one line per group: title of the alarm, number of affected runs, number of all runs, and next step.
 *
 * @param noun singular of the counted runs, for example `trial`
 */
export function alarmGroupLines(groups: readonly AlarmGroup[], of: number, noun: string): string[] {
  return groups.map(
    ({ kind, runs, nextStep }) =>
      `${TITLES[kind]} in ${runs.toLocaleString('en-US')} of ${counted(of, noun)}. ${nextStep}`,
  );
}

/**
 * Kinds of alarms about assumptions of the simulation. The default settings cause these alarms, so `--quiet`
 * does not print them. The report and `summary.json` always contain these alarms.
 */
const ASSUMPTIONS: ReadonlySet<Alarm['kind']> = new Set(['no_costs', 'large_fills']);

/** Returns the alarms that are printed with the option `--quiet`: all except the kinds in `ASSUMPTIONS`. */
export function alarmsForQuiet<Any extends { readonly kind: Alarm['kind'] }>(alarms: readonly Any[]): Any[] {
  return alarms.filter(({ kind }) => !ASSUMPTIONS.has(kind));
}

/** Returns the problem, the meaning and the next step of an alarm as one text. */
export function alarmText({ problem, meaning, nextStep }: Alarm): string {
  return [problem, meaning, nextStep].join(' ');
}

/** Formats a count with its noun: `1 order`, `2,000 orders`. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? noun : plural}`;
}
