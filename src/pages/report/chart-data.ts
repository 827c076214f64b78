import { type BarEvent, priceReader } from '../../engine/index.ts';
import type { EventOf, RunRecord } from '../../journal/index.ts';
import { drawdownCurve, type EquityColumns, groupBy, unitsBetween } from '../../results/analysis/index.ts';
import type {
  ChartData,
  ChartFill,
  ChartLevel,
  ChartTrade,
  EquityPoints,
  PriceColumns,
  Value,
} from './model/page-data.ts';

const SIGNIFICANT_DIGITS = 9;
/** Numbers below this bound with at most four decimal places have at most `SIGNIFICANT_DIGITS` digits. */
const SHORT_BELOW = 10 ** (SIGNIFICANT_DIGITS - 4);
/** Number of significant digits of curve values. The rounding error is a hundredth of a pixel. */
const DRAWN_DIGITS = 7;

/** Rounds a price, volume or quantity to nine significant digits, which are enough for the page. */
function short(value: number): number {
  // Most prices and volumes have few digits. This fast test avoids formatting them.
  if (Math.abs(value) < SHORT_BELOW && Math.round(value * 1e4) / 1e4 === value) return value;
  if (Number.isInteger(value) && Math.abs(value) < 10 ** SIGNIFICANT_DIGITS) return value;
  return Number(value.toPrecision(SIGNIFICANT_DIGITS)) + 0;
}

/**
 * Rounds a value of a curve to seven significant digits. A value of 10 million or more is rounded to an
 * integer, because the text next to the chart shows all integer digits.
 */
function drawn(value: number): number {
  if (Math.abs(value) >= 10 ** DRAWN_DIGITS) return Math.round(value) + 0;
  return Number(value.toPrecision(DRAWN_DIGITS)) + 0;
}

/** Rounds a fraction to a thousandth of a percent. */
export function shortShare(value: number): number {
  return Math.round(value * 1e5) / 1e5 + 0;
}

/** Returns the marks on the price chart: fills, prices of resting orders, and trades from entry to exit. */
function chartTrades(
  record: RunRecord,
  pointOf: (bar: number) => number,
): {
  readonly fills: readonly ChartFill[];
  readonly levels: readonly ChartLevel[];
  readonly trades: readonly ChartTrade[];
} {
  const placed = new Map(record.orders.map(({ orderId, bar }) => [orderId, bar]));
  return {
    fills: record.fills.map((fill) =>
      fillOf(fill, record.started.symbols, pointOf, placed.get(fill.orderId)),
    ),
    levels: levelsOf(record, pointOf),
    trades: tradesOf(record, pointOf),
  };
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
    quantity: short(Number(fill.quantity)),
    reason: fill.reason ?? '',
    ambiguous: fill.ambiguous === true,
    worth: short(Number(fill.rate ?? 1) * Number(fill.multiplier ?? 1)),
    bar: fill.bar,
    orderId: fill.orderId,
    placed: placed ?? null,
  };
}

const LEVEL_KINDS: Readonly<Record<string, ChartLevel['kind']>> = {
  'stop-loss': 'stop',
  'take-profit': 'target',
  stop: 'stop',
  limit: 'limit',
};

/**
 * Returns the prices of resting orders as horizontal lines. A line starts at the bar on which the order was
 * accepted, and ends with its fill, cancellation or rejection. A split changes the price, so a new line
 * starts there.
 */
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
  // The entry price of a trade is adjusted for later splits. The chart shows unadjusted prices, so the
  // adjustment is undone here.
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

/**
 * Maximum number of points that a chart draws smoothly. In longer runs, each point represents several bars.
 */
