import { CAPACITY_CONVENTION, type CostStep, capacityOf, MODEL_TOKENS } from '../../analysis/index.ts';
import type { RunRecord } from '../../journal/index.ts';
import { integer, percent } from '../shared/formats.ts';
import { type Html, html } from '../shared/html.ts';
import { grouped } from '../shared/number-formats.ts';
import type { PaidStep } from './model/cost-table.ts';
import { costParts } from './model/costs.ts';
import { table } from './sections.ts';

/** What trading cost, what more of it would have left, and how much money the trades leave room for. */
export function costsPart(record: RunRecord, steps: readonly CostStep[]): Html {
  return html`<div class="columns"><div id="costs-of-period">${costParts(steps.map(paidStep), 'the initial cash')}</div><div id="capacity"><h3 class="of-whole">Room for more money</h3>${capacityTable(record)}</div></div>`;
}

function paidStep({ name, amount, returnBefore, returnAfter, reason }: CostStep): PaidStep {
  return {
    name,
    amount: amount === null ? null : Number(amount),
    returnBefore,
    returnAfter,
    reason,
    isOutside: name === MODEL_TOKENS,
  };
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
      roughAmount(usual),
      roughAmount(all),
    ]),
  )}<p class="note">This run took ${small(median)} of the volume with its median fill, ${small(high)} with the 95th of 100, ${small(largest)} at most (${integer(fills)} fills). Initial cash: ${CAPACITY_CONVENTION}.</p>`;
}

const SCALES: readonly (readonly [from: number, name: string])[] = [
  [1e12, 'trillion'],
  [1e9, 'billion'],
  [1e6, 'million'],
];

/** Three digits: an estimate has no more. */
export function roughAmount(value: number): string {
  const rough = Number(value.toPrecision(3));
  const [from, name] = SCALES.find(([least]) => rough >= least) ?? [1, ''];
  return name === '' ? grouped(rough, 0) : `${Number((rough / from).toPrecision(3))} ${name}`;
}
