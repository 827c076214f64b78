import { type Attribution, type AttributionPart, addedUp } from '../../analysis/index.ts';
import { amount, integer } from '../shared/formats.ts';
import { type Content, type Html, html } from '../shared/html.ts';
import { table, toned } from './sections.ts';

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
