import { amountsOfBars, equityNumberOf, isJsonObject, NO_EXPOSURE } from '../../../engine/index.ts';
import type { RunRecord } from '../../../journal/index.ts';
import { grouped } from '../../../kernel/index.ts';
import { reportSettings } from '../figures/equity.ts';
import { type Undefined, undefinedBecause } from '../figures/figures.ts';
import { type CapacityFound, capacityOfShares } from '../series/capacity.ts';
import { ALARM_KINDS, type Alarm, counted } from './alarm.ts';
import {
  everyVolumeIs,
  failedCalls,
  failedDecisions,
  hasParticipation,
  orderAlarms,
  unreachableExits,
} from './order-alarms.ts';

/**
 * Largest realistic fill, as a fraction of its bar's volume. Larger fills cause an alarm, except in runs that
 * limit fills with `--participation`.
 */
const LARGE_FILL = 0.1;
/** Rounding error of a sum of shares that is tolerated. */
const ROUNDING = 1e-12;

/** Returns alarms about assumptions of the simulation that a real market does not meet. */
function realismAlarms(record: RunRecord): Alarm[] {
  if (record.fills.length === 0) return [];
  return [...noCosts(record), ...largeFills(record)];
}

function noCosts({ fills, started }: RunRecord): Alarm[] {
  const { commissionRate, commission, slippageBps, slippage } = isJsonObject(started.settings)
    ? started.settings
    : {};
  const isSet = [commissionRate, slippageBps].some((rate) => typeof rate === 'number' && rate !== 0);
  if (isSet || commission !== undefined || slippage !== undefined) return [];
  // Costs can also be defined for single instruments or by custom cost models, so each fill is checked.
  const isFree = fills.every(
    (fill) => Number(fill.commission) === 0 && Number(fill.price) === Number(fill.priceBeforeSlippage),
  );
  if (!isFree) return [];
  return [
    {
      kind: 'no_costs',
      count: fills.length,
      problem: `No commission and no slippage: ${counted(fills.length, 'fill')} cost nothing.`,
      meaning: 'Real trading costs money, so the result is too good.',
      nextStep: 'Set the costs of your market, for example `--commission 0.0005 --slippage-bps 5`.',
    },
  ];
}

function largeFills(record: RunRecord): Alarm[] {
  if (hasParticipation(record)) return [];
  // An order can be divided into many small orders. All fills of a symbol in one bar are therefore added.
  const totals = new Map<string, number>();
  const fills = sharesOf(record).map(({ bar, symbol, share }) => ({ key: `${bar} ${symbol}`, share }));
  for (const { key, share } of fills) totals.set(key, (totals.get(key) ?? 0) + share);
  const large = fills.map(({ key }) => totals.get(key)!).filter((total) => total > LARGE_FILL + ROUNDING);
  // Data without a volume column are read with the volume 1.
  if (large.length === 0 || everyVolumeIs(record, 1)) return [];
  const largest = large.reduce((most, share) => Math.max(most, share));
  return [
    {
      kind: 'large_fills',
      count: large.length,
      problem: `${large.length.toLocaleString('en-US')} of ${counted(record.fills.length, 'fill')} ${large.length === 1 ? 'was in a bar' : 'were in bars'} in which fills took more than ${LARGE_FILL * 100} % of the volume. The largest share was ${grouped(largest * 100, 0)} %.`,
      meaning: 'A real market could not fill these orders at these prices.',
      nextStep: 'Limit fills to a share of the volume with `--participation 0.1`, or trade less.',
    },
  ];
}

/**
 * Bars that a sweep held out, that is, reserved for a final test, and that a run used. A result on these bars
 * is out of sample only for the first run that uses them.
 */
export interface HeldOut {
  /** Date of the first held-out bar. */
  readonly from: string;
  /**
   * Number of earlier evaluations that used these bars. Counted in the ledger, which lists all evaluations of
   * a research project.
   */
  readonly earlierLooks: number;
  /** Name of the research project. Omitted for the default project of the strategy. */
  readonly project?: string;
}

/** Returns all alarms of a run. */
export function alarmsOf(record: RunRecord, heldOut?: HeldOut): Alarm[] {
  return [
    ...heldOutAlarms(heldOut),
    ...negativeEquity(record),
    ...liquidations(record),
    ...failedDecisions(record),
    ...failedCalls(record),
    ...orderAlarms(record),
    ...unreachableExits(record),
    ...halts(record),
    ...realismAlarms(record),
  ].sort((one, other) => ALARM_KINDS.indexOf(one.kind) - ALARM_KINDS.indexOf(other.kind));
}

/** Counts the positions that the broker liquidated because equity was below the maintenance margin. */
export function liquidationsOf({ orders, fills }: RunRecord): number {
  const forced = new Set(orders.filter(({ role }) => role === 'liquidation').map(({ orderId }) => orderId));
  // Several fills can belong to one liquidation.
  return new Set(fills.map(({ orderId }) => orderId).filter((orderId) => forced.has(orderId))).size;
}

/**
 * Returns the alarm for a run on held-out bars that an earlier run had already used. The first run on
 * held-out bars has no alarm.
 */
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
  const date = drawdown && bars.find(({ bar }) => bar === drawdown.bar)?.date;
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
  // Bars whose equity is not positive have the exposure `NO_EXPOSURE`. Without such a bar, the slow loop
  // below is skipped.
  if (amountsOfBars(bars)?.exposures.includes(NO_EXPOSURE) === false) return [];
  let [first, below]: [(typeof bars)[number] | undefined, number] = [undefined, 0];
  for (const bar of bars) {
    if (equityNumberOf(bar) > 0) continue;
    first ??= bar;
    below += 1;
  }
  // An insolvent run ends at its first bar with equity at or below zero. The verdict already reports this
  // single bar, so there is no alarm.
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

/**
 * Returns the account sizes up to which the fills of a run stay within certain shares of their bars' volume.
 */
export function capacityOf(record: RunRecord): CapacityFound | Undefined {
  if (record.fills.length === 0) return undefinedBecause('nothing was traded');
  const shares = volumeShares(record).map(({ share }) => share);
  if (shares.length === 0) return undefinedBecause('the data have no volume');
  return capacityOfShares(shares, reportSettings(record).cash.toNumber());
}

/**
 * Returns the quantity of each fill divided by the volume of its bar. Fills on bars without a volume are
 * omitted.
 */
export function volumeShares(record: RunRecord): { bar: number; share: number }[] {
  return sharesOf(record).map(({ bar, share }) => ({ bar, share }));
}

function sharesOf({ fills, bars, started }: RunRecord): { bar: number; symbol: string; share: number }[] {
  const first = bars[0]?.bar ?? 0;
  const places = new Map(started.symbols.map((symbol, place) => [symbol, place]));
  const shares: { bar: number; symbol: string; share: number }[] = [];
  for (const { bar, symbol, quantity } of fills) {
    const volume = bars[bar - first]?.prices?.[places.get(symbol) ?? -1]?.[4] ?? 0;
    if (volume > 0) shares.push({ bar, symbol, share: Number(quantity) / volume });
  }
  return shares;
}
