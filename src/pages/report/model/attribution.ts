import { type Content, Html, html } from '../../shared/html.ts';
import { grouped, percent, tone } from '../../shared/number-formats.ts';
import type { PageData, TradeRow } from './page-data.ts';
import { equityBefore, type Range, sumOf, tradesIn } from './range.ts';

const TEXT = html` class="text"`;

/**
 * Returns a table in a frame that scrolls horizontally on narrow screens. Columns are aligned to the right,
 * except columns with a cell of class `wrap` or `note`, which contain text.
 */
export function table(caption: string, head: readonly string[], rows: readonly (readonly Content[])[]): Html {
  const texts = head.map((_, index) =>
    rows.some((row) => /^<span class="(wrap|note)"/.test(row[index] instanceof Html ? row[index].text : '')),
  );
  const isText = (index: number): boolean => index > 0 && texts[index] === true;
  const cells = (row: readonly Content[]): Html[] =>
    row.map((cell, index) =>
      index === 0 ? html`<th scope="row">${cell}</th>` : html`<td${isText(index) ? TEXT : ''}>${cell}</td>`,
    );
  return html`<div class="frame" tabindex="0" role="group" aria-label="${caption}"><table><caption class="hidden">${caption}</caption><thead><tr>${head.map(
    (name, index) => html`<th scope="col"${isText(index) ? TEXT : ''}>${name}</th>`,
  )}</tr></thead><tbody>${rows.map((row) => html`<tr>${cells(row)}</tr>`)}</tbody></table></div>`;
}

export function toned(text: string, value: number | string | null): Html {
  return html`<span class="${tone(value)}">${text}</span>`;
}

/** Named part of a profit, for example the commission. */
export interface Step {
  readonly name: string;
  readonly amount: number;
}

export const CASH_NAMES: Readonly<Record<string, string>> = {
  dividend: 'Dividends',
  borrow_fee: 'Borrow fees',
  interest: 'Interest',
  margin_interest: 'Margin interest',
  funding: 'Funding',
};

/**
 * Splits the profit of a period into steps that add up to it. The step `Open positions` is the remainder: the
 * profit without closed trades, cash entries and commission.
 */
export function waterfallOf(
  data: PageData,
  range: Range,
): { readonly steps: readonly Step[]; readonly profit: number } {
  const { sessions } = data;
  const profit = sessions.equity[range.to]! - equityBefore(data, range);
  const closed = tradesIn(data, range).filter(({ exitTime }) => exitTime !== null);
  const booked: Step[] = [
    { name: 'Closed trades before commission', amount: closed.reduce((sum, { gross }) => sum + gross, 0) },
    ...sessions.cash.map(({ kind, amounts }) => ({
      name: CASH_NAMES[kind] ?? kind.replaceAll('_', ' '),
      amount: sumOf(amounts, range),
    })),
    { name: 'Commission', amount: -sumOf(sessions.commission, range) },
  ];
  const open = profit - booked.reduce((sum, { amount }) => sum + amount, 0);
  const [first, ...others] = booked;
  return { profit, steps: [first!, { name: 'Open positions', amount: near(open, profit) }, ...others] };
}

/**
 * Returns 0 if a value is below a millionth of `beside`, because it can then only be a rounding error of
 * float64. Otherwise returns the value.
 */
function near(value: number, beside: number): number {
  return Math.abs(value) < 1e-6 * Math.max(1, Math.abs(beside)) ? 0 : value;
}

export const PIVOTS = ['symbol', 'side', 'month', 'hour', 'reason'] as const;
export type PivotName = (typeof PIVOTS)[number];

export interface PivotRow {
  readonly name: string;
  readonly trades: number;
  readonly won: number;
  readonly gross: number;
  readonly commission: number;
  readonly net: number;
}

/**
 * Returns the name of the group to which a trade belongs, for example its symbol or side. The month is the
 * month of the exit, the hour is the hour of the entry. Both are in UTC.
 */
export function nameIn(pivot: PivotName, row: TradeRow, symbols: readonly string[]): string {
  switch (pivot) {
    case 'symbol':
      return symbols[row.symbol] ?? '';
    case 'side':
      return row.side;
    case 'month':
      return row.exitTime === null ? 'open' : new Date(row.exitTime * 1000).toISOString().slice(0, 7);
    case 'hour':
      return String(new Date(row.entryTime * 1000).getUTCHours()).padStart(2, '0');
    case 'reason':
      return row.reason;
  }
}

/**
 * Groups trades and sums the profits of each group. Groups are sorted by the absolute value of their net
 * profit, largest first. Months and hours are in chronological order instead.
 */
