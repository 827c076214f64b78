import { type CostStep, capacityOf, MODEL_TOKENS } from '../../analysis/index.ts';
import type { RunRecord } from '../../journal/index.ts';
import { type Html, html } from '../shared/html.ts';
import { capacityTable } from './model/capacity-table.ts';
import type { PaidStep } from './model/cost-table.ts';
import { costParts } from './model/costs.ts';

/** Returns the section about trading costs, results with higher costs, and capacity. */
export function costsPart(record: RunRecord, steps: readonly CostStep[]): Html {
  return html`<div class="columns"><div id="costs-of-period">${costParts(steps.map(paidStep), 'the initial cash')}</div><div id="capacity"><h3>Room for more money</h3><div id="capacity-of-period">${capacityTable(capacityOf(record), 'the initial cash')}</div></div></div>`;
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
