import { type Content, type Html, html } from '../../shared/html.ts';
import { grouped, signedPercent } from '../../shared/number-formats.ts';
import { CASH_NAMES } from './attribution.ts';
import type { PageData } from './page-data.ts';
import { equityBefore, type Range, sumOf } from './range.ts';
import { table, toned } from './table.ts';

/** Step from the profit of price changes to the final profit. Amounts are signed. `null` if unknown. */
export interface PaidStep {
  readonly name: string;
  readonly amount: number | null;
  readonly returnBefore: number | null;
  readonly returnAfter: number | null;
  readonly reason?: string | undefined;
  /** True if the cost is not paid from the account, for example the model's tokens. */
  readonly isOutside?: boolean;
}

/** Returns the cost steps of a range of sessions. Returns are relative to the equity at its start. */
export function paidStepsOf(data: PageData, range: Range): PaidStep[] {
  const { sessions } = data;
  const before = equityBefore(data, range);
  const profit = sessions.equity[range.to]! - before;
  const paid: (readonly [string, number])[] = [
    ['Commission', -sumOf(sessions.commission, range)],
    ['Slippage', -sumOf(sessions.slippage, range)],
    ...sessions.cash
      .map(({ kind, amounts }) => [CASH_NAMES[kind] ?? kind, sumOf(amounts, range)] as const)
      .filter(([, amount]) => amount !== 0),
  ];
  const share = (amount: number): number | null => (before > 0 ? amount / before : null);
  let left = paid.reduce((rest, [, amount]) => rest - amount, profit);
  const steps: PaidStep[] = [
    { name: 'From prices', amount: left, returnBefore: 0, returnAfter: share(left) },
  ];
  for (const [name, amount] of paid) {
    steps.push({ name, amount, returnBefore: share(left), returnAfter: share(left + amount) });
    left += amount;
  }
  return steps;
}

/**
 * Returns the table of costs: from the profit of price changes to the profit after all costs, with the return
 * before and after each step.
 */
export function costTable(steps: readonly PaidStep[], start: string): Html {
  if (steps.length === 0) return html`<p>No bar was processed: nothing was paid.</p>`;
  const outside = steps.find(({ isOutside }) => isOutside === true);
  const paid = steps.filter((step) => step !== outside);
  const rows = [
    ...paid.map(row),
    total('After all of these', paid),
    ...(outside === undefined ? [] : [row(outside), total('After model tokens', steps)]),
  ];
  const notes = [
    `Before and after are returns of ${start}; each cost is taken off the same fills in the same quantities.`,
    ...(outside === undefined
      ? []
      : ['The equity has not paid the model’s tokens: they are taken off here alone.']),
    ...(outside?.reason === undefined ? [] : [`Their cost is unknown: ${outside.reason}.`]),
  ];
  return html`${table('From gross to net', ['Step', 'Money', 'Before', 'After'], rows)}<p class="note">${notes.join(' ')}</p>`;
}

function row({ name, amount, returnBefore, returnAfter }: PaidStep): Content[] {
  return [
    name,
    amount === null ? 'unknown' : toned(grouped(amount), amount),
    signedPercent(returnBefore),
    returnAfter === null && amount === null ? 'unknown' : signedPercent(returnAfter),
  ];
}

function total(name: string, steps: readonly PaidStep[]): Content[] {
  if (steps.some((step) => step.amount === null)) return [name, 'unknown', '', 'unknown'];
  const sum = steps.reduce((all, step) => all + (step.amount ?? 0), 0);
  return [name, toned(grouped(sum), sum), '', signedPercent(steps.at(-1)?.returnAfter)];
}
