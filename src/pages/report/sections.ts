import type { Drawdown, YearOfReturns } from '../../analysis/index.ts';
import { breakdownsOf } from '../../analysis/index.ts';
import type { RunRecord } from '../../journal/index.ts';
import { amount, integer, percent, readableDate, tone } from '../shared/formats.ts';
import { type Content, type Html, html } from '../shared/html.ts';

/** A titled part of the page; `id` is what links lead to. */
export function section(id: string, title: string, ...content: Content[]): Html {
  return html`<section id="${id}" aria-labelledby="${id}-title"><h2 id="${id}-title">${title}</h2>${content}</section>`;
}

/** A table in a frame of its own that scrolls sideways on a phone. */
export function table(caption: string, head: readonly string[], rows: readonly (readonly Content[])[]): Html {
  const cells = (row: readonly Content[]): Html[] =>
    row.map((cell, index) => (index === 0 ? html`<th scope="row">${cell}</th>` : html`<td>${cell}</td>`));
  return html`<div class="frame" tabindex="0" role="group" aria-label="${caption}"><table><caption class="hidden">${caption}</caption><thead><tr>${head.map(
    (name) => html`<th scope="col">${name}</th>`,
  )}</tr></thead><tbody>${rows.map((row) => html`<tr>${cells(row)}</tr>`)}</tbody></table></div>`;
}

export function toned(text: string, value: number | string | null): Html {
  return html`<span class="${tone(value)}">${text}</span>`;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
/** Return at which a month's colour is fullest. */
const FULL_COLOUR = 0.1;

export function monthlyTable(years: readonly YearOfReturns[]): Html {
  const cell = (value: number | null): Html => {
    if (value === null) return html`<td></td>`;
    const strength = Math.round(Math.min(Math.abs(value) / FULL_COLOUR, 1) * 10);
    return html`<td class="heat ${tone(value)}" data-strength="${strength}">${percent(value, 1)}</td>`;
  };
  const rows = years.map(
    ({ year, months, total }) =>
      html`<tr><th scope="row">${String(year)}</th>${months.map(cell)}<td class="total">${toned(percent(total, 1), total)}</td></tr>`,
  );
  return html`<div class="frame" tabindex="0" role="group" aria-label="Returns by month"><table class="months"><caption class="hidden">Returns by month and year</caption><thead><tr><th scope="col">Year</th>${MONTHS.map(
    (name) => html`<th scope="col">${name}</th>`,
  )}<th scope="col">Year</th></tr></thead><tbody>${rows}</tbody></table></div>`;
}

export function drawdownTable(deepest: readonly Drawdown[]): Html {
  if (deepest.length === 0) return html`<p>Equity never fell below an earlier high.</p>`;
  return table(
    'Deepest drawdowns',
    ['Depth', 'Peak', 'Trough', 'Recovered', 'Days'],
    deepest.map((one) => [
      toned(percent(one.depth), one.depth),
      readableDate(one.peakDate),
      readableDate(one.troughDate),
      one.recovered ? readableDate(one.endDate) : html`<span class="wrap">not by the end</span>`,
      integer(Math.round(one.days)),
    ]),
  );
}

export function breakdownTables(record: RunRecord): Html {
  const tables = breakdownsOf(record).map(({ title, groups }) =>
    table(
      `Trades by ${title.toLowerCase()}`,
      [title, 'Trades', 'Won', 'Net P&L', 'Mean'],
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
