import { groupBy, unitsBetween } from '../../analysis/index.ts';
import type { EventOf, RunRecord } from '../../journal/index.ts';
import type { ChartFill, ChartLevel, ChartTrade } from './model/page-data.ts';
import { short } from './short-number.ts';

/** Returns the markings on the price chart: fills, resting prices, and trades from entry to exit. */
export function chartTrades(
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
 * Returns resting prices from the bar of their acceptance to the bar of their fill, cancellation or
 * rejection. A split changes the price.
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
  // Trades contain entry prices adjusted for later splits. The chart needs the price at the time of the
  // entry.
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
