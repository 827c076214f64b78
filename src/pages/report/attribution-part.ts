import { type Html, html } from '../shared/html.ts';
import { PIVOTS, waterfallOf } from './model/attribution.ts';
import type { PageData } from './model/page-data.ts';
import { pivotTable } from './model/pivot-table.ts';
import { tradesIn, wholeRange } from './model/range.ts';
import { excursionScatter, holdingTimes, tradeByTrade } from './model/svg/trade-plots.ts';
import { waterfall } from './model/svg/waterfall.ts';

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