export function pivotOf(pivot: PivotName, rows: readonly TradeRow[], symbols: readonly string[]): PivotRow[] {
  const found = new Map<string, { -readonly [Name in keyof PivotRow]: PivotRow[Name] }>();
  for (const row of rows) {
    const name = nameIn(pivot, row, symbols);
    const sums = found.get(name) ?? { name, trades: 0, won: 0, gross: 0, commission: 0, net: 0 };
    found.set(name, sums);
    sums.trades += 1;
    sums.won += row.net > 0 ? 1 : 0;
    sums.gross += row.gross;
    sums.commission += row.commission;
    sums.net += row.net;
  }
  const inOrder = pivot === 'month' || pivot === 'hour';
  return [...found.values()].sort((a, b) =>
    inOrder ? (a.name < b.name ? -1 : 1) : Math.abs(b.net) - Math.abs(a.net),
  );
}

const MOST_ROWS = 40;

const TITLES: Readonly<Record<PivotName, string>> = {
  symbol: 'Symbol',
  side: 'Side',
  month: 'Month of exit',
  hour: 'Hour of entry (UTC)',
  reason: 'Exit reason',
};

/**
 * Returns the trades of a period in groups. Further rows contain the amounts that do not belong to closed
 * trades, so that the table adds up to the profit.
 */
export function pivotTable(data: PageData, range: Range, pivot: PivotName): Html {
  const closed = tradesIn(data, range).filter(({ exitTime }) => exitTime !== null);
  const rows = pivotOf(pivot, closed, data.symbols);
  const { profit } = waterfallOf(data, range);
  const net = rows.reduce((sum, row) => sum + row.net, 0);
  const largest = rows.reduce((most, row) => Math.max(most, Math.abs(row.net)), 0);
  const hidden = rows.slice(MOST_ROWS);
  const others: readonly PivotRow[] =
    hidden.length === 0
      ? []
      : [
          {
            name: `${hidden.length} more`,
            trades: hidden.reduce((sum, { trades }) => sum + trades, 0),
            won: hidden.reduce((sum, { won }) => sum + won, 0),
            gross: 0,
            commission: 0,
            net: hidden.reduce((sum, row) => sum + row.net, 0),
          },
        ];
  return html`<div class="frame" tabindex="0" role="group" aria-label="Profit of closed trades by ${TITLES[pivot].toLowerCase()}"><table class="pivot"><caption class="hidden">Profit of closed trades by ${TITLES[pivot].toLowerCase()}</caption><thead><tr><th scope="col">${TITLES[pivot]}</th><th scope="col">Trades</th><th scope="col">Won</th><th scope="col">Net of commission</th><td class="share"></td></tr></thead><tbody>${rows
    .slice(0, MOST_ROWS)
    .map((row) =>
      line(row, pivot, largest),
    )}${others.map((row) => line(row, undefined, largest))}</tbody><tfoot><tr><th scope="row">Closed trades, net of commission</th><td>${grouped(closed.length, 0)}</td><td></td><td>${grouped(net)}</td><td class="share"></td></tr><tr><th scope="row">Open positions, their commission, and cash</th><td></td><td></td><td>${grouped(profit - net)}</td><td class="share"></td></tr><tr class="sum"><th scope="row">Profit</th><td></td><td></td><td>${grouped(profit)}</td><td class="share"></td></tr></tfoot></table></div>`;
}

function line(row: PivotRow, pivot: PivotName | undefined, largest: number): Html {
  const width = largest === 0 ? 0 : Math.round((Math.abs(row.net) / largest) * 100);
  const name =
    pivot === undefined
      ? row.name
      : html`<button type="button" class="plain" data-filter="${filterOf(pivot, row.name)}">${row.name}</button>`;
  const bar = html`<svg viewBox="0 0 100 8" preserveAspectRatio="none" width="80" height="8" aria-hidden="true"><rect class="${row.net >= 0 ? 'gain' : 'loss'}" width="${width}" height="8" rx="1"/></svg>`;
  return html`<tr><th scope="row">${name}</th><td>${grouped(row.trades, 0)}</td><td>${percent(row.won / row.trades, 0)}</td><td>${grouped(row.net)}</td><td class="share">${bar}</td></tr>`;
}

/** Returns the filter text that selects the trades of a row: `side:short` or `reason:"crossed below"`. */
function filterOf(pivot: PivotName, name: string): string {
  return `${pivot}:${/^[\w.:/-]+$/.test(name) ? name : `"${name.replaceAll('"', '')}"`}`;
}
