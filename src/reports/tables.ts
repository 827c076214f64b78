import type { RunRecord } from '../journal/index.ts';
import { drawdownCurve } from './drawdown.ts';
import { equityColumns } from './equity.ts';

const EQUITY_HEADER = ['bar', 'date', 'cash', 'equity', 'drawdown', 'exposure'];
const TRADES_HEADER = [
  'id',
  'symbol',
  'side',
  'quantity',
  'entryBar',
  'entryDate',
  'entryPrice',
  'exitBar',
  'exitDate',
  'exitPrice',
  'grossPnl',
  'commission',
  'netPnl',
  'exitReason',
];

/** `equity.csv`: a row per bar. Drawdown and exposure are fractions; exposure is empty where equity is not positive. */
export function equityCsv(record: RunRecord): string {
  const drawdowns = drawdownCurve(equityColumns(record));
  const rows = record.bars.map((bar, index) => [
    bar.bar,
    bar.date,
    bar.cash,
    bar.equity,
    drawdowns[index]!,
    bar.exposure ?? '',
  ]);
  return csv([EQUITY_HEADER, ...rows]);
}

/** `trades.csv`: a row per closed trade, then one per open trade, valued at the last close and without an exit. */
export function tradesCsv(record: RunRecord): string {
  const closed = record.trades.map((trade) => [
    trade.id,
    textCell(trade.symbol),
    trade.side,
    trade.quantity,
    trade.entryBar,
    trade.entryTime,
    trade.entryPrice,
    trade.bar,
    trade.exitTime,
    trade.exitPrice,
    trade.grossPnl,
    trade.commission,
    trade.netPnl,
    textCell(trade.exitReason),
  ]);
  const open = record.openTrades.map((trade) => [
    trade.id,
    textCell(trade.symbol),
    trade.side,
    trade.quantity,
    trade.entryBar,
    trade.entryTime,
    trade.entryPrice,
    '',
    '',
    '',
    trade.grossPnl,
    trade.commission,
    trade.netPnl,
    'open',
  ]);
  return csv([TRADES_HEADER, ...closed, ...open]);
}

// Spreadsheets run a cell that begins like this as a formula (OWASP, "CSV Injection"); a leading quote keeps it text.
const FORMULA = /^[\s\0]*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r]/;

function textCell(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

/** Quoting by RFC 4180; lines end with a line feed, as in the other files of a run. */
export function csv(rows: readonly (readonly (string | number)[])[]): string {
  return rows.map((row) => `${row.map(quoted).join(',')}\n`).join('');
}

function quoted(cell: string | number): string {
  const text = String(cell);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