const MOST_POINTS = 12_000;
/**
 * Returns the data for the charts. If there are too many bars, each point represents several bars.
 *
 * Such a point contains the first open, highest high, lowest low, last close and deepest drawdown of its
 * bars.
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
  const spans = starts.map((start) => [start, Math.min(start + barsPerPoint, bars)] as const);
  const prices =
    record.bars[0]?.prices === undefined
      ? []
      : symbols.map((_, symbol) => pricesOf(record.bars, symbol, spans));
  return {
    symbols,
    places: symbols.map((_, symbol) => (prices[symbol] === undefined ? 2 : placesOfPrices(prices[symbol]))),
    times: ascending(starts.map((start) => Math.floor(columns.times[start]! / 1000))),
    barsPerPoint,
    prices,
    equity: equityPoints(columns.equity, spans, barsPerPoint),
    drawdown: lowestOf(drawdownCurve(columns), spans, shortShare),
    benchmark: benchmark === undefined ? null : spans.map(([, end]) => known(drawn(benchmark[end - 1]!))),
    benchmarkDrawdown:
      benchmark === undefined
        ? null
        : lowestOf(drawdownCurve({ ...columns, equity: benchmark }), spans, shortShare).map(known),
    exposure: spans.map(([, end]) => {
      const { exposure } = record.bars[end - 1]!;
      return exposure === null ? null : shortShare(exposure);
    }),
    ambiguous: record.bars.flatMap(({ ambiguity }, bar) =>
      ambiguity === undefined
        ? []
        : [
            {
              point: pointOf(bar),
              worse: drawn(Number(ambiguity.worse)),
              better: drawn(Number(ambiguity.better)),
            },
          ],
    ),
    splits: record.splits.map(({ bar, symbol, quantityAfter }) => ({
      point: pointOf(bar),
      symbol: symbols.indexOf(symbol),
      quantity: short(Number(quantityAfter)),
    })),
    ...chartTrades(record, pointOf),
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
  const priceAt = priceReader(bars);
  for (const [start, end] of spans) {
    let open: number | undefined;
    let [high, low, close, volume] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, 0, 0];
    for (let bar = start; bar < end; bar++) {
      const last = priceAt(bar, symbol, 'close');
      if (last === undefined) continue;
      open ??= priceAt(bar, symbol, 'open');
      high = Math.max(high, priceAt(bar, symbol, 'high')!);
      low = Math.min(low, priceAt(bar, symbol, 'low')!);
      close = last;
      volume += priceAt(bar, symbol, 'volume')!;
    }
    const point = open === undefined ? null : { open, high, low, close, volume };
    for (const name of NAMES) columns[name].push(point === null ? null : short(point[name]));
  }
  return columns;
}

const NAMES = ['open', 'high', 'low', 'close', 'volume'] as const;

function equityPoints(equity: Float64Array, spans: readonly Span[], barsPerPoint: number): EquityPoints {
  const close = spans.map(([, end]) => drawn(equity[end - 1]!));
  if (barsPerPoint === 1) return { open: [], high: [], low: [], close };
  const points = spans.map(([start, end]) => equity.subarray(start, end));
  return {
    open: points.map((point) => drawn(point[0]!)),
    high: points.map((point) => drawn(point.reduce((a, b) => Math.max(a, b)))),
    low: lowestOf(equity, spans, drawn),
    close,
  };
}

function lowestOf(curve: Float64Array, spans: readonly Span[], write: (value: number) => number): number[] {
  return spans.map(([start, end]) => {
    let lowest = curve[start]!;
    for (let bar = start + 1; bar < end; bar++) lowest = Math.min(lowest, curve[bar]!);
    return write(lowest);
  });
}

// The chart library needs different whole seconds. If several bars are within one second, later bars are
// moved to the following seconds.
export function ascending(times: readonly number[]): number[] {
  const apart: number[] = [];
  for (const time of times) apart.push(Math.max(time, (apart.at(-1) ?? Number.NEGATIVE_INFINITY) + 1));
  return apart;
}

/** Replaces `NaN` by `null`. A benchmark is `NaN` outside its period. */
function known(value: number): Value {
  return Number.isNaN(value) ? null : value;
}

/**
 * Returns the number of decimal places of a symbol's prices. A sample is enough, because all prices are
 * multiples of the same tick.
 */
function placesOfPrices({ close, open }: PriceColumns): number {
  const step = Math.max(1, Math.floor(close.length / PLACES_SAMPLE));
  let places = 0;
  let largest = 0;
  for (let point = 0; point < close.length; point += step)
    for (const value of [open[point], close[point]]) {
      if (value === null || value === undefined) continue;
      largest = Math.max(largest, Math.abs(value));
      while (places < MOST_PLACES && Math.abs(value * 10 ** places - Math.round(value * 10 ** places)) > 1e-6)
        places += 1;
    }
  // Adjusted prices have more decimal places than the tick, so the number of places is limited by the size of
  // the price.
  const sensible = largest >= 1000 ? 2 : largest >= 10 ? 4 : largest >= 0.1 ? 6 : MOST_PLACES;
  return Math.min(Math.max(places, largest >= 1 ? 2 : 0), sensible);
}

const MOST_PLACES = 8;
const PLACES_SAMPLE = 500;
