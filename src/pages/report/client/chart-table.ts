import { grouped, percent } from '../../shared/number-formats.ts';
import { element } from '../../trace/client/dom.ts';
import { dayText } from '../model/dates.ts';
import type { PageData } from '../model/page-data.ts';
import { equityBefore } from '../model/range.ts';
import type { ViewStore } from './view.ts';

/** Maximum number of rows of the table that describes the chart. */
const MOST_ROWS = 60;

/**
 * Shows the chart's content for the period as a table for screen readers. The table is created when it is
 * opened.
 */
export function startChartTable(data: PageData, view: ViewStore): void {
  const details = document.getElementById('chart-table');
  if (!(details instanceof HTMLDetailsElement)) return;
  const draw = (): void => {
    if (!details.open) return;
    details.querySelector('.frame')?.remove();
    details.append(tableOf(data, view));
  };
  details.addEventListener('toggle', draw);
  view.onChange(draw);
}

function tableOf(data: PageData, { now: { range } }: ViewStore): HTMLElement {
  const { sessions } = data;
  const step = Math.max(1, Math.ceil((range.to - range.from + 1) / MOST_ROWS));
  const rows: HTMLElement[] = [];
  let peak = equityBefore(data, range);
  for (let session = range.from; session <= range.to; session++) {
    const equity = sessions.equity[session]!;
    peak = Math.max(peak, equity);
    if ((range.to - session) % step !== 0) continue;
    const bars = sessions.inside?.bars[session] ?? 1;
    const exposure = sessions.exposure[session];
    const cells = [
      grouped(equity),
      grouped(sessions.benchmark?.[session] ?? null),
      percent(equity / peak - 1),
      percent(exposure === null || exposure === undefined ? null : exposure / bars, 1),
    ];
    rows.push(
      element(
        'tr',
        {},
        element('th', { scope: 'row' }, dayText(sessions.time[session]!)),
        cells.map((text) => element('td', {}, text)),
      ),
    );
  }
  const head = ['Session', 'Equity', 'Benchmark', 'Drawdown', 'Mean exposure'].map((name) =>
    element('th', { scope: 'col' }, name),
  );
  return element(
    'div',
    { class: 'frame tall', tabindex: '0', role: 'group', 'aria-label': 'The chart as a table' },
    element(
      'table',
      {},
      element('caption', { class: 'hidden' }, 'The chart as a table'),
      element('thead', {}, element('tr', {}, head)),
      element('tbody', {}, rows),
    ),
  );
}
