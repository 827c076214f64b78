import type { RunRecord } from '../journal/index.ts';
import { type DataFrame, dataFrame, type FrameColumn } from '../market/index.ts';
import { decisionFacts } from './analysis/decisions.ts';
import { drawdownCurve } from './drawdown.ts';
import { equityColumns } from './equity.ts';
import type { Figure } from './figures.ts';
import { computeMetrics, type MetricsOptions } from './metrics.ts';

/** The tables of a run that can be had as frames. */
export const FRAMES = ['trades', 'equity', 'decisions', 'metrics'] as const;
export type FrameName = (typeof FRAMES)[number];

/**
 * A table of a run as a danfo.js DataFrame; money is float64 in it.
 *
 * - `trades`: a row a closed trade, then a row a trade still open, without an exit
 * - `equity`: a row a bar
 * - `decisions`: a row a bar: orders accepted, refused, tools called; of a model's decision its outcome, rounds, tokens, cost
 * - `metrics`: a row a figure, with its convention and, where it is not defined, the reason
 */
export function runFrame(
  record: RunRecord,
  name: FrameName,
  options: MetricsOptions = {},
): Promise<DataFrame> {
  switch (name) {
    case 'trades':
      return dataFrame(tradeColumns(record));
    case 'equity':
      return dataFrame(barColumns(record));
    case 'decisions':
      return dataFrame(decisionColumns(record));
    case 'metrics':
      return dataFrame(metricColumns(record, options));
  }
}

function tradeColumns(record: RunRecord): Record<string, FrameColumn> {
  const rows = [
    ...record.trades.map((trade) => ({ ...trade, exitBar: trade.bar, lastPrice: trade.exitPrice })),
    ...record.openTrades.map((trade) => ({ ...trade, exitBar: null, exitTime: null, exitReason: null })),
  ];
  const numbers = (pick: (row: (typeof rows)[number]) => string): number[] =>
    rows.map((row) => Number(pick(row)));
  return {
    id: rows.map((row) => row.id),
    symbol: rows.map((row) => row.symbol),
    side: rows.map((row) => row.side),
    quantity: numbers((row) => row.quantity),
    entryBar: rows.map((row) => row.entryBar),
    entryTime: rows.map((row) => row.entryTime),
    entryPrice: numbers((row) => row.entryPrice),
    exitBar: rows.map((row) => row.exitBar),
    exitTime: rows.map((row) => row.exitTime),
    exitPrice: numbers((row) => row.lastPrice),
    grossPnl: numbers((row) => row.grossPnl),
    commission: numbers((row) => row.commission),
    netPnl: numbers((row) => row.netPnl),
    exitReason: rows.map((row) => row.exitReason),
  };
}

function barColumns(record: RunRecord): Record<string, FrameColumn> {
  const { bars } = record;
  const columns = equityColumns(record);
  return {
    bar: bars.map((bar) => bar.bar),
    date: columns.dates,
    cash: bars.map((bar) => Number(bar.cash)),
    equity: columns.equity,
    drawdown: drawdownCurve(columns),
    exposure: bars.map((bar) => bar.exposure),
  };
}

function decisionColumns(record: RunRecord): Record<string, FrameColumn> {
  const counted = (events: readonly { readonly bar: number }[]): number[] => {
    const counts = new Array<number>(record.bars.length).fill(0);
    for (const { bar } of events) if (bar < counts.length) counts[bar]! += 1;
    return counts;
  };
  return {
    bar: record.bars.map((bar) => bar.bar),
    date: record.bars.map((bar) => bar.date),
    orders: counted(record.orders.filter((order) => order.role === undefined)),
    refusals: counted(record.rejections),
    fills: counted(record.fills),
    toolCalls: counted(record.toolCalls),
    ...decisionFacts(record),
  };
}

function metricColumns(record: RunRecord, options: MetricsOptions): Record<string, FrameColumn> {
  const figures = Object.entries(computeMetrics(record, options)).flatMap(([name, entry]) =>
    isFigure(entry) ? [{ name, ...entry }] : [],
  );
  const number = (value: unknown): number =>
    typeof value === 'number' || typeof value === 'string' ? Number(value) : Number.NaN;
  return {
    figure: figures.map(({ name }) => name),
    value: figures.map(({ value }) => number(value)),
    convention: figures.map(({ convention }) => convention),
    reason: figures.map(({ reason }) => reason ?? ''),
  };
}

// The extreme trades are objects, which no cell can hold.
function isFigure(entry: unknown): entry is Figure<number | string> {
  return (
    typeof entry === 'object' &&
    entry !== null &&
    'convention' in entry &&
    'value' in entry &&
    (typeof entry.value !== 'object' || entry.value === null)
  );
}
