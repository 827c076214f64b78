import type { RunRecord } from '../journal/index.ts';
import { type Instant, parseInstant } from '../kernel/index.ts';
import { equityColumns } from '../results/analysis/index.ts';

/** Closed trades of a run in columns, in the order of their exits. Times are milliseconds since 1970. */
export interface TradesOfRun {
  readonly length: number;
  readonly symbol: readonly string[];
  readonly side: readonly ('long' | 'short')[];
  readonly quantity: Float64Array;
  readonly entryBar: Int32Array;
  readonly entryTime: Float64Array;
  readonly entryPrice: Float64Array;
  readonly exitBar: Int32Array;
  readonly exitTime: Float64Array;
  readonly exitPrice: Float64Array;
  /** Profit before commission, in the account's currency. */
  readonly grossPnl: Float64Array;
  readonly commission: Float64Array;
  /** Profit after commission, in the account's currency. */
  readonly netPnl: Float64Array;
  readonly exitReason: readonly string[];
}

/** Account of a run at the close of each bar, including the bars before the evaluation. */
export interface EquityOfRun {
  readonly length: number;
  /** Bar number on the market's clock, from 0. */
  readonly bar: Int32Array;
  /** Times of the bars in milliseconds since 1970. */
  readonly time: Float64Array;
  readonly equity: Float64Array;
  readonly cash: Float64Array;
  /** Absolute exposure divided by equity. `NaN` if the equity is zero or negative. */
  readonly exposure: Float64Array;
}

/** Fills of a run in columns, oldest first. */
export interface FillsOfRun {
  readonly length: number;
  readonly bar: Int32Array;
  /** Times of the bars in milliseconds since 1970. */
  readonly time: Float64Array;
  readonly orderId: Int32Array;
  readonly symbol: readonly string[];
  readonly side: readonly ('buy' | 'sell')[];
  readonly quantity: Float64Array;
  readonly price: Float64Array;
  readonly commission: Float64Array;
  /** Reason that the strategy gave for the order of each fill. Empty text for an order without a reason. */
  readonly reason: readonly string[];
}

/**
 * Tables of a run in columns. Each table is computed on first access. Exact amounts are rounded to float64.
 */
export interface RunTables {
  readonly trades: TradesOfRun;
  readonly equity: EquityOfRun;
  readonly fills: FillsOfRun;
}

/**
 * Returns the tables of a run.
 *
 * @param recordOf returns the record (all events) of the run
 */
export function runTables(recordOf: () => RunRecord): RunTables {
  let [trades, equity, fills]: [TradesOfRun?, EquityOfRun?, FillsOfRun?] = [];
  return {
    get trades() {
      trades ??= tradesOf(recordOf());
      return trades;
    },
    get equity() {
      equity ??= equityOf(recordOf());
      return equity;
    },
    get fills() {
      fills ??= fillsOf(recordOf());
      return fills;
    },
  };
}

function tradesOf({ trades }: RunRecord): TradesOfRun {
  return {
    length: trades.length,
    symbol: trades.map(({ symbol }) => symbol),
    side: trades.map(({ side }) => side),
    quantity: Float64Array.from(trades, ({ quantity }) => Number(quantity)),
    entryBar: Int32Array.from(trades, ({ entryBar }) => entryBar),
    entryTime: Float64Array.from(trades, ({ entryTime }) => instantOf(entryTime)),
    entryPrice: Float64Array.from(trades, ({ entryPrice }) => Number(entryPrice)),
    exitBar: Int32Array.from(trades, ({ bar }) => bar),
    exitTime: Float64Array.from(trades, ({ exitTime }) => instantOf(exitTime)),
    exitPrice: Float64Array.from(trades, ({ exitPrice }) => Number(exitPrice)),
    grossPnl: Float64Array.from(trades, ({ grossPnl }) => Number(grossPnl)),
    commission: Float64Array.from(trades, ({ commission }) => Number(commission)),
    netPnl: Float64Array.from(trades, ({ netPnl }) => Number(netPnl)),
    exitReason: trades.map(({ exitReason }) => exitReason),
  };
}

function equityOf(record: RunRecord): EquityOfRun {
  const { bars } = record;
  // `equityColumns` returns arrays that the metrics also use. They are copied here, because a caller may
  // change the returned columns.
  const { times, equity } = equityColumns(record);
  return {
    length: bars.length,
    bar: Int32Array.from(bars, ({ bar }) => bar),
    time: times.slice(),
    equity: equity.slice(),
    cash: Float64Array.from(bars, ({ cash }) => Number(cash)),
    exposure: Float64Array.from(bars, ({ exposure }) => exposure ?? Number.NaN),
  };
}

function fillsOf(record: RunRecord): FillsOfRun {
  const { fills, bars } = record;
  const { times } = equityColumns(record);
  const first = bars[0]?.bar ?? 0;
  return {
    length: fills.length,
    bar: Int32Array.from(fills, ({ bar }) => bar),
    time: Float64Array.from(fills, ({ bar }) => times[bar - first] ?? Number.NaN),
    orderId: Int32Array.from(fills, ({ orderId }) => orderId),
    symbol: fills.map(({ symbol }) => symbol),
    side: fills.map(({ side }) => side),
    quantity: Float64Array.from(fills, ({ quantity }) => Number(quantity)),
    price: Float64Array.from(fills, ({ price }) => Number(price)),
    commission: Float64Array.from(fills, ({ commission }) => Number(commission)),
    reason: fills.map(({ reason = '' }) => reason),
  };
}

function instantOf(text: string): Instant {
  return parseInstant(text) ?? Number.NaN;
}
