import { costMultiples } from '../../../analysis/series/index.ts';
import { type Html, html } from '../../shared/html.ts';
import { costTable, type PaidStep } from './cost-table.ts';
import { costCurve } from './svg/cost-curve.ts';

/**
 * Returns the parts about trading costs and about results with higher costs.
 *
 * @param start describes the amount that returns are relative to
 */
export function costParts(steps: readonly PaidStep[], start: string): Html {
  return html`<div><h3>What trading cost</h3>${costTable(steps, start)}</div><div><h3>Had costs been higher</h3>${costCurve(costMultiples(steps))}</div>`;
}
