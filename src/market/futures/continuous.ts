import { DAY, decimal, type Fault, faultsError, formatInstant, type Instant } from '../../kernel/index.ts';
import { type BarSeries, PRICE_COLUMNS, seriesFrom } from '../bar-series.ts';
import { roundedPrice } from '../column.ts';
import type { Roll } from '../corporate-action.ts';
import type { Expiry } from './expiries.ts';

/** When the next contract takes the place of the one in front. */
export type RollRule =
  /** With the bar after the first on which it traded more; at the latest with that of the last day of trading. */
  | { readonly kind: 'volume' }
  /** So many calendar days before the last day of trading. */
  | { readonly kind: 'days'; readonly days: number }
  /** From the roll date of the expiries on. */
  | { readonly kind: 'dates' };

/** What is done to the bars before a roll: shifted by its gap, multiplied by its ratio, or left as they were traded. */
export const ROLL_ADJUSTMENTS = ['back', 'ratio', 'none'] as const;
type RollAdjustment = (typeof ROLL_ADJUSTMENTS)[number];

/** How dated contracts are joined. */
export interface ContinuousOptions {
  /** The symbol of the series. */
  readonly symbol: string;
  readonly expiries: readonly Expiry[];
  readonly roll: RollRule;
  readonly adjust: RollAdjustment;
}

/** Dated contracts as one series. */
export interface ContinuousSeries {
  readonly series: BarSeries;
  /** Oldest first. */
  readonly rolls: readonly Roll[];
}

const HINT =
  'Give the bars of every contract up to its last day of trading, and a row of --expiries for each of them.';

/** Reads `volume`, `days:5` or `dates`; undefined for another text. */
export function readRollRule(text: string): RollRule | undefined {
  const rule = text.trim().toLowerCase();
  if (rule === 'volume' || rule === 'dates') return { kind: rule };
  const days = /^days:(\d{1,3})$/.exec(rule)?.[1];
  return days === undefined ? undefined : { kind: 'days', days: Number(days) };
}

/**
 * One series of dated contracts: at each time the bars of one of them, in the order in which they expire.
 *
 * A roll happens at the open of a bar that both contracts have, at both opens, and is decided by what was known before:
 * dates that stand in the contract, or the volumes of an earlier bar.
 *
 * @throws AppError `bad_contracts` with every fault: a contract without expiry or with bars after it, one that never
 *   meets the next, prices that an adjustment would bring to zero
 */
export function continuousSeries(
  contracts: readonly BarSeries[],
  { symbol, expiries, roll, adjust }: ContinuousOptions,
): ContinuousSeries {
  const chain = chainOf(contracts, expiries, roll);
  const walk = new Walk(symbol, roll);
  chain.forEach((link, position) => {
    walk.follow(link, chain[position + 1]);
  });
  if (walk.faults.length > 0) throw failed(walk.faults);
  const joined = seriesFrom(
    symbol,
    [walk.time, ...walk.columns].map((column) => Float64Array.from(column)),
    [],
  );
  const interval = contracts[0]?.interval;
  const series = adjusted(interval === undefined ? joined : { ...joined, interval }, walk.rolls, adjust);
  return { series, rolls: walk.rolls };
}

/** A contract in its place. */
interface Link extends Expiry {
  readonly series: BarSeries;
}

function chainOf(contracts: readonly BarSeries[], expiries: readonly Expiry[], roll: RollRule): Link[] {
  const faults: Fault[] = [];
  const add = (where: string, message: string): void => void faults.push({ where, message });
  if (contracts.length < 2) add('contracts', `there is ${contracts.length} of them: name two or more`);
  const links = contracts.flatMap((series): Link[] => {
    const terms = expiries.find(({ contract }) => contract === series.symbol.toUpperCase());
    if (terms === undefined) {
      add(series.symbol, 'has no expiry');
      return [];
    }
    return [{ ...terms, contract: series.symbol, series }];
  });
  links.sort((a, b) => a.expiry - b.expiry);
  links.forEach((link, position) => {
    const { contract, expiry, series } = link;
    const late = series.time.find((time) => time >= dayOf(expiry) + DAY);
    if (late !== undefined)
      add(contract, `has a bar of ${formatInstant(late)}, after it expired on ${formatInstant(expiry)}`);
    if (links[position - 1]?.expiry === expiry)
      add(contract, `expires on the same day as ${links[position - 1]!.contract}`);
    const isLast = position === links.length - 1;
    if (roll.kind === 'dates' && link.roll === undefined && !isLast) add(contract, 'has no roll date');
    if (roll.kind === 'dates' && link.roll !== undefined && link.roll >= dayOf(expiry) + DAY)
      add(contract, `has its roll date ${formatInstant(link.roll)} after its expiry`);
  });
  if (faults.length > 0) throw failed(faults);
  return links;
}

