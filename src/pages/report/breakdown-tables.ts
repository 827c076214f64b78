import { breakdownsOf } from '../../analysis/index.ts';
import type { RunRecord } from '../../journal/index.ts';
import { amount, integer, percent } from '../shared/formats.ts';
import { type Html, html } from '../shared/html.ts';
import { table, toned } from './sections.ts';

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
