import type { RunRecord } from '../../journal/index.ts';
import { parseInstant } from '../../kernel/index.ts';
import { EXCURSION_CONVENTION, excursionsOf } from '../../results/analysis/index.ts';
import { type Html, html } from '../shared/html.ts';
import { placesOfText } from '../shared/number-formats.ts';
import type { Places, TradeRow } from './model/page-data.ts';
import { rowHtml, tradeColumnClass, tradeCountText } from './model/tiles.ts';

const COLUMNS = [
  '#',
  'Symbol',
  'Side',
  'Quantity',
  'Entry',
  'at',
  'because',
  'Exit',
  'at',
  'because',
  'Net P&L',
  'Return',
  'MAE',
  'MFE',
] as const;

/** Number of rows that the page initially contains. The page's script adds the others. */
const ROWS_AT_FIRST = 100;

/**
 * Section with all trades. The user can sort and filter the table. A click on a row opens the history of the
 * trade.
 */
export interface TradesPart {
  readonly table: Html;
  readonly rows: readonly TradeRow[];
  /** Decimal places of prices and quantities, by symbol. */
  readonly places: readonly Places[];
}

export function tradesPart(record: RunRecord): TradesPart {
  const { symbols } = record.started;
  const rows = tradeRows(record);
  const places = placesOf(record);
  const head = COLUMNS.map(
    (name, index) =>
      html`<th scope="col"${tradeColumnClass(index)} aria-sort="${index === 0 ? 'ascending' : 'none'}"><button type="button">${name}</button></th>`,
  );
  const first = rows
    .slice(0, ROWS_AT_FIRST)
    .map((row) => rowHtml(row, symbols[row.symbol] ?? '', places[row.symbol] ?? { price: 2, quantity: 0 }));
  const table = html`<div class="controls"><label>Filter <input type="search" id="trade-filter" placeholder="words, symbol:X, side:short, month:2008-09"></label><output id="trade-count" for="trade-filter">${tradeCountText(rows, rows)}</output></div>
<div class="frame tall" tabindex="0" role="group" aria-label="Trades"><table id="trades"><caption class="hidden">Trades</caption><thead><tr>${head}</tr></thead><tbody>${first}</tbody></table></div>
<div class="controls"><button type="button" id="trades-more" hidden>Show more trades</button></div>
<p class="note">Choose a row, or its number, to read why. Prices are rounded here; trades.csv has them in full. MAE and MFE: ${EXCURSION_CONVENTION}.</p>`;
  return { table, rows, places };
}

function tradeRows(record: RunRecord): TradeRow[] {
  const excursions = excursionsOf(record);
  const reasons = entryReasons(record);
  const { symbols } = record.started;
  const shared = (trade: (typeof record.trades | typeof record.openTrades)[number]) => ({
    id: trade.id,
    symbol: symbols.indexOf(trade.symbol),
    side: trade.side,
    quantity: rounded(trade.quantity),
    entryBar: trade.entryBar,
    entryTime: seconds(trade.entryTime),
    entryPrice: rounded(trade.entryPrice),
    notional: rounded(
      String(
        Number(trade.entryPrice) *
          Math.abs(Number(trade.quantity)) *
          Number(trade.multiplier ?? 1) *
          Number(trade.entryRate ?? 1),
      ),
    ),
    gross: millionths(trade.grossPnl),
    commission: millionths(trade.commission),
    net: millionths(trade.netPnl),
    entryReason: reasons.get(`${trade.entryBar} ${trade.symbol}`) ?? '',
  });
  const closed = record.trades.map(
    (trade, index): TradeRow => ({
      ...shared(trade),
      exitBar: trade.bar,
      exitTime: seconds(trade.exitTime),
      exitPrice: rounded(trade.exitPrice),
      reason: trade.exitReason,
      adverse: share(excursions[index]?.adverse),
      favourable: share(excursions[index]?.favourable),
    }),
  );
  const open = record.openTrades.map(
    (trade): TradeRow => ({
      ...shared(trade),
      exitBar: null,
      exitTime: null,
      exitPrice: rounded(trade.lastPrice),
      reason: 'open at the end',
      adverse: null,
      favourable: null,
    }),
  );
  return [...closed, ...open];
}

/** Rounds an amount of money to millionths, so that sums of many trades are exact to a cent. */
function millionths(value: string): number {
  return Number(Number(value).toFixed(6)) + 0;
}

/** Rounds a price, a quantity or their product to 12 significant digits. */
function rounded(value: string): number {
  return Number(Number(value).toPrecision(12));
}

function share(value: number | undefined): number | null {
  return value === undefined ? null : Number(value.toFixed(5)) + 0;
}

function seconds(time: string): number {
  return Math.floor((parseInstant(time) ?? 0) / 1000);
}

/** Returns the reasons of the fills that opened or increased a position, by bar and symbol. */
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
    // A buy that opens or increases a position leaves a positive quantity; such a sell leaves a negative one.
    // Other fills leave a quantity with the opposite sign or zero.
    if (position * units > 0 && fill.reason !== undefined)
      reasons.set(`${fill.bar} ${fill.symbol}`, fill.reason);
  }
  return reasons;
}

const MOST_QUANTITY_PLACES = 6;

function placesOf({ started, trades, openTrades }: RunRecord): Places[] {
  return started.symbols.map((symbol) => {
    const own = [...trades, ...openTrades].filter((trade) => trade.symbol === symbol);
    const prices = own.flatMap((trade) => [
      trade.entryPrice,
      'exitPrice' in trade ? trade.exitPrice : trade.lastPrice,
    ]);
    // The number of decimal places is limited by the smallest price, so that similar prices remain
    // distinguishable.
    const smallest = prices.reduce(
      (least, value) => Math.min(least, Math.abs(Number(value))),
      Number.POSITIVE_INFINITY,
    );
    const most = smallest >= 1000 ? 2 : smallest >= 10 ? 4 : smallest >= 0.1 ? 6 : 8;
    return {
      price: mostPlaces(prices, most),
      quantity: mostPlaces(
        own.map(({ quantity }) => quantity),
        MOST_QUANTITY_PLACES,
      ),
    };
  });
}

/** Returns the largest number of decimal places that one of the values has, at most `limit`. */
function mostPlaces(values: readonly string[], limit: number): number {
  let most = 0;
  for (const value of values) {
    if (most === limit) return most;
    most = Math.max(most, placesOfText(value, limit));
  }
  return most;
}
