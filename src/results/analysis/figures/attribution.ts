import { z } from 'zod';
import type { EventOf, RunRecord } from '../../../journal/index.ts';
import { EXACT_ZERO, Exact } from '../../../kernel/index.ts';
import { tradeColumns } from './breakdown.ts';
import { reportSettings } from './equity.ts';

const money = z.string().regex(/^-?\d+(\.\d+)?$/, 'must be an amount as a decimal string');

const partSchema = z.strictObject({
  name: z.string(),
  closedTrades: z.number().int().min(0),
  /** Profit of closed trades at their fill prices, before commission. */
  closed: money,
  /**
   * Unrealised profit of open positions at the last valuation of the run. For a month, the change of this
   * profit within the month.
   */
  open: money,
  /** Commission of all fills. Negative if paid, as are dividends and financing. */
  commission: money,
  dividends: money,
  /** Sum of borrow fees, interest and funding. */
  financing: money,
  /** Sum of the five amounts: closed, open, commission, dividends and financing. */
  total: money,
});

/**
 * Sources of a run's profit. Each list divides the profit into parts, whose totals add up exactly to the
 * profit.
 */
export const attributionSchema = z.strictObject({
  /** Final equity minus initial cash. */
  profit: money,
  bySymbol: z.array(partSchema),
  bySide: z.array(partSchema),
  byMonth: z.array(partSchema),
  byReason: z.array(partSchema),
});

export type AttributionPart = z.infer<typeof partSchema>;
export type Attribution = z.infer<typeof attributionSchema>;

/** Name of the part for interest on cash, which cannot be assigned to a symbol or a side. */
export const ACCOUNT = '(account)';
/**
 * Name of the part for positions that were open when an incomplete journal ended. Their result is unknown.
 */
export const OPEN_AT_THE_BREAK = '(open where the journal breaks off)';
/** Maximum number of exit reasons with a separate line. Models may give a different reason for each trade. */
const MOST_REASONS = 40;

/** Amounts of one part as exact numbers. */
interface Sums {
  closedTrades: number;
  closed: Exact;
  open: Exact;
  commission: Exact;
  dividends: Exact;
  financing: Exact;
}

type Parts = Map<string, Sums>;
type Entry = EventOf<'cash_entry'>;

/**
 * Splits a run's profit by symbol, side, month and exit reason. Includes open positions, financing, dividends
 * and costs.
 */
export function attributionOf(record: RunRecord): Attribution {
  const profit = profitOf(record);
  const { gross, commission } = tradeColumns(record.trades);
  const parts = (
    ofTrade: (trade: {
      readonly symbol: string;
      readonly side: string;
      readonly exitReason?: string;
    }) => string,
    ofEntry: (entry: Entry) => string,
    names: readonly string[] = [],
  ): AttributionPart[] => {
    const found: Parts = new Map(names.map((name) => [name, noSums()]));
    for (const [place, trade] of record.trades.entries()) {
      const sums = sumsOf(found, ofTrade(trade));
      sums.closedTrades += 1;
      sums.closed = sums.closed.plus(gross[place]!);
      sums.commission = sums.commission.minus(commission[place]!);
    }
    for (const trade of record.openTrades) {
      const sums = sumsOf(found, ofTrade(trade));
      sums.open = sums.open.plus(Exact.of(trade.grossPnl));
      sums.commission = sums.commission.minus(Exact.of(trade.commission));
    }
    for (const entry of record.cashEntries) addEntry(sumsOf(found, ofEntry(entry)), entry);
    const rest = profit.minus(sumOf(found.values()));
    if (!rest.isZero()) {
      const sums = sumsOf(found, OPEN_AT_THE_BREAK);
      // The commission of each fill is known even if the journal does not list the trade that the fill
      // opened.
      for (const fill of record.fills) sums.commission = sums.commission.minus(Exact.of(fill.commission));
      for (const other of found.values())
        if (other !== sums) sums.commission = sums.commission.minus(other.commission);
      sums.open = rest.minus(sums.commission);
    }
    return [...found].map(([name, sums]) => partOf(name, sums)).filter(isSomething);
  };
  return {
    profit: profit.toString(),
    bySymbol: parts(
      ({ symbol }) => symbol,
      ({ symbol }) => symbol ?? ACCOUNT,
      record.started.symbols,
    ),
    bySide: parts(({ side }) => side, sideOf, ['long', 'short']),
    byMonth: monthsOf(record).map(([name, sums]) => partOf(name, sums)),
    byReason: folded(parts(({ exitReason }) => exitReason ?? 'open at the end', entryReason)),
  };
}

function profitOf(record: RunRecord): Exact {
  const last = record.bars.at(-1);
  return last === undefined ? EXACT_ZERO : Exact.of(last.equity).minus(Exact.of(reportSettings(record).cash));
}

function sideOf({ kind, quantity }: Entry): string {
  if (kind === 'borrow_fee') return 'short';
  if ((kind !== 'dividend' && kind !== 'funding') || quantity === undefined) return ACCOUNT;
  return quantity.startsWith('-') ? 'short' : 'long';
}

