import { type Html, html } from '../../shared/html.ts';
import { grouped, percent, tone } from '../../shared/number-formats.ts';
import { dateText } from './dates.ts';
import type { Places, TradeRow } from './page-data.ts';

/**
 * Returns the table row of a trade. The page contains the first rows, and its script renders the other rows.
 */
export function rowHtml(row: TradeRow, symbol: string, places: Places): Html {
  const cell = (text: string): Html => html`<td>${text}</td>`;
  return html`<tr data-trade="${row.id}"><th scope="row"><button type="button" class="jump" aria-label="Show trade ${row.id}">${row.id}</button></th>${[
    cell(symbol),
    cell(row.side),
    cell(grouped(row.quantity, places.quantity)),
    cell(dateText(row.entryTime)),
    cell(grouped(row.entryPrice, places.price)),
    cell(row.entryReason),
    cell(row.exitTime === null ? '' : dateText(row.exitTime)),
    cell(grouped(row.exitPrice, places.price)),
    cell(row.reason),
    html`<td class="${tone(row.net)}">${grouped(row.net)}</td>`,
    cell(percent(returnOf(row))),
    cell(percent(row.adverse, 1)),
    cell(percent(row.favourable, 1)),
  ]}</tr>`;
}

/** Returns net profit divided by the entry value. `null` if the entry value is zero. */
export function returnOf({ net, notional }: TradeRow): number | null {
  return notional > 0 ? net / notional : null;
}
