import type { EventOf, RunRecord } from '../../../journal/index.ts';
import { DAY, type Decimal, decimalString, EXACT_ZERO, Exact, parseInstant } from '../../../kernel/index.ts';
import { pointValueOf } from './costs.ts';

type ClosedTrade = EventOf<'trade_closed'>;

/** Group of closed trades with a common property. */
interface TradeGroup {
  readonly name: string;
  readonly trades: number;
  /** Share of trades with net P&L above 0. */
  readonly winRate: number;
  /**
   * Total net P&L as a decimal string in the account's currency. `meanNetPnl` is the mean per trade in the
   * same format.
   */
  readonly netPnl: string;
  readonly meanNetPnl: string;
}

interface Breakdown {
  readonly title: string;
  readonly groups: readonly TradeGroup[];
}

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
/** Upper limits of holding times in days, with the names of the ranges in the report. */
const HOLDING_TIMES: readonly (readonly [number, string])[] = [
  [1, 'under a day'],
  [2, '1 day'],
  [7, '2–6 days'],
  [31, '1–4 weeks'],
  [92, '1–3 months'],
  [366, '3–12 months'],
  [Number.POSITIVE_INFINITY, 'over a year'],
];

/** Trade statistics by symbol, side, exit reason, weekday of entry and holding time, in this order. */
export function breakdownsOf(record: RunRecord): Breakdown[] {
  const { trades } = record;
  const { entryTime, heldDays } = tradeColumns(trades);
  const holding = HOLDING_TIMES.map(([, name]) => name);
  const weekdayOf = (_: ClosedTrade, place: number): string =>
    WEEKDAYS[new Date(entryTime[place]!).getUTCDay()]!;
  const holdingTimeOf = (_: ClosedTrade, place: number): string =>
    HOLDING_TIMES.find(([end]) => heldDays[place]! < end)![1];
  return [
    { title: 'Symbol', groups: groupsBy(trades, (trade) => trade.symbol) },
    { title: 'Side', groups: groupsBy(trades, (trade) => trade.side) },
    { title: 'Exit reason', groups: groupsBy(trades, (trade) => trade.exitReason) },
    { title: 'Entry on a', groups: groupsBy(trades, weekdayOf, WEEKDAYS) },
    { title: 'Held for', groups: groupsBy(trades, holdingTimeOf, holding) },
  ];
}

/**
 * Groups trades by the name that `nameOf` returns.
 *
 * @param order order of the names. Default: alphabetical
 */
function groupsBy(
  trades: readonly ClosedTrade[],
  nameOf: (trade: ClosedTrade, place: number) => string,
  order?: readonly string[],
): TradeGroup[] {
  const groups = new Map<string, number[]>();
  for (const [place, trade] of trades.entries()) {
    const name = nameOf(trade, place);
    const own = groups.get(name);
    if (own === undefined) groups.set(name, [place]);
    else own.push(place);
  }
  const rank = (name: string): number => order?.indexOf(name) ?? 0;
  const names = [...groups.keys()].sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
  return names.map((name) => groupOf(name, trades, groups.get(name)!));
}

function groupOf(name: string, trades: readonly ClosedTrade[], places: readonly number[]): TradeGroup {
  const { net } = tradeColumns(trades);
  const sum = sumAt(net, places);
  return {
    name,
    trades: places.length,
    winRate: places.filter((place) => net[place]!.isPositive()).length / places.length,
    netPnl: decimalString(sum),
    meanNetPnl: decimalString(sum.dividedBy(places.length).toDecimalPlaces(10)),
  };
}

/**
 * Closed trades in columns. The decimal strings are parsed once, because many figures use the same amounts.
 */
interface TradeColumns {
  readonly net: readonly Exact[];
  readonly gross: readonly Exact[];
  readonly commission: readonly Exact[];
  /** Quantity × entry price × multiplier of each trade, as an absolute amount in the account's currency. */
  readonly notional: readonly Exact[];
  /** Entry times in milliseconds since 1970. */
  readonly entryTime: Float64Array;
  /** Days from entry to exit. */
  readonly heldDays: Float64Array;
}

const read = new WeakMap<readonly ClosedTrade[], TradeColumns>();

/** Returns the columns of closed trades. Elements are in the order of the trades. */
export function tradeColumns(trades: readonly ClosedTrade[]): TradeColumns {
  const known = read.get(trades);
  if (known !== undefined) return known;
  const entryTime = Float64Array.from(trades, (trade) => parseInstant(trade.entryTime) ?? 0);
  const columns = {
    net: trades.map((trade) => Exact.of(trade.netPnl)),
    gross: trades.map((trade) => Exact.of(trade.grossPnl)),
    commission: trades.map((trade) => Exact.of(trade.commission)),
    notional: trades.map(notionalOf),
    entryTime,
    heldDays: entryTime.map((time, index) => ((parseInstant(trades[index]!.exitTime) ?? 0) - time) / DAY),
  };
  read.set(trades, columns);
  return columns;
}

function notionalOf({ quantity, entryPrice, entryRate, multiplier }: ClosedTrade): Exact {
  const units = pointValueOf(Exact.of(quantity), { rate: entryRate, multiplier });
  return units.times(Exact.of(entryPrice)).abs();
}

/** Returns the sum of the amounts with the given indices. */
export function sumAt(amounts: readonly Exact[], places: readonly number[]): Decimal {
  let sum = EXACT_ZERO;
  for (const place of places) sum = sum.plus(amounts[place]!);
  return sum.toDecimal();
}
