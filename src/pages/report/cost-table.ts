import { type CostStep, MODEL_TOKENS } from '../../analysis/index.ts';
import { decimal, decimalString, ZERO } from '../../kernel/index.ts';
import { amount, signedPercent } from '../shared/formats.ts';
import { type Content, type Html, html } from '../shared/html.ts';
import { table, toned } from './sections.ts';

/** From what prices brought to what is left after every cost, with the return before and after each. */
export function costTable(steps: readonly CostStep[]): Html {
  if (steps.length === 0) return html`<p>No bar was processed: nothing was paid.</p>`;
  const tokens = steps.find(({ name }) => name === MODEL_TOKENS);
  const paid = steps.filter((step) => step !== tokens);
  const rows = [
    ...paid.map(row),
    total('After all of these', paid),
    ...(tokens === undefined ? [] : [row(tokens), total('After model tokens', steps)]),
  ];
  const notes = [
    'Before and after are returns of the initial cash; each cost is taken off the same fills in the same quantities.',
    ...(tokens === undefined
      ? []
      : ['The equity has not paid the model’s tokens: they are taken off here alone.']),
    ...(tokens?.reason === undefined ? [] : [`Their cost is unknown: ${tokens.reason}.`]),
  ];
  return html`${table('From gross to net', ['Step', 'Money', 'Before', 'After'], rows)}<p class="note">${notes.join(' ')}</p>`;
}

function row({ name, amount: money, returnBefore, returnAfter }: CostStep): Content[] {
  return [
    name,
    money === null ? 'unknown' : toned(amount(money), money),
    signedPercent(returnBefore),
    returnAfter === null ? 'unknown' : signedPercent(returnAfter),
  ];
}

function total(name: string, steps: readonly CostStep[]): Content[] {
  if (steps.some((step) => step.amount === null)) return [name, 'unknown', '', 'unknown'];
  const sum = decimalString(steps.reduce((all, step) => all.plus(decimal(step.amount ?? '0')), ZERO));
  return [name, toned(amount(sum), sum), '', signedPercent(steps.at(-1)?.returnAfter)];
}