const ENTRY_REASONS = {
  dividend: 'dividends',
  borrow_fee: 'borrow fees',
  interest: 'interest',
  margin_interest: 'margin interest',
  funding: 'funding',
} as const satisfies Record<Entry['kind'], string>;

function entryReason({ kind }: Entry): string {
  return ENTRY_REASONS[kind];
}

/**
 * Computes the parts by calendar month (UTC) from closed trades and cash flows. The rest of a month's change
 * in equity is the result of open positions.
 */
function monthsOf({ bars, trades, fills, cashEntries, ...record }: RunRecord): [string, Sums][] {
  const first = bars[0]?.bar ?? 0;
  const monthOf = (bar: number): string => bars[bar - first]?.date.slice(0, 7) ?? '';
  const found: Parts = new Map();
  const ends = new Map<string, string>();
  for (let place = 0; place < bars.length; place++) {
    const month = bars[place]!.date.slice(0, 7);
    // Only a month's last bar is read, because each access to `date` and `equity` creates a text.
    place = lastOfMonth(bars, place, month);
    ends.set(month, bars[place]!.equity);
  }
  for (const name of ends.keys()) found.set(name, noSums());
  const { gross } = tradeColumns(trades);
  for (const [place, { bar }] of trades.entries()) {
    const sums = sumsOf(found, monthOf(bar));
    sums.closedTrades += 1;
    sums.closed = sums.closed.plus(gross[place]!);
  }
  for (const { bar, commission } of fills) {
    const sums = sumsOf(found, monthOf(bar));
    sums.commission = sums.commission.minus(Exact.of(commission));
  }
  for (const entry of cashEntries) addEntry(sumsOf(found, monthOf(entry.bar)), entry);
  let before = Exact.of(reportSettings({ ...record, bars, trades, fills, cashEntries }).cash);
  for (const [name, end] of ends) {
    const sums = found.get(name)!;
    const after = Exact.of(end);
    sums.open = after.minus(before).minus(totalOf(sums));
    before = after;
  }
  return [...found];
}

/** Returns the index of a month's last bar, by binary search. `place` is the index of a bar of the month. */
function lastOfMonth(bars: RunRecord['bars'], place: number, month: string): number {
  let [low, high] = [place, bars.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (bars[middle]!.date.startsWith(month)) low = middle;
    else high = middle - 1;
  }
  return low;
}

function addEntry(sums: Sums, { kind, amount }: Entry): void {
  const column = kind === 'dividend' ? 'dividends' : 'financing';
  sums[column] = sums[column].plus(Exact.of(amount));
}

function noSums(): Sums {
  return {
    closedTrades: 0,
    closed: EXACT_ZERO,
    open: EXACT_ZERO,
    commission: EXACT_ZERO,
    dividends: EXACT_ZERO,
    financing: EXACT_ZERO,
  };
}

function sumsOf(parts: Parts, name: string): Sums {
  const known = parts.get(name);
  if (known !== undefined) return known;
  const sums = noSums();
  parts.set(name, sums);
  return sums;
}

function totalOf({ closed, open, commission, dividends, financing }: Sums): Exact {
  return closed.plus(open).plus(commission).plus(dividends).plus(financing);
}

function sumOf(all: Iterable<Sums>): Exact {
  let total = EXACT_ZERO;
  for (const sums of all) total = total.plus(totalOf(sums));
  return total;
}

function partOf(name: string, sums: Sums): AttributionPart {
  return {
    name,
    closedTrades: sums.closedTrades,
    closed: sums.closed.toString(),
    open: sums.open.toString(),
    commission: sums.commission.toString(),
    dividends: sums.dividends.toString(),
    financing: sums.financing.toString(),
    total: totalOf(sums).toString(),
  };
}

function isSomething({
  closedTrades,
  closed,
  open,
  commission,
  dividends,
  financing,
}: AttributionPart): boolean {
  return (
    closedTrades > 0 || [closed, open, commission, dividends, financing].some((amount) => amount !== '0')
  );
}

/**
 * Returns at most `MOST_REASONS` parts: the parts with the largest absolute totals, and one part that
 * combines all others.
 */
function folded(parts: readonly AttributionPart[]): AttributionPart[] {
  if (parts.length <= MOST_REASONS) return [...parts];
  const byWeight = [...parts].sort((a, b) => Math.abs(Number(b.total)) - Math.abs(Number(a.total)));
  const kept = new Set(byWeight.slice(0, MOST_REASONS - 1));
  const others = parts.filter((part) => !kept.has(part));
  return [...parts.filter((part) => kept.has(part)), addedUp(`${others.length} other reasons`, others)];
}

/** Combines all parts of a list. Each column is the sum over the parts. */
export function addedUp(name: string, parts: readonly AttributionPart[]): AttributionPart {
  const sums = noSums();
  for (const part of parts) {
    sums.closedTrades += part.closedTrades;
    for (const column of ['closed', 'open', 'commission', 'dividends', 'financing'] as const)
      sums[column] = sums[column].plus(Exact.of(part[column]));
  }
  return partOf(name, sums);
}
