import { DAY, decimal, type Fault, faultsError, formatInstant, type Instant } from '../../kernel/index.ts';
import type { Roll } from '../actions/corporate-action.ts';
import { type BarSeries, PRICE_COLUMNS, seriesFrom } from '../bars/bar-columns.ts';
import { roundedPrice } from '../bars/column.ts';
import { fileSheet } from '../reading/sheet.ts';

/**
 * Expiry and roll date of a futures contract. Both are known from the contract's first day, so using them is
 * not look-ahead.
 */
export interface Expiry {
  readonly contract: string;
  /** Last trading day. */
  readonly expiry: Instant;
  /** Date at which the next contract replaces this contract, for rolls by date. */
  readonly roll?: Instant | undefined;
}

const COLUMNS = {
  contract: ['contract', 'symbol', 'ticker'],
  expiry: ['expiry', 'expires', 'expiration', 'last trading day'],
  roll: ['roll', 'roll date'],
} as const;

const EXPIRY_HINT =
  'Write lines such as ESH4,2024-03-15,2024-03-08 under the header contract,expiry,roll. expiry is the last trading day. roll, for --roll dates, is the first day of the next contract.';

/**
 * Reads the expiries of contracts from CSV, TSV, JSON, NDJSON or Parquet.
 *
 * @throws AppError `bad_expiries` with every fault, by line
 */
export async function loadExpiries(file: string, unpackedLimit?: number): Promise<readonly Expiry[]> {
  const { sheet } = await fileSheet(
    file,
    { columns: COLUMNS, needed: ['contract', 'expiry'] },
    expiriesFailed,
    {
      unpackedLimit,
    },
  );
  const [lasts, rolls] = [sheet.stamps('expiry', true), sheet.stamps('roll', false)];
  const expiries: Expiry[] = [];
  const seen = new Map<string, string>();
  for (let row = 0; row < sheet.length; row++) {
    const contract = sheet.text(row, 'contract').toUpperCase();
    if (contract === '') sheet.report(row, 'the contract is empty');
    const before = seen.get(contract);
    if (contract !== '' && before !== undefined)
      sheet.report(row, `repeats the contract ${contract} of ${before}`);
    seen.set(contract, sheet.where(row));
    const last = lasts[row];
    if (last !== undefined) expiries.push({ contract, expiry: last.instant, roll: rolls[row]?.instant });
  }
  if (sheet.faults.length === 0) return expiries;
  throw expiriesFailed(sheet.sorted());
}

function expiriesFailed(faults: readonly Fault[]): Error {
  return faultsError('bad_expiries', 'The expiries cannot be used', faults, EXPIRY_HINT);
}

/** Rule for rolling from the front contract to the next one. */
export type RollRule =
  /**
   * Rolls at the bar after the first bar on which the next contract had more volume, and at the latest on the
   * last trading day.
   */
  | { readonly kind: 'volume' }
  /** Rolls a number of calendar days before the last trading day. */
  | { readonly kind: 'days'; readonly days: number }
  /** Rolls at the roll date in the file of expiries. */
  | { readonly kind: 'dates' };

/**
 * Adjustment of the bars before a roll: shifted by the gap (`back`), multiplied by the ratio (`ratio`), or
 * unchanged (`none`).
 */
export const ROLL_ADJUSTMENTS = ['back', 'ratio', 'none'] as const;
type RollAdjustment = (typeof ROLL_ADJUSTMENTS)[number];

/** Options for joining dated contracts. */
export interface ContinuousOptions {
  /** Symbol of the resulting series. */
  readonly symbol: string;
  readonly expiries: readonly Expiry[];
  readonly roll: RollRule;
  readonly adjust: RollAdjustment;
}

/** Dated contracts as one series. */
export interface ContinuousSeries {
  readonly series: BarSeries;
  /** Rolls, oldest first. */
  readonly rolls: readonly Roll[];
}

const HINT =
  'Give the bars of every contract up to its last day of trading, and a row of --expiries for each of them.';

/** Parses `volume`, `days:5` or `dates`. `undefined` for other texts. */
export function readRollRule(text: string): RollRule | undefined {
  const rule = text.trim().toLowerCase();
  if (rule === 'volume' || rule === 'dates') return { kind: rule };
  const days = /^days:(\d{1,3})$/.exec(rule)?.[1];
  return days === undefined ? undefined : { kind: 'days', days: Number(days) };
}

/**
 * Joins dated contracts into one series. At each time the series contains the bars of one contract. Contracts
 * follow each other in the order of their expiries.
 *
 * A roll happens at the open of a bar that both contracts have, at both open prices. The decision to roll
 * uses only earlier information: dates of the contract, or volumes of an earlier bar.
 *
 * @throws AppError `bad_contracts` with every fault: a contract without expiry or with bars after its expiry,
 *   a contract that never shares a bar with the next, prices that an adjustment would reduce to 0 or less
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

/** Futures contract with its bars and its expiry. */
interface Link extends Expiry {
  readonly series: BarSeries;
}

function chainOf(contracts: readonly BarSeries[], expiries: readonly Expiry[], roll: RollRule): Link[] {
  const faults: Fault[] = [];
  const add = (where: string, message: string): void => void faults.push({ where, message });
  if (contracts.length < 2) add('contracts', `there is ${contracts.length} of them: at least 2 are needed`);
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

/**
 * Builds the continuous series: collects the bars of one contract after another, and the rolls between them.
 */
class Walk {
  readonly time: number[] = [];
  /** Columns in the order of `PRICE_COLUMNS`. */
  readonly columns: readonly number[][] = PRICE_COLUMNS.map(() => []);
  readonly rolls: Roll[] = [];
  readonly faults: Fault[] = [];
  readonly #symbol: string;
  readonly #rule: RollRule;
  /** Time from which the bars of the current contract are used: the time of the last roll. */
  #from: Instant = Number.NEGATIVE_INFINITY;

  constructor(symbol: string, rule: RollRule) {
    this.#symbol = symbol;
    this.#rule = rule;
  }

  /** Adds the bars of a contract up to the bar at which the next contract replaces it. */
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
      // The volume of a bar is known only after the bar has ended, so the roll happens at a later bar.
      if (this.#rule.kind === 'volume' && other !== undefined)
        isDecided ||= next!.series.volume[other]! > series.volume[bar]!;
    }
    if (next !== undefined)
      this.faults.push({
        where: link.contract,
        message: `is to be rolled into ${next.contract}, but no bar is shared by both contracts for the roll`,
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

/**
 * Adjusts the bars before each roll to the price level of the newest contract. Prices are rounded to twelve
 * digits, like all adjusted prices.
 */
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
  return faultsError(
    'bad_contracts',
    'The contracts cannot be joined into a continuous series',
    faults,
    HINT,
  );
}
