import { EXCURSION_CONVENTION, excursionsOf, groupBy } from '../../analysis/index.ts';
import type { RunRecord } from '../../journal/index.ts';
import { type Html, html } from '../shared/html.ts';
import { placesOfText } from '../shared/plain-amount.ts';
import { type Places, type RowColumns, rowColumns, rowHtml, type TradeRow } from './trade-row.ts';

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
export interface TradesPart {
  readonly table: Html;
  /** The rows beyond the first, for the page's script; null where there are none. */
  readonly rest: RowColumns | null;
}

export function tradesPart(record: RunRecord): TradesPart {
  const rows = tradeRows(record);
  const places = placesOf(rows);
  const head = COLUMNS.map(
    ([name, kind], index) =>
      html`<th scope="col" data-kind="${kind}" aria-sort="${index === 0 ? 'ascending' : 'none'}"><button type="button">${name}</button></th>`,
  );
  const first = rows.slice(0, ROWS_AT_FIRST).map((row) => rowHtml(row, places.get(row.symbol)!));
  const table = html`<div class="controls"><label>Filter <input type="search" id="trade-filter" placeholder="symbol, side, date, reason"></label><output id="trade-count" for="trade-filter">${rows.length} trades</output></div>
<div class="frame tall" tabindex="0" role="group" aria-label="Trades"><table id="trades"><caption class="hidden">Trades</caption><thead><tr>${head}</tr></thead><tbody>${first}</tbody></table></div>
<div class="controls"><button type="button" id="trades-more" hidden>Show more trades</button></div>
<p class="note">Choose a row, or its number, to see the trade in the chart. Prices are rounded here; trades.csv has them in full. MAE and MFE: ${EXCURSION_CONVENTION}.</p>`;
  const rest = rows.slice(ROWS_AT_FIRST);
  return { table, rest: rest.length === 0 ? null : rowColumns(rest, places) };
}

function tradeRows(record: RunRecord): TradeRow[] {
  const excursions = excursionsOf(record);
  const reasons = entryReasons(record);
  const closed = record.trades.map(
    (trade, index): TradeRow => ({
      ...trade,
      exitBar: trade.bar,
      reason: trade.exitReason,
      entryReason: reasons.get(`${trade.entryBar} ${trade.symbol}`) ?? '',
      adverse: excursions[index]?.adverse,
      favourable: excursions[index]?.favourable,
    }),
  );
  const open = record.openTrades.map(
    (trade): TradeRow => ({
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

const MOST_QUANTITY_PLACES = 6;

function placesOf(rows: readonly TradeRow[]): Map<string, Places> {
  return new Map(
    [...groupBy(rows, ({ symbol }) => symbol)].map(([symbol, own]) => {
      const prices = own.flatMap(({ entryPrice, exitPrice }) => [entryPrice, exitPrice]);
      // As many as tell the smallest price apart from its neighbours.
      const smallest = prices.reduce(
        (least, value) => Math.min(least, Math.abs(Number(value))),
        Number.POSITIVE_INFINITY,
      );
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
  let most = 0;
  for (const value of values) {
    if (most === limit) return most;
    most = Math.max(most, placesOfText(value, limit));
  }
  return most;
}
