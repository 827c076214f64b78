import { type Html, html } from '../../shared/html.ts';
import { grouped, percent, tone } from '../../shared/number-formats.ts';
import { dateText } from './dates.ts';
import type { Places, TradeRow } from './page-data.ts';

/** The row of a trade: the first ones are made with the page, the others by its script. */
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

/** Net profit over what the units cost when they were entered; null where that was nothing. */
export function returnOf({ net, notional }: TradeRow): number | null {
  return notional > 0 ? net / notional : null;
}
