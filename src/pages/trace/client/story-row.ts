import type { StepSummary } from '../step.ts';
import { element } from './dom.ts';
import { counted } from './folding.ts';
import { kindIcon } from './kinds.ts';
import { shortNumbers } from './numbers.ts';

/** Functions and maxima that all rows are drawn with. */
export interface RowTexts {
  /** Returns the formatted time of a step, or the bar number if the time is unknown. */
  readonly when: (step: StepSummary) => string;
  /** Maximum over all steps, which has the longest bar. */
  readonly mostTokens: number;
  readonly mostMilliseconds: number;
}

const MOST_TRADES = 3;

/** Creates the row of a step as a link to its bar. */
export function stepRow(step: StepSummary, texts: RowTexts): HTMLLIElement {
  const marks = [
    ...step.tools
      .split('\n')
      .filter((name) => name !== '')
      .map((name) => ['tool', name] as const),
    ...step.trades
      .split(' ')
      .filter((id) => id !== '')
      .slice(0, MOST_TRADES)
      .map((id) => ['trade', `trade ${id}`] as const),
    ...(step.unfinished ? [['bad', 'did not end'] as const] : []),
    ...(step.errors === 0 ? [] : [['bad', counted(step.errors, 'error')] as const]),
  ];
  const failed = step.failure === '' ? '' : 'The run failed here: ';
  const spent = [
    spentBar(step.tokens, texts.mostTokens, 'token'),
    spentBar(step.milliseconds, texts.mostMilliseconds, 'ms'),
  ].filter((bar) => bar !== null);
  return element(
    'li',
    {},
    element(
      'a',
      { href: `#bar=${step.bar}`, 'data-bar': String(step.bar), class: step.kind },
      kindIcon(step.kind),
      element(
        'span',
        { class: 'told' },
        element('span', { class: 'when' }, texts.when(step)),
        element(
          'span',
          { class: step.failure === '' ? 'story' : 'story bad' },
          `: ${failed}${shortNumbers(step.story)}`,
        ),
        marks.length === 0
          ? null
          : element(
              'span',
              { class: 'marks' },
              marks.map(([kind, text]) => element('span', { class: `mark ${kind}` }, text)),
            ),
        spent.length === 0 ? null : element('span', { class: 'spent' }, spent),
      ),
    ),
  );
}

/** Shows a number with a bar. The length of the bar is relative to `most`. */
function spentBar(value: number | null, most: number, unit: 'token' | 'ms'): HTMLElement | null {
  if (value === null || most === 0) return null;
  const bar = element('i', {});
  bar.style.width = `${Math.max(1, (value / most) * 40).toFixed(1)}px`;
  const text = unit === 'token' ? counted(value, 'token') : `${milliseconds(value)} ms`;
  return element('span', { class: unit }, bar, text);
}

export function milliseconds(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: value < 10 ? 1 : 0 });
}
