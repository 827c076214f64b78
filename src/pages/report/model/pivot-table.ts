import { type Html, html } from '../../shared/html.ts';
import { grouped, percent } from '../../shared/number-formats.ts';
import { type PivotName, type PivotRow, pivotOf, waterfallOf } from './attribution.ts';
import type { PageData } from './page-data.ts';
import { type Range, tradesIn } from './range.ts';

const MOST_ROWS = 40;

const TITLES: Readonly<Record<PivotName, string>> = {
  symbol: 'Symbol',
  side: 'Side',
  month: 'Month of exit',
  hour: 'Hour of entry (UTC)',
  reason: 'Exit reason',
};

/**
 * Returns the trades of a range by group. Together with the amounts that do not belong to closed trades, the
 * rows add up to the profit.
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
  return html`<div class="frame" tabindex="0" role="group" aria-label="Profit by ${TITLES[pivot].toLowerCase()}"><table class="pivot"><caption class="hidden">Profit by ${TITLES[pivot].toLowerCase()}</caption><thead><tr><th scope="col">${TITLES[pivot]}</th><th scope="col">Trades</th><th scope="col">Won</th><th scope="col">Net of commission</th><td class="share"></td></tr></thead><tbody>${rows
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

/** Returns the filter that selects the trades of a row: `side:short`, `reason:"crossed below"`. */
function filterOf(pivot: PivotName, name: string): string {
  return `${pivot}:${/^[\w.:/-]+$/.test(name) ? name : `"${name.replaceAll('"', '')}"`}`;
}
