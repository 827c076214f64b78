import { grouped } from '../../shared/number-formats.ts';
import { nameIn, PIVOTS, type PivotName } from '../model/attribution.ts';
import type { PageData, TradeRow } from '../model/page-data.ts';
import { dateText, tradesIn } from '../model/range.ts';
import { returnOf, rowHtml, tradeCountText } from '../model/tiles.ts';
import type { ViewStore } from './view.ts';

/** Number of rows that are added in one step. More rows would make the page slow. */
const MOST_ROWS = 100;
/** Maximum number of rows when the page is printed. */
const MOST_PRINTED = 2000;

type Key = number | string;

const KEYS: readonly ((row: TradeRow, symbols: readonly string[]) => Key)[] = [
  (row) => row.id,
  (row, symbols) => symbols[row.symbol] ?? '',
  (row) => row.side,
  (row) => row.quantity,
  (row) => row.entryTime,
  (row) => row.entryPrice,
  (row) => row.entryReason.toLowerCase(),
  (row) => row.exitTime ?? Number.POSITIVE_INFINITY,
  (row) => row.exitPrice,
  (row) => row.reason.toLowerCase(),
  (row) => row.net,
  (row) => returnOf(row) ?? 0,
  (row) => row.adverse ?? 0,
  (row) => row.favourable ?? 0,
];

/** Table with the trades of the period. The user can filter and sort it. */
interface TradesTable {
  /** Trades that are currently in the table. */
  readonly rows: readonly TradeRow[];
  draw(): void;
  rowOf(id: number): HTMLTableRowElement | undefined;
  /**
   * Adds rows until the table contains a trade. Returns false if the filter or the period excludes the trade.
   */
  reach(id: number): boolean;
}

/**
 * Connects the table of trades with its filter and its sortable columns.
 *
 * @param onDrawn called after each change of the rows
 */
export function startTradesTable(
  data: PageData,
  view: ViewStore,
  onDrawn: () => void,
): TradesTable | undefined {
  const table = document.getElementById('trades');
  if (!(table instanceof HTMLTableElement) || table.tBodies[0] === undefined) return undefined;
  const body = table.tBodies[0];
  const filter = document.getElementById('trade-filter') as HTMLInputElement;
  const said = document.getElementById('trade-count');
  const more = document.getElementById('trades-more');
  const headers = [...(table.tHead?.rows[0]?.cells ?? [])];
  let [shown, column, direction] = [MOST_ROWS, 0, 1];
  let found: TradeRow[] = [];
  filter.value = view.now.filter;

  /** True while the table still contains the initial rows of the page. */
  let isAsMade = true;
  const layOut = (): void => {
    const isAll = found.length === data.rows.length && column === 0 && direction === 1 && shown === MOST_ROWS;
    if (!isAll || !isAsMade) body.innerHTML = rowsText(data, found.slice(0, shown));
    isAsMade = isAll;
    if (more !== null) more.hidden = found.length <= shown;
    const part = found.length > shown ? ` (${grouped(shown, 0)} shown)` : '';
    if (said !== null) said.textContent = `${tradeCountText(found, data.rows)}${part}`;
    onDrawn();
  };
  const draw = (): void => {
    const fits = tradeFilter(view.now.filter, data.symbols);
    found = tradesIn(data, view.now.range).filter(fits);
    const keyOf = KEYS[column]!;
    const keys = new Map(found.map((row) => [row, keyOf(row, data.symbols)]));
    if (column !== 0 || direction !== 1)
      found.sort((a, b) => {
        const [one, other] = [keys.get(a)!, keys.get(b)!];
        return one < other ? -direction : one > other ? direction : 0;
      });
    layOut();
  };
  for (const [place, header] of headers.entries())
    header.querySelector('button')?.addEventListener('click', () => {
      direction = header.getAttribute('aria-sort') === 'ascending' ? -1 : 1;
      column = place;
      for (const other of headers) other.setAttribute('aria-sort', 'none');
      header.setAttribute('aria-sort', direction === 1 ? 'ascending' : 'descending');
      draw();
    });
  filter.addEventListener('input', () => {
    shown = MOST_ROWS;
    view.change({ filter: filter.value }, true);
  });
  more?.addEventListener('click', () => {
    shown += MOST_ROWS;
    layOut();
  });
  body.addEventListener('click', (event) => {
    const { target } = event;
    if (!(target instanceof Element) || target.closest('a, .story-row') !== null) return;
    const id = Number(target.closest('tr')?.dataset.trade);
    if (!Number.isNaN(id)) view.change({ trade: view.now.trade === id ? null : id });
  });
  view.onChange((now, before) => {
    if (now.filter !== filter.value) filter.value = now.filter;
    if (now.filter === before.filter && now.range === before.range) return;
    shown = MOST_ROWS;
    draw();
  });
  addEventListener('beforeprint', () => {
    shown = Math.max(shown, Math.min(found.length, MOST_PRINTED));
    layOut();
  });
  const rowOf = (id: number): HTMLTableRowElement | undefined =>
    [...body.rows].find((row) => row.dataset.trade === String(id));
  return {
    get rows() {
      return found;
    },
    draw,
    rowOf,
    reach(id) {
      const place = found.findIndex((row) => row.id === id);
      if (place < 0) return false;
      if (place < shown) return true;
      shown = Math.ceil((place + 1) / MOST_ROWS) * MOST_ROWS;
      layOut();
      return true;
    },
  };
}

function rowsText({ symbols, rowPlaces }: PageData, rows: readonly TradeRow[]): string {
  const places = { price: 2, quantity: 0 };
  return rows
    .map((row) => rowHtml(row, symbols[row.symbol] ?? '', rowPlaces[row.symbol] ?? places).text)
    .join('');
}

/**
 * Condition of a trade filter. The text must equal the trade's value of `pivot`. If `pivot` is `undefined`,
 * the text must occur in the searched fields of the trade, such as symbol, dates and reasons.
 */
interface Condition {
  readonly pivot: PivotName | undefined;
  readonly text: string;
}

/** Parses a filter text into words and conditions such as `side:short` or `reason:"crossed below"`. */
function conditionsOf(text: string): Condition[] {
  const parts = text.toLowerCase().match(/(?:\w+:)?"[^"]*"|\S+/g) ?? [];
  return parts.map((part) => {
    const pivot = PIVOTS.find((name) => part.startsWith(`${name}:`));
    const value = pivot === undefined ? part : part.slice(pivot.length + 1);
    return { pivot, text: value.replaceAll('"', '') };
  });
}

/** Returns a function that tests whether a trade meets all conditions. */
export function tradeFilter(text: string, symbols: readonly string[]): (row: TradeRow) => boolean {
  const conditions = conditionsOf(text);
  if (conditions.length === 0) return () => true;
  return (row) =>
    conditions.every(({ pivot, text: wanted }) =>
      pivot === undefined
        ? wordsOf(row, symbols).includes(wanted)
        : nameIn(pivot, row, symbols).toLowerCase().replaceAll('"', '') === wanted,
    );
}

const known = new WeakMap<TradeRow, string>();

function wordsOf(row: TradeRow, symbols: readonly string[]): string {
  const before = known.get(row);
  if (before !== undefined) return before;
  const words = [
    row.id,
    symbols[row.symbol],
    row.side,
    dateText(row.entryTime),
    row.entryReason,
    row.exitTime === null ? '' : dateText(row.exitTime),
    row.reason,
  ]
    .join(' ')
    .toLowerCase();
  known.set(row, words);
  return words;
}
