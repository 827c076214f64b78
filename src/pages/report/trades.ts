import { EXCURSION_CONVENTION, excursionsOf, groupBy } from '../../analysis/index.ts';
import type { RunRecord } from '../../journal/index.ts';
import { decimal } from '../../kernel/index.ts';
import { amount, percent, tone } from '../shared/formats.ts';
import { type Html, html } from '../shared/html.ts';

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
  const places = placesOf(rows);
  const line = (row: Row): Html => rowHtml(row, places.get(row.symbol)!);
  const head = COLUMNS.map(
    ([name, kind], index) =>
      html`<th scope="col" data-kind="${kind}" aria-sort="${index === 0 ? 'ascending' : 'none'}"><button type="button">${name}</button></th>`,
  );
  return html`<div class="controls"><label>Filter <input type="search" id="trade-filter" placeholder="symbol, side, date, reason"></label><output id="trade-count" for="trade-filter">${rows.length} trades</output></div>
<div class="frame tall" tabindex="0" role="group" aria-label="Trades"><table id="trades"><caption class="hidden">Trades</caption><thead><tr>${head}</tr></thead><tbody>${rows.slice(0, ROWS_AT_FIRST).map(line)}</tbody></table></div>
<template id="trades-rest">${rows.slice(ROWS_AT_FIRST).map(line)}</template><div class="controls"><button type="button" id="trades-more" hidden>Show more trades</button></div>
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

/** Decimal places of the table's columns: the same in every row of a symbol, so that digits stand under digits. */
interface Places {
  readonly price: number;
  readonly quantity: number;
}

const MOST_QUANTITY_PLACES = 6;

function placesOf(rows: readonly Row[]): Map<string, Places> {
  return new Map(
    [...groupBy(rows, ({ symbol }) => symbol)].map(([symbol, own]) => {
      const prices = own.flatMap(({ entryPrice, exitPrice }) => [entryPrice, exitPrice]);
      // As many as tell the smallest price apart from its neighbours.
      const smallest = Math.min(...prices.map((value) => Math.abs(Number(value))));
      const most = smallest >= 1000 ? 2 : smallest >= 1 ? 4 : 8;
      const quantities = own.map((row) => row.quantity);
      return [
        symbol,
        { price: mostPlaces(prices, most), quantity: mostPlaces(quantities, MOST_QUANTITY_PLACES) },
      ];
    }),
  );
}

/** Places that the longest of the values has, at most `limit`. */
function mostPlaces(values: readonly string[], limit: number): number {
  return Math.max(...values.map((value) => decimal(value).toDecimalPlaces(limit).decimalPlaces()));
}

function rowHtml(row: Row, places: Places): Html {
  const entry = Number(row.entryPrice) * Number(row.quantity) * Number(row.entryRate ?? 1);
  const change = entry > 0 ? Number(row.netPnl) / entry : undefined;
  const cell = (text: string, sort?: number): Html =>
    sort === undefined ? html`<td>${text}</td>` : html`<td data-sort="${String(sort)}">${text}</td>`;
  return html`<tr data-trade="${row.id}" data-bar="${row.entryBar}"${row.exitBar === null ? '' : html` data-exit="${row.exitBar}"`} data-symbol="${row.symbol}"><th scope="row" data-sort="${row.id}"><button type="button" class="jump" aria-label="Show trade ${row.id} in the chart">${row.id}</button></th>${[
    cell(row.symbol),
    cell(row.side),
    cell(amount(row.quantity, places.quantity), Number(row.quantity)),
    cell(row.entryTime),
    cell(amount(row.entryPrice, places.price), Number(row.entryPrice)),
    cell(row.entryReason),
    cell(row.exitTime),
    cell(amount(row.exitPrice, places.price), Number(row.exitPrice)),
    cell(row.reason),
    html`<td data-sort="${row.netPnl}" class="${tone(row.netPnl)}">${amount(row.netPnl)}</td>`,
    cell(percent(change), change ?? 0),
    cell(percent(row.adverse, 1), row.adverse ?? 0),
    cell(percent(row.favourable, 1), row.favourable ?? 0),
  ]}</tr>`;
}
