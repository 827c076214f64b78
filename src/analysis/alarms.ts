import { equityNumberOf } from '../engine/index.ts';
import type { RunRecord } from '../journal/index.ts';

/** Something so weighty that it stands before every figure of a run. */
export interface Alarm {
  readonly kind:
    | 'held_out'
    | 'liquidations'
    | 'refusals'
    | 'drawdown_halt'
    | 'daily_loss_stops'
    | 'negative_equity';
  readonly count: number;
  /** A sentence, with the count in it. */
  readonly text: string;
}

/** What a run has seen of bars that a sweep set apart, to be looked at once. */
export interface HeldOut {
  /** Date of the first bar that was set apart. */
  readonly from: string;
  /** Looks at them with the same strategy, before this run. */
  readonly earlierLooks: number;
}

/** Share of all orders that were refused above which a run is no test of its strategy. */
const MOST_REFUSED = 0.5;

/** What heads a run's summary, report and line in the list: another look at a holdout, liquidations, mass refusals, halts, equity below zero. */
export function alarmsOf(record: RunRecord, heldOut?: HeldOut): Alarm[] {
  return [
    ...heldOutAlarms(heldOut),
    negativeEquity(record),
    liquidations(record),
    refusals(record),
    ...halts(record),
  ].filter((alarm) => alarm !== undefined);
}

/** Orders that the broker placed because equity was below the maintenance margin, and that filled. */
export function liquidationsOf({ orders, fills }: RunRecord): number {
  const forced = new Set(orders.filter(({ role }) => role === 'liquidation').map(({ orderId }) => orderId));
  // A position that took several fills was liquidated once.
  return new Set(fills.map(({ orderId }) => orderId).filter((orderId) => forced.has(orderId))).size;
}

/** Said of another look at bars that were to be looked at once; nothing of the first. */
export function heldOutAlarms(heldOut: HeldOut | undefined): Alarm[] {
  if (heldOut === undefined || heldOut.earlierLooks === 0) return [];
  const { from, earlierLooks } = heldOut;
  const times = earlierLooks === 1 ? 'once' : `${number(earlierLooks)} times`;
  const text = `The bars from ${from} on were held out, and had been looked at ${times} before this run: its figures are not out of sample.`;
  return [{ kind: 'held_out', count: earlierLooks, text }];
}

function liquidations(record: RunRecord): Alarm | undefined {
  const count = liquidationsOf(record);
  if (count === 0) return undefined;
  return {
    kind: 'liquidations',
    count,
    text: `${count === 1 ? 'One position was' : `${number(count)} positions were`} liquidated by the broker.`,
  };
}

function refusals({ orders, rejections }: RunRecord): Alarm | undefined {
  const placed = new Set(orders.filter(({ role }) => role === undefined).map(({ orderId }) => orderId));
  // Some are refused before they get a number, some only when they would fill.
  const own = rejections.filter(({ orderId }) => orderId === null || placed.has(orderId));
  const refused = own.length;
  const asked = placed.size + own.filter(({ orderId }) => orderId === null).length;
  if (refused <= asked * MOST_REFUSED) return undefined;
  const share = refused === asked ? 'All' : 'Most';
  const codes = new Map<string, number>();
  for (const { code } of own) codes.set(code, (codes.get(code) ?? 0) + 1);
  const [most] = [...codes].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  const why = most === undefined ? '' : `, most often for ${most[0]} (${number(most[1])} ×)`;
  return {
    kind: 'refusals',
    count: refused,
    text: `${share} orders were refused: ${number(refused)} of ${number(asked)}${why}. The figures are of what was left.`,
  };
}

function halts({ halts: all, bars }: RunRecord): (Alarm | undefined)[] {
  const drawdown = all.find(({ code }) => code === 'risk_drawdown');
  const days = all.filter(({ code }) => code === 'risk_daily_loss').length;
  const date = bars.find(({ bar }) => bar === drawdown?.bar)?.date;
  return [
    drawdown && {
      kind: 'drawdown_halt',
      count: 1,
      text: `The drawdown limit was reached on ${date ?? `bar ${drawdown.bar}`}: nothing was opened after it.`,
    },
    days === 0
      ? undefined
      : {
          kind: 'daily_loss_stops',
          count: days,
          text: `The daily loss limit was reached on ${number(days)} ${days === 1 ? 'day' : 'days'}.`,
        },
  ];
}

function negativeEquity({ bars }: RunRecord): Alarm | undefined {
  let [first, below]: [(typeof bars)[number] | undefined, number] = [undefined, 0];
  for (const bar of bars) {
    if (equityNumberOf(bar) > 0) continue;
    first ??= bar;
    below += 1;
  }
  // The verdict on a run that ended with the first of them says it already.
  if (first === undefined || below === 1) return undefined;
  return {
    kind: 'negative_equity',
    count: below,
    text: `Equity was zero or below on ${number(below)} bars, first on ${first.date}.`,
  };
}

function number(count: number): string {
  return count.toLocaleString('en-US');
}
