import type { EventOf, RunRecord } from '../journal/index.ts';
import { DAY, type Decimal, decimal, decimalString, parseInstant, ZERO } from '../kernel/index.ts';
import { groupBy } from './group-by.ts';

type ClosedTrade = EventOf<'trade_closed'>;

/** Closed trades that have something in common. */
interface TradeGroup {
  readonly name: string;
  readonly trades: number;
  /** Share of trades with net P&L above 0. */
  readonly winRate: number;
  /** Decimal strings, in the account's currency. */
  readonly netPnl: string;
  readonly meanNetPnl: string;
}

export interface Breakdown {
  readonly title: string;
  readonly groups: readonly TradeGroup[];
}

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
/** Upper ends in days, and what the report calls the span up to there. */
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
  const holding = HOLDING_TIMES.map(([, name]) => name);
  return [
    { title: 'Symbol', groups: groupsBy(record.trades, (trade) => trade.symbol) },
    { title: 'Side', groups: groupsBy(record.trades, (trade) => trade.side) },
    { title: 'Exit reason', groups: groupsBy(record.trades, (trade) => trade.exitReason) },
    { title: 'Entry on a', groups: groupsBy(record.trades, weekdayOf, WEEKDAYS) },
    { title: 'Held for', groups: groupsBy(record.trades, holdingTimeOf, holding) },
  ];
}

/** @param order of the names; by alphabet where left out */
function groupsBy(
  trades: readonly ClosedTrade[],
  nameOf: (trade: ClosedTrade) => string,
  order?: readonly string[],
): TradeGroup[] {
  const groups = groupBy(trades, nameOf);
  const place = (name: string): number => order?.indexOf(name) ?? 0;
  const names = [...groups.keys()].sort((a, b) => place(a) - place(b) || (a < b ? -1 : 1));
  return names.map((name) => groupOf(name, groups.get(name)!));
}

function groupOf(name: string, trades: readonly ClosedTrade[]): TradeGroup {
  const net = trades.map((trade) => decimal(trade.netPnl));
  const sum = net.reduce((total: Decimal, amount) => total.plus(amount), ZERO);
  return {
    name,
    trades: trades.length,
    winRate: net.filter((amount) => amount.greaterThan(ZERO)).length / trades.length,
    netPnl: decimalString(sum),
    meanNetPnl: decimalString(sum.dividedBy(trades.length).toDecimalPlaces(10)),
  };
}

function weekdayOf(trade: ClosedTrade): string {
  return WEEKDAYS[new Date(parseInstant(trade.entryTime) ?? 0).getUTCDay()]!;
}

function holdingTimeOf(trade: ClosedTrade): string {
  const days = ((parseInstant(trade.exitTime) ?? 0) - (parseInstant(trade.entryTime) ?? 0)) / DAY;
  return HOLDING_TIMES.find(([end]) => days < end)![1];
}
