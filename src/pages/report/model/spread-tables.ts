import type { YearOfReturns } from '../../../analysis/series/index.ts';
import { type Html, html } from '../../shared/html.ts';
import { grouped, percent, readableDate, tone } from '../../shared/number-formats.ts';
import { table, toned } from './table.ts';

/** Drawdown as a row of the table. */
export interface FallRow {
  /** Negative. */
  readonly depth: number;
  readonly peakDate: string;
  readonly troughDate: string;
  readonly endDate: string;
  readonly days: number;
  readonly recovered: boolean;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
/** Absolute return at which the colour of a month is strongest. */
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

export function drawdownTable(deepest: readonly FallRow[]): Html {
  if (deepest.length === 0) return html`<p>Equity never fell below an earlier high.</p>`;
  return table(
    'Deepest drawdowns',
    ['Depth', 'Peak', 'Trough', 'Recovered', 'Days'],
    deepest.map((one) => [
      toned(percent(one.depth), one.depth),
      readableDate(one.peakDate),
      readableDate(one.troughDate),
      one.recovered ? readableDate(one.endDate) : html`<span class="wrap">not by the end</span>`,
      grouped(Math.round(one.days), 0),
    ]),
  );
}
