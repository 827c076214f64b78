import { equityNumberOf } from '../engine/index.ts';
import type { RunRecord } from '../journal/index.ts';
import { ALARM_KINDS, type Alarm, counted } from './alarm.ts';
import { failedCalls } from './call-alarms.ts';
import { orderAlarms } from './order-alarms.ts';
import { realismAlarms } from './realism-alarms.ts';

/** Reserved bars (`heldOut`) that a run has seen. Their evidence is valid for one look. */
export interface HeldOut {
  /** Date of the first reserved bar. */
  readonly from: string;
  /** Number of earlier looks at these bars in the same research project. */
  readonly earlierLooks: number;
  /** Name of the research project. Omitted for the default project of the strategy. */
  readonly project?: string;
}

/** Returns all alarms of a run. Terminal, report, `summary.json`, comparison and run list show this list. */
export function alarmsOf(record: RunRecord, heldOut?: HeldOut): Alarm[] {
  return [
    ...heldOutAlarms(heldOut),
    ...negativeEquity(record),
    ...liquidations(record),
    ...failedCalls(record),
    ...orderAlarms(record),
    ...halts(record),
    ...realismAlarms(record),
  ].sort((one, other) => ALARM_KINDS.indexOf(one.kind) - ALARM_KINDS.indexOf(other.kind));
}

/** Number of positions that the broker liquidated because equity was below the maintenance margin. */
export function liquidationsOf({ orders, fills }: RunRecord): number {
  const forced = new Set(orders.filter(({ role }) => role === 'liquidation').map(({ orderId }) => orderId));
  // Several fills can belong to one liquidation.
  return new Set(fills.map(({ orderId }) => orderId).filter((orderId) => forced.has(orderId))).size;
}

/** Alarm for a repeated look at reserved bars. The first look raises no alarm. */
export function heldOutAlarms(heldOut: HeldOut | undefined): Alarm[] {
  if (heldOut === undefined || heldOut.earlierLooks === 0) return [];
  const { from, earlierLooks, project } = heldOut;
  const times = earlierLooks === 1 ? 'once' : `${earlierLooks.toLocaleString('en-US')} times`;
  const where = project === undefined ? 'with this strategy' : `in the project "${project}"`;
  return [
    {
      kind: 'held_out',
      count: earlierLooks,
      problem: `The bars from ${from} on were held out. They had been looked at ${times} ${where} before this run.`,
      meaning: 'The figures are not out of sample.',
      nextStep: 'Judge the strategy on bars that have not been looked at, for example newer ones.',
    },
  ];
}

function liquidations(record: RunRecord): Alarm[] {
  const count = liquidationsOf(record);
  if (count === 0) return [];
  return [
    {
      kind: 'liquidations',
      count,
      problem: `The broker liquidated ${counted(count, 'position')}.`,
      meaning: 'Equity was below the maintenance margin.',
      nextStep: 'Trade smaller positions, or with less `--leverage`.',
    },
  ];
}

function halts({ halts: all, bars }: RunRecord): Alarm[] {
  const drawdown = all.find(({ code }) => code === 'risk_drawdown');
  const days = all.filter(({ code }) => code === 'risk_daily_loss').length;
  const date = bars.find(({ bar }) => bar === drawdown?.bar)?.date;
  const alarms: Alarm[] = [];
  if (drawdown !== undefined) {
    alarms.push({
      kind: 'drawdown_halt',
      count: 1,
      problem: `The drawdown limit was reached on ${date ?? `bar ${drawdown.bar}`}.`,
      meaning: 'No position was opened after that date.',
      nextStep: 'Trade smaller positions, or change the limit `--max-drawdown`.',
    });
  }
  if (days > 0) {
    alarms.push({
      kind: 'daily_loss_stops',
      count: days,
      problem: `The daily loss limit was reached on ${counted(days, 'day')}.`,
      meaning: 'No position was opened on the rest of these days.',
      nextStep: 'Trade smaller positions, or change the limit `--max-daily-loss`.',
    });
  }
  return alarms;
}

function negativeEquity({ bars }: RunRecord): Alarm[] {
  let [first, below]: [(typeof bars)[number] | undefined, number] = [undefined, 0];
  for (const bar of bars) {
    if (equityNumberOf(bar) > 0) continue;
    first ??= bar;
    below += 1;
  }
  // The verdict of a run that ended with its first bar at or below zero states it already.
  if (first === undefined || below === 1) return [];
  return [
    {
      kind: 'negative_equity',
      count: below,
      problem: `Equity was zero or below on ${counted(below, 'bar')}, first on ${first.date}.`,
      meaning: 'A real broker would have closed the account.',
      nextStep: 'Trade smaller positions, or leave `--allow-negative-equity` out.',
    },
  ];
}
