import type { EquityColumns } from '../../analysis/index.ts';
import { drawdownCurve, groupBy, unitsBetween } from '../../analysis/index.ts';
import type { BarEvent } from '../../engine/index.ts';
import type { EventOf, RunRecord } from '../../journal/index.ts';

/** Points a chart can hold and stay fluid; a longer run is drawn with several bars to a point. */
const MOST_POINTS = 12_000;
const SIGNIFICANT_DIGITS = 9;
/** Magnitude below which a number of four decimal places has no more significant digits than that. */
const SHORT_BELOW = 10 ** (SIGNIFICANT_DIGITS - 4);

/** A number, or null where there is none. */
type Value = number | null;

/** One symbol's prices by point. */
interface PriceColumns {
  readonly open: readonly Value[];
  readonly high: readonly Value[];
  readonly low: readonly Value[];
  readonly close: readonly Value[];
  readonly volume: readonly Value[];
}

/** Equity by point: where a point is several bars, its first, highest, lowest and last. */
interface EquityPoints {
  readonly open: readonly number[];
  readonly high: readonly number[];
  readonly low: readonly number[];
  readonly close: readonly number[];
}

interface ChartFill {
  /** Index of the point it is drawn on. */
  readonly point: number;
  readonly symbol: number;
  readonly side: 'buy' | 'sell';
  readonly price: number;
  readonly quantity: string;
  readonly reason: string;
  readonly ambiguous: boolean;
  readonly bar: number;
  /** The bar at whose close its order was placed; null where the journal does not tell. */
  readonly placed: number | null;
}

/** A stop loss, take profit or resting order's price while it was in force. */
interface ChartLevel {
  readonly symbol: number;
  readonly from: number;
  readonly to: number;
  readonly price: number;
  readonly kind: 'stop' | 'target' | 'limit';
}

/** A closed or open trade, from entry to exit. */
interface ChartTrade {
  readonly id: number;
  readonly symbol: number;
  readonly from: number;
  readonly to: number;
  readonly entry: number;
  readonly exit: number;
  readonly won: boolean;
}

/** What the page's charts are drawn from. */
export interface ChartData {
  readonly symbols: readonly string[];
  /** Seconds since 1970, one a point. */
  readonly times: readonly number[];
  readonly barsPerPoint: number;
  /** By symbol; empty where the journal has no prices. */
  readonly prices: readonly PriceColumns[];
  readonly equity: EquityPoints;
  /** The deepest of each point. */
  readonly drawdown: readonly number[];
  readonly benchmark: readonly Value[] | null;
  /** The benchmark's, the deepest of each point. */
  readonly benchmarkDrawdown: readonly Value[] | null;
  readonly fills: readonly ChartFill[];
  readonly levels: readonly ChartLevel[];
  readonly trades: readonly ChartTrade[];
}

/**
 * Gathers what the charts need, with several bars to a point where there are too many.
 *
 * A point of several bars keeps their extremes: first open, highest high, lowest low, last close; lowest drawdown.
 */
export function chartData(
  record: RunRecord,
  columns: EquityColumns,
  benchmark: Float64Array | undefined,
): ChartData {
  const bars = record.bars.length;
  const barsPerPoint = Math.max(1, Math.ceil(bars / MOST_POINTS));
  const starts = Array.from({ length: Math.ceil(bars / barsPerPoint) }, (_, point) => point * barsPerPoint);
  const pointOf = (bar: number): number => Math.floor(bar / barsPerPoint);
  const { symbols } = record.started;
  const placed = new Map(record.orders.map(({ orderId, bar }) => [orderId, bar]));
  const spans = starts.map((start) => [start, Math.min(start + barsPerPoint, bars)] as const);
  return {
    symbols,
    times: ascending(starts.map((start) => Math.floor(columns.times[start]! / 1000))),
    barsPerPoint,
    prices:
      record.bars[0]?.prices === undefined
        ? []
        : symbols.map((_, symbol) => pricesOf(record.bars, symbol, spans)),
    equity: equityPoints(columns.equity, spans),
    drawdown: lowestOf(drawdownCurve(columns), spans),
    benchmark: benchmark === undefined ? null : spans.map(([, end]) => known(short(benchmark[end - 1]!))),
    benchmarkDrawdown:
      benchmark === undefined
        ? null
        : lowestOf(drawdownCurve({ ...columns, equity: benchmark }), spans).map(known),
    fills: record.fills.map((fill) => fillOf(fill, symbols, pointOf, placed.get(fill.orderId))),
    levels: levelsOf(record, pointOf),
    trades: tradesOf(record, pointOf),
  };
}

type Span = readonly [start: number, end: number];

function pricesOf(bars: readonly BarEvent[], symbol: number, spans: readonly Span[]): PriceColumns {
  const columns: { [Name in keyof PriceColumns]: Value[] } = {
    open: [],
    high: [],
    low: [],
    close: [],
    volume: [],
  };
  for (const [start, end] of spans) {
    let first: readonly number[] | undefined;
    let [high, low, close, volume] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, 0, 0];
    for (let bar = start; bar < end; bar++) {
      const values = bars[bar]!.prices?.[symbol];
      if (values === undefined || values === null) continue;
      first ??= values;
      if (values[1] > high) high = values[1];
      if (values[2] < low) low = values[2];
      close = values[3];
      volume += values[4];
    }
    const point = first === undefined ? null : { open: first[0]!, high, low, close, volume };
    for (const name of NAMES) columns[name].push(point === null ? null : short(point[name]));
  }
  return columns;
}

