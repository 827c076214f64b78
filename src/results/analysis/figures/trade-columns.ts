import type { EventOf } from '../../../journal/index.ts';
import { DAY, type Decimal, EXACT_ZERO, Exact, parseInstant } from '../../../kernel/index.ts';
import { pointValueOf } from './costs.ts';

type ClosedTrade = EventOf<'trade_closed'>;

/** Closed trades in columns. The texts are parsed once, because many figures use the same amounts. */
export interface TradeColumns {
  readonly net: readonly Exact[];
  readonly gross: readonly Exact[];
  readonly commission: readonly Exact[];
  /** Value of the units at their entry in the account's currency, without sign. */
  readonly notional: readonly Exact[];
  /** Entry times in milliseconds since 1970. */
  readonly entryTime: Float64Array;
  /** Days from entry to exit. */
  readonly heldDays: Float64Array;
}

const read = new WeakMap<readonly ClosedTrade[], TradeColumns>();

/** Returns the columns of closed trades, in their order. */
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

/** Returns the sum of some of a column's amounts, given by their indices. */
export function sumAt(amounts: readonly Exact[], places: readonly number[]): Decimal {
  let sum = EXACT_ZERO;
  for (const place of places) sum = sum.plus(amounts[place]!);
  return sum.toDecimal();
}
