import type { StepSummary } from '../step.ts';
import { element } from './dom.ts';
import { goTo } from './place.ts';

/** Returns true if the strategy made a decision on the bar. */
export function isDecision({ kind }: StepSummary): boolean {
  return kind !== 'market';
}

/** Creates the form that selects a decision for comparison. Default: the previous decision. */
export function comparisonForm(
  bar: number,
  before: number | undefined,
  usual: number | undefined,
): HTMLElement {
  const input = element('input', { type: 'number', min: '0', id: 'with', inputmode: 'numeric' });
  input.value = String(before ?? usual ?? '');
  const form = element(
    'form',
    { class: 'controls', id: 'comparison' },
    element('label', {}, 'What changed since the decision of bar ', input),
    element('button', { type: 'submit' }, 'Show'),
    before === undefined ? null : element('a', { href: `#bar=${bar}` }, 'Close'),
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (input.value !== '') goTo(bar, Number(input.value));
  });
  return form;
}
