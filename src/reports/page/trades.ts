import type { RunRecord } from '../../journal/index.ts';
import { EXCURSION_CONVENTION, excursionsOf } from '../analysis/excursions.ts';
import { amount, percent, quantity, tone } from './formats.ts';
import { type Html, html } from './html.ts';

interface Row {
  readonly id: number;
  readonly symbol: string;
  readonly side: string;
  readonly quantity: string;
  readonly entryBar: number;
  readonly entryTime: string;
  readonly entryPrice: string;
  /** Of an instrument in another currency. */
  readonly entryRate?: string;
  readonly exitBar: number | null;
  readonly exitTime: string;
  readonly exitPrice: string;
  readonly netPnl: string;
  readonly reason: string;
  readonly entryReason: string;
  readonly adverse: number | undefined;
  readonly favourable: number | undefined;
}

const COLUMNS: readonly (readonly [name: string, kind: 'number' | 'text'])[] = [
  ['#', 'number'],
  ['Symbol', 'text'],
  ['Side', 'text'],
  ['Quantity', 'number'],
  ['Entry', 'text'],
  ['at', 'number'],
  ['because', 'text'],
  ['Exit', 'text'],
  ['at', 'number'],
  ['because', 'text'],
  ['Net P&L', 'number'],
  ['Return', 'number'],
  ['MAE', 'number'],
  ['MFE', 'number'],
];

/** Rows that are laid out when the page opens; the script brings in the others. */
const ROWS_AT_FIRST = 100;

/** Every trade, sortable and filterable; a row leads to its place in the chart. */
export function tradesTable(record: RunRecord): Html {
  const rows = tradeRows(record);
  const head = COLUMNS.map(
    ([name, kind], index) =>
      html`<th scope="col" data-kind="${kind}" aria-sort="${index === 0 ? 'ascending' : 'none'}"><button type="button">${name}</button></th>`,
  );
  return html`<div class="controls"><label>Filter <input type="search" id="trade-filter" placeholder="symbol, side, date, reason"></label><output id="trade-count" for="trade-filter">${rows.length} trades</output></div>
<div class="frame tall" tabindex="0" role="group" aria-label="Trades"><table id="trades"><caption class="hidden">Trades</caption><thead><tr>${head}</tr></thead><tbody>${rows.slice(0, ROWS_AT_FIRST).map(rowHtml)}</tbody></table></div>
<template id="trades-rest">${rows.slice(ROWS_AT_FIRST).map(rowHtml)}</template><div class="controls"><button type="button" id="trades-more" hidden>Show more trades</button></div>
<p class="note">Choose a row, or its number, to see the trade in the chart. Prices are rounded here; trades.csv has them in full. MAE and MFE: ${EXCURSION_CONVENTION}.</p>`;
}

function tradeRows(record: RunRecord): Row[] {
  const excursions = excursionsOf(record);
  const reasons = entryReasons(record);
  const closed = record.trades.map(
    (trade, index): Row => ({
      ...trade,
      exitBar: trade.bar,
      reason: trade.exitReason,
      entryReason: reasons.get(`${trade.entryBar} ${trade.symbol}`) ?? '',
      adverse: excursions[index]?.adverse,
      favourable: excursions[index]?.favourable,
    }),
  );
  const open = record.openTrades.map(
    (trade): Row => ({
      ...trade,
      exitBar: null,
      exitTime: '',
      exitPrice: trade.lastPrice,
      reason: 'open at the end',
      entryReason: reasons.get(`${trade.entryBar} ${trade.symbol}`) ?? '',
      adverse: undefined,
      favourable: undefined,
    }),
  );
  return [...closed, ...open];
}

/** What the fills that opened positions said, by bar and symbol. */
function entryReasons(record: RunRecord): Map<string, string> {
  const reasons = new Map<string, string>();
  const held = new Map<string, number>();
  let splits = 0;
  for (const fill of record.fills) {
    for (; splits < record.splits.length && record.splits[splits]!.bar <= fill.bar; splits++) {
      const { symbol, quantityAfter } = record.splits[splits]!;
      held.set(symbol, Number(quantityAfter));
    }
    const units = fill.side === 'buy' ? Number(fill.quantity) : -Number(fill.quantity);
    const position = (held.get(fill.symbol) ?? 0) + units;
    held.set(fill.symbol, position);
    // A fill that only closes leaves a position of the other sign, or none.
    if (position * units > 0 && fill.reason !== undefined)
      reasons.set(`${fill.bar} ${fill.symbol}`, fill.reason);
  }
  return reasons;
}

/** A price to read: as many places as tell it apart from its neighbours. */
function price(value: string): string {
  const size = Math.abs(Number(value));
  return quantity(value, size >= 1000 ? 2 : size >= 1 ? 4 : 8);
}

function rowHtml(row: Row): Html {
  const entry = Number(row.entryPrice) * Number(row.quantity) * Number(row.entryRate ?? 1);
  const change = entry > 0 ? Number(row.netPnl) / entry : undefined;
  const cell = (text: string, sort?: number): Html =>
    sort === undefined ? html`<td>${text}</td>` : html`<td data-sort="${String(sort)}">${text}</td>`;
  return html`<tr data-trade="${row.id}" data-bar="${row.entryBar}"${row.exitBar === null ? '' : html` data-exit="${row.exitBar}"`} data-symbol="${row.symbol}"><th scope="row" data-sort="${row.id}"><button type="button" class="jump" aria-label="Show trade ${row.id} in the chart">${row.id}</button></th>${[
    cell(row.symbol),
    cell(row.side),
    cell(quantity(row.quantity), Number(row.quantity)),
    cell(row.entryTime),
    cell(price(row.entryPrice), Number(row.entryPrice)),
    cell(row.entryReason),
    cell(row.exitTime),
    cell(price(row.exitPrice), Number(row.exitPrice)),
    cell(row.reason),
    html`<td data-sort="${row.netPnl}" class="${tone(row.netPnl)}">${amount(row.netPnl)}</td>`,
    cell(percent(change), change ?? 0),
    cell(percent(row.adverse, 1), row.adverse ?? 0),
    cell(percent(row.favourable, 1), row.favourable ?? 0),
  ]}</tr>`;
}
