import type { RunRecord } from '../../journal/index.ts';
import {
  type Attribution,
  type AttributionPart,
  addedUp,
  breakdownsOf,
} from '../../results/analysis/index.ts';
import { amount, integer, percent } from '../shared/formats.ts';
import { type Content, type Html, html } from '../shared/html.ts';
import { table, toned } from './figure-table.ts';
import { PIVOTS, pivotTable, waterfallOf } from './model/attribution.ts';
import type { PageData } from './model/page-data.ts';
import { tradesIn, wholeRange } from './model/range.ts';
import { excursionScatter, holdingTimes, tradeByTrade, waterfall } from './model/svg/trade-plots.ts';

type Column = Exclude<keyof AttributionPart, 'name'>;

const COLUMNS: readonly (readonly [Column, string])[] = [
  ['total', 'Total with open positions'],
  ['closedTrades', 'Trades'],
  ['closed', 'Closed, before commission'],
  ['open', 'Open'],
  ['commission', 'Commission'],
  ['dividends', 'Dividends'],
  ['financing', 'Financing'],
];

/**
 * Returns tables that split the profit by symbol, side, reason and month. The last row of each table is the
 * profit of the run.
 */
export function attributionTables({ bySymbol, bySide, byReason, byMonth }: Attribution): Html {
  const lists = [
    ['Symbol', bySymbol],
    ['Side', bySide],
    ['Reason', byReason],
  ] as const;
  return html`<p>Each of these adds up to the profit of the run, to the last decimal.</p>${lists.map(([title, parts]) => attributionTable(title, parts))}<details><summary>Profit by month</summary>${attributionTable('Month', byMonth)}</details><p class="note">Closed, before commission: profit at the fill prices, after slippage. Open: what is held at the end, at its last close; by month, what became of it in the month. Financing: borrow fees and interest. Amounts are rounded here; summary.json has them in full.</p>`;
}

function attributionTable(title: string, parts: readonly AttributionPart[]): Html {
  const sum = addedUp('Sum', parts);
  const shown = COLUMNS.filter(
    ([column]) => column === 'total' || parts.some((part) => Number(part[column]) !== 0),
  );
  const row = (part: AttributionPart): Content[] => [
    part.name,
    ...shown.map(([column]) =>
      column === 'closedTrades' ? integer(part.closedTrades) : toned(amount(part[column]), part[column]),
    ),
  ];
  return table(
    `Profit by ${title.toLowerCase()}`,
    [title, ...shown.map(([, name]) => name)],
    [...parts.map(row), row(sum)],
  );
}

/**
 * Returns the section with the sources of a run's profit. The page's script renders the same tables for a
 * selected period.
 */
export function attributionPart(data: PageData): Html {
  if (data.sessions.time.length === 0) return html`<p>No bar was processed.</p>`;
  const range = wholeRange(data);
  const { steps, profit } = waterfallOf(data, range);
  const names = PIVOTS.filter(
    (name) => (name !== 'hour' || data.terms.intraday) && (name !== 'symbol' || data.symbols.length > 1),
  );
  const first = names[0] ?? 'side';
  const tabs = names.map(
    (name) =>
      html`<button type="button" data-pivot="${name}" aria-pressed="${name === first ? 'true' : 'false'}">${name}</button>`,
  );
  const rows = tradesIn(data, range);
  return html`<div class="columns"><div id="waterfall-part">${waterfall(steps, profit)}</div><div><div class="controls tabs" role="group" aria-label="Profit by">${tabs}</div><div id="pivot">${pivotTable(data, range, first)}</div></div></div><div class="columns" id="trade-plots" data-whole>${tradePlots(rows)}</div>`;
}

function tradePlots(rows: Parameters<typeof tradeByTrade>[0]): Html {
  return html`${tradeByTrade(rows)}${excursionScatter(rows)}${holdingTimes(rows)}`;
}

/** Returns tables of closed trades by weekday, holding time and similar properties. */
export function breakdownTables(record: RunRecord): Html {
  const tables = breakdownsOf(record).map(({ title, groups }) =>
    table(
      `Trades by ${title.toLowerCase()}`,
      [title, 'Trades', 'Won', 'Net of commission', 'Mean, net'],
      groups.map((group) => [
        group.name,
        integer(group.trades),
        percent(group.winRate, 1),
        toned(amount(group.netPnl), group.netPnl),
        toned(amount(group.meanNetPnl), group.meanNetPnl),
      ]),
    ),
  );
  return html`<div class="columns">${tables}</div>`;
}
