import { type Html, html } from '../shared/html.ts';
import { percent, tone } from '../shared/number-formats.ts';
import { fixedText, groupedText } from '../shared/plain-amount.ts';

/** A trade as its row shows it; amounts are decimal texts. */
export interface TradeRow {
  readonly id: number;
  readonly symbol: string;
  readonly side: string;
  readonly quantity: string;
  readonly entryBar: number;
  readonly entryTime: string;
  readonly entryPrice: string;
  /** Of an instrument in another currency. */
  readonly entryRate?: string | undefined;
  /** Of a contract: money for a point of its price. */
  readonly multiplier?: string | undefined;
  readonly exitBar: number | null;
  readonly exitTime: string;
  readonly exitPrice: string;
  readonly netPnl: string;
  readonly reason: string;
  readonly entryReason: string;
  readonly adverse: number | undefined;
  readonly favourable: number | undefined;
}

/** Decimal places of the table's columns: the same in every row of a symbol, so that digits stand under digits. */
export interface Places {
  readonly price: number;
  readonly quantity: number;
}

const amount = (value: string, places = 2): string => groupedText(fixedText(value, places));

/** The row of a trade: the first ones are made with the page, the others by its script. */
export function rowHtml(row: TradeRow, places: Places): Html {
  const points = Number(row.quantity) * Number(row.multiplier ?? 1) * Number(row.entryRate ?? 1);
  const entry = Number(row.entryPrice) * points;
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

/** Rows in columns, as a page carries them: texts that repeat are named by their number. */
export interface RowColumns {
  readonly places: Readonly<Record<string, Places>>;
  /** Symbols, sides and reasons. */
  readonly words: readonly string[];
  readonly id: readonly number[];
  readonly symbol: readonly number[];
  readonly side: readonly number[];
  readonly reason: readonly number[];
  readonly entryReason: readonly number[];
  readonly quantity: readonly string[];
  readonly entryBar: readonly number[];
  readonly exitBar: readonly (number | null)[];
  readonly entryTime: readonly string[];
  readonly exitTime: readonly string[];
  readonly entryPrice: readonly string[];
  readonly exitPrice: readonly string[];
  readonly netPnl: readonly string[];
  /** Left out where no row has one. */
  readonly entryRate?: readonly (string | null)[];
  readonly multiplier?: readonly (string | null)[];
  readonly adverse: readonly (number | null)[];
  readonly favourable: readonly (number | null)[];
}

/** Puts rows into columns. */
export function rowColumns(rows: readonly TradeRow[], places: ReadonlyMap<string, Places>): RowColumns {
  const words: string[] = [];
  const numbers = new Map<string, number>();
  const wordOf = (text: string): number => {
    const known = numbers.get(text);
    if (known !== undefined) return known;
    numbers.set(text, words.length);
    return words.push(text) - 1;
  };
  return {
    places: Object.fromEntries(places),
    words,
    id: rows.map(({ id }) => id),
    symbol: rows.map(({ symbol }) => wordOf(symbol)),
    side: rows.map(({ side }) => wordOf(side)),
    reason: rows.map(({ reason }) => wordOf(reason)),
    entryReason: rows.map(({ entryReason }) => wordOf(entryReason)),
    quantity: rows.map(({ quantity }) => quantity),
    entryBar: rows.map(({ entryBar }) => entryBar),
    exitBar: rows.map(({ exitBar }) => exitBar),
    entryTime: rows.map(({ entryTime }) => entryTime),
    exitTime: rows.map(({ exitTime }) => exitTime),
    entryPrice: rows.map(({ entryPrice }) => entryPrice),
    exitPrice: rows.map(({ exitPrice }) => exitPrice),
    netPnl: rows.map(({ netPnl }) => netPnl),
    ...(rows.some(({ entryRate }) => entryRate !== undefined)
      ? { entryRate: rows.map(({ entryRate }) => entryRate ?? null) }
      : {}),
    ...(rows.some(({ multiplier }) => multiplier !== undefined)
      ? { multiplier: rows.map(({ multiplier }) => multiplier ?? null) }
      : {}),
    adverse: rows.map(({ adverse }) => adverse ?? null),
    favourable: rows.map(({ favourable }) => favourable ?? null),
  };
}

/** The rows of columns, as HTML. */
export function rowsOfColumns(columns: RowColumns): string {
  const { words, places } = columns;
  return columns.id
    .map((id, at) => {
      const symbol = words[columns.symbol[at]!]!;
      const row: TradeRow = {
        id,
        symbol,
        side: words[columns.side[at]!]!,
        reason: words[columns.reason[at]!]!,
        entryReason: words[columns.entryReason[at]!]!,
        quantity: columns.quantity[at]!,
        entryBar: columns.entryBar[at]!,
        exitBar: columns.exitBar[at]!,
        entryTime: columns.entryTime[at]!,
        exitTime: columns.exitTime[at]!,
        entryPrice: columns.entryPrice[at]!,
        exitPrice: columns.exitPrice[at]!,
        netPnl: columns.netPnl[at]!,
        entryRate: columns.entryRate?.[at] ?? undefined,
        multiplier: columns.multiplier?.[at] ?? undefined,
        adverse: columns.adverse[at] ?? undefined,
        favourable: columns.favourable[at] ?? undefined,
      };
      return rowHtml(row, places[symbol]!).text;
    })
    .join('');
}
