import type { StepSummary } from '../step.ts';
import { element } from './folding.ts';

/** True if the strategy made a decision on the bar. */
export function isDecision({ kind }: StepSummary): boolean {
  return kind !== 'market';
}

/**
 * Creates the form that selects another decision, with which the decision on this bar is compared.
 *
 * @param bar bar that the page shows
 * @param before bar of the selected decision; `undefined` if none is selected
 * @param usual bar that is suggested if none is selected: the previous decision
 */
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

/** Bars that the page's address contains. */
export interface Place {
  readonly bar: number;
  /** Bar of the decision with which the decision on `bar` is compared. `undefined` without a comparison. */
  readonly before: number | undefined;
}

export function placeOfAddress(): Place | undefined {
  const [, bar, before] = /^#bar=(\d{1,9})(?:&with=(\d{1,9}))?$/.exec(location.hash) ?? [];
  if (bar === undefined) return undefined;
  return { bar: Number(bar), before: before === undefined ? undefined : Number(before) };
}

export function goTo(bar: number, before?: number): void {
  location.hash = before === undefined ? `bar=${bar}` : `bar=${bar}&with=${before}`;
}

/**
 * Returns the index of the first step (bar with events) at or after a bar. If all steps are before the bar,
 * returns the number of steps. The steps must be sorted by bar.
 */
export function placeOf(steps: readonly { readonly bar: number }[], bar: number): number {
  let [low, high] = [0, steps.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (steps[middle]!.bar < bar) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns the step of a bar. `undefined` if the bar has no events. */
export function stepOf<Step extends { readonly bar: number }>(
  steps: readonly Step[],
  bar: number,
): Step | undefined {
  const step = steps[placeOf(steps, bar)];
  return step?.bar === bar ? step : undefined;
}