/** Goes along the bars of one contract after another. */
class Walk {
  readonly time: number[] = [];
  /** In the order of `PRICE_COLUMNS`. */
  readonly columns: readonly number[][] = PRICE_COLUMNS.map(() => []);
  readonly rolls: Roll[] = [];
  readonly faults: Fault[] = [];
  readonly #symbol: string;
  readonly #rule: RollRule;
  /** From which on bars are taken: that of the last roll. */
  #from: Instant = Number.NEGATIVE_INFINITY;

  constructor(symbol: string, rule: RollRule) {
    this.#symbol = symbol;
    this.#rule = rule;
  }

  /** Takes the bars of a contract up to the bar with which the next one takes its place. */
  follow(link: Link, next: Link | undefined): void {
    const { series } = link;
    const at =
      next === undefined ? undefined : new Map(Array.from(next.series.time, (time, bar) => [time, bar]));
    let isDecided = false;
    for (let bar = 0; bar < series.time.length; bar++) {
      const time = series.time[bar]!;
      if (time < this.#from) continue;
      const other = at?.get(time);
      if (next !== undefined && other !== undefined && (isDecided || this.#isDue(link, time))) {
        this.#roll(link, series.open[bar]!, next, next.series.open[other]!, time);
        return;
      }
      this.time.push(time);
      for (const [column, name] of PRICE_COLUMNS.entries()) this.columns[column]!.push(series[name][bar]!);
      // Only now is the bar over, and its volume known.
      if (this.#rule.kind === 'volume' && other !== undefined)
        isDecided ||= next!.series.volume[other]! > series.volume[bar]!;
    }
    if (next !== undefined)
      this.faults.push({
        where: link.contract,
        message: `is to be rolled into ${next.contract}, and they share no bar at which that can be done`,
      });
  }

  #isDue({ expiry, roll }: Link, time: Instant): boolean {
    if (this.#rule.kind === 'dates') return time >= roll!;
    return time >= dayOf(expiry) - (this.#rule.kind === 'days' ? this.#rule.days : 0) * DAY;
  }

  #roll(from: Link, oldPrice: number, to: Link, newPrice: number, time: Instant): void {
    this.#from = time;
    this.rolls.push({
      symbol: this.#symbol,
      time,
      kind: 'roll',
      oldContract: from.contract,
      newContract: to.contract,
      oldPrice: decimal(oldPrice).toString(),
      newPrice: decimal(newPrice).toString(),
    });
  }
}

/** Bars before each roll on the basis of the newest contract; twelve digits, as prices are kept everywhere. */
function adjusted(series: BarSeries, rolls: readonly Roll[], adjust: RollAdjustment): BarSeries {
  if (adjust === 'none' || rolls.length === 0) return series;
  const { time } = series;
  const prices = [series.open, series.high, series.low, series.close].map((column) => column.slice());
  let next = rolls.length - 1;
  let [gap, ratio] = [decimal(0), decimal(1)];
  for (let bar = time.length - 1; bar >= 0; bar--) {
    for (; next >= 0 && time[bar]! < rolls[next]!.time; next--) {
      const { oldPrice, newPrice } = rolls[next]!;
      gap = gap.plus(newPrice).minus(oldPrice);
      ratio = ratio.times(newPrice).dividedBy(oldPrice);
    }
    for (const column of prices)
      column[bar] = roundedPrice(
        adjust === 'back' ? column[bar]! + Number(gap) : column[bar]! * Number(ratio),
      );
  }
  const [open, high, low, close] = prices as [Float64Array, Float64Array, Float64Array, Float64Array];
  const sunk = low.findLastIndex((price) => !(price > 0));
  if (sunk < 0) return { ...series, open, high, low, close };
  throw failed([
    {
      where: `${series.symbol} ${formatInstant(time[sunk]!)}`,
      message: `would be at ${low[sunk]} after all later gaps`,
      hint: 'adjust by ratio, or not at all',
    },
  ]);
}

function dayOf(instant: Instant): Instant {
  return Math.floor(instant / DAY) * DAY;
}

function failed(faults: readonly Fault[]): Error {
  return faultsError('bad_contracts', 'The contracts make no continuous series', faults, HINT);
}
