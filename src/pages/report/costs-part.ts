import { CAPACITY_CONVENTION, capacityOf, costMultiples, type Metrics } from '../../analysis/index.ts';
import type { RunRecord } from '../../journal/index.ts';
import { amount, integer, percent, ratio, signedPercent } from '../shared/formats.ts';
import { type Html, html } from '../shared/html.ts';
import { costTable } from './cost-table.ts';
import { table } from './sections.ts';

/** What trading cost, what more of it would have left, and how much money the trades leave room for. */
export function costsPart(record: RunRecord, metrics: Metrics): Html {
  return html`<div class="columns"><div><h3>What trading cost</h3>${costTable(metrics.costSteps)}</div><div><h3>Had costs been higher</h3>${multiplesTable(metrics)}</div><div><h3>Room for more money</h3>${capacityTable(record)}</div></div>`;
}

function multiplesTable({ costSteps }: Metrics): Html {
  const found = costMultiples(costSteps);
  if (found === undefined) return html`<p>No bar was processed.</p>`;
  const { steps, breakEven } = found;
  const rows = steps.map(({ multiple, totalReturn }) => [
    multiple === 0 ? 'None' : `${multiple} ×`,
    signedPercent(totalReturn),
  ]);
  const even =
    breakEven === null
      ? (steps[0]?.totalReturn ?? 0) <= 0
        ? 'Before any cost there was no gain to lose.'
        : 'Trading cost nothing, so that no multiple of it takes the gain.'
      : `Nothing is left at ${ratio(breakEven)} times the costs.`;
  return html`${table('Return at multiples of the costs', ['Commission and slippage', 'Return'], rows)}<p class="note">The same fills in the same quantities. ${even}</p>`;
}

function capacityTable(record: RunRecord): Html {
  const found = capacityOf(record);
  if ('reason' in found) return html`<p>Not defined: ${found.reason}.</p>`;
  const { steps, median, high, largest, fills } = found;
  const small = (share: number): string =>
    share < 1e-6 ? 'under 0.0001%' : percent(share, share < 0.001 ? 4 : 2);
  return html`${table(
    'Account by participation in the volume',
    ['Of a bar’s volume', '95% of fills', 'All fills'],
    steps.map(({ participation, usual, all }) => [
      percent(participation, 0),
      amount(Math.round(usual), 0),
      amount(Math.round(all), 0),
    ]),
  )}<p class="note">This run took ${small(median)} of the volume with its median fill, ${small(high)} with the 95th of 100, ${small(largest)} at most (${integer(fills)} fills). Initial cash: ${CAPACITY_CONVENTION}.</p>`;
}