const NAMES = ['open', 'high', 'low', 'close', 'volume'] as const;

function equityPoints(equity: Float64Array, spans: readonly Span[]): EquityPoints {
  const points = spans.map(([start, end]) => equity.subarray(start, end));
  return {
    open: points.map((point) => short(point[0]!)),
    high: points.map((point) => short(point.reduce((a, b) => Math.max(a, b)))),
    low: lowestOf(equity, spans),
    close: points.map((point) => short(point.at(-1)!)),
  };
}

function lowestOf(curve: Float64Array, spans: readonly Span[]): number[] {
  return spans.map(([start, end]) => short(curve.subarray(start, end).reduce((a, b) => Math.min(a, b))));
}

function fillOf(
  fill: EventOf<'order_filled'>,
  symbols: readonly string[],
  pointOf: (bar: number) => number,
  placed: number | undefined,
): ChartFill {
  return {
    point: pointOf(fill.bar),
    symbol: symbols.indexOf(fill.symbol),
    side: fill.side,
    price: short(Number(fill.price)),
    quantity: fill.quantity,
    reason: fill.reason ?? '',
    ambiguous: fill.ambiguous === true,
    bar: fill.bar,
    placed: placed ?? null,
  };
}

const LEVEL_KINDS: Readonly<Record<string, ChartLevel['kind']>> = {
  'stop-loss': 'stop',
  'take-profit': 'target',
  stop: 'stop',
  limit: 'limit',
};

/** Resting prices, from the bar they were accepted on to the bar they filled or were taken back on; a split moves them. */
function levelsOf(record: RunRecord, pointOf: (bar: number) => number): ChartLevel[] {
  const last = record.bars.length - 1;
  const ends = new Map<number, number>();
  for (const { orderId, bar } of [...record.fills, ...record.cancellations]) ends.set(orderId, bar);
  for (const { orderId, bar } of record.rejections) if (orderId !== null) ends.set(orderId, bar);
  const adjustments = groupBy(record.adjustments, ({ orderId }) => orderId);
  return record.orders.flatMap((order) => {
    const kind = LEVEL_KINDS[order.role ?? order.orderType];
    if (kind === undefined) return [];
    const symbol = record.started.symbols.indexOf(order.symbol);
    const stages = [order, ...(adjustments.get(order.orderId) ?? [])];
    return stages.flatMap((stage, index) => {
      const price = stage.stopPrice ?? stage.limitPrice;
      if (price === undefined) return [];
      const end = stages[index + 1]?.bar ?? ends.get(order.orderId) ?? last;
      return [{ symbol, from: pointOf(stage.bar), to: pointOf(end), price: short(Number(price)), kind }];
    });
  });
}

function tradesOf(record: RunRecord, pointOf: (bar: number) => number): ChartTrade[] {
  const { symbols } = record.started;
  const splits = unitsBetween(record);
  const last = record.bars.length - 1;
  // As the candle of the entry shows it: a trade's own prices are those of a unit as it was at the end.
  const entryOf = (trade: (typeof record.trades | typeof record.openTrades)[number], end: number): number =>
    short(Number(trade.entryPrice) * splits(trade.symbol, trade.entryBar, end));
  const closed = record.trades.map((trade) => ({
    id: trade.id,
    symbol: symbols.indexOf(trade.symbol),
    from: pointOf(trade.entryBar),
    to: pointOf(trade.bar),
    entry: entryOf(trade, trade.bar),
    exit: short(Number(trade.exitPrice)),
    won: Number(trade.netPnl) > 0,
  }));
  const open = record.openTrades.map((trade) => ({
    id: trade.id,
    symbol: symbols.indexOf(trade.symbol),
    from: pointOf(trade.entryBar),
    to: pointOf(last),
    entry: entryOf(trade, last),
    exit: short(Number(trade.lastPrice)),
    won: Number(trade.netPnl) > 0,
  }));
  return [...closed, ...open];
}

// A chart's times are whole seconds, and no two may be the same: bars of less than a second stand a second apart.
export function ascending(times: readonly number[]): number[] {
  const apart: number[] = [];
  for (const time of times) apart.push(Math.max(time, (apart.at(-1) ?? Number.NEGATIVE_INFINITY) + 1));
  return apart;
}

// A chart has no use for more, and the page is a third smaller.
/** A benchmark need not cover the run. */
function known(value: number): Value {
  return Number.isNaN(value) ? null : value;
}

function short(value: number): number {
  // Most prices and volumes have no more digits than that, which is seen without writing them.
  if (Math.abs(value) < SHORT_BELOW && Math.round(value * 1e4) / 1e4 === value) return value;
  if (Number.isInteger(value) && Math.abs(value) < 10 ** SIGNIFICANT_DIGITS) return value;
  return Number(value.toPrecision(SIGNIFICANT_DIGITS));
}
