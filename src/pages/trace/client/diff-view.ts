import type { StepView } from '../step.ts';
import { element } from './dom.ts';
import { counted } from './folding.ts';
import { type DiffLine, lineDiff } from './line-diff.ts';
import { requestLines } from './request-lines.ts';

/** Number of unchanged lines shown around a change. */
const AROUND = 3;
/** Maximum number of characters shown per line. */
const LONGEST = 2_000;

const MARKS = { same: ' ', gone: '−', new: '+' } as const;
const WORDS = { gone: 'only before: ', new: 'only now: ' } as const;

/** Shows the differences between the inputs of two decisions. */
export function renderDiff(before: StepView, now: StepView, names: readonly [string, string]): HTMLElement {
  const [old, own] = [requestLines(before), requestLines(now)];
  const diff = lineDiff(old.lines, own.lines);
  const count = (kind: DiffLine['kind']): number => diff.filter((line) => line.kind === kind).length;
  const what = own.isRequest ? 'what was sent' : 'what tools were asked and answered, and the orders';
  return element(
    'section',
    { class: 'diff', 'aria-labelledby': 'diff-title' },
    element('h3', { id: 'diff-title', tabindex: '-1' }, `What changed from ${names[0]} to ${names[1]}`),
    element(
      'p',
      { class: 'note' },
      own.lines.length + old.lines.length === 0
        ? 'Neither was sent anything.'
        : `In ${what}: ${counted(count('gone'), 'line')} gone, ${counted(count('new'), 'line')} new, ${counted(count('same'), 'line')} the same.`,
    ),
    element(
      'div',
      { class: 'frame lines', tabindex: '0', role: 'group', 'aria-label': 'Lines' },
      folded(diff),
    ),
  );
}

/** Folds unchanged lines that are far from any change. */
function folded(diff: readonly DiffLine[]): HTMLElement[] {
  const near = new Uint8Array(diff.length);
  for (const [place, { kind }] of diff.entries())
    if (kind !== 'same') near.fill(1, Math.max(0, place - AROUND), place + AROUND + 1);
  const parts: HTMLElement[] = [];
  for (let place = 0; place < diff.length; ) {
    let end = place;
    while (end < diff.length && near[end] === near[place]) end += 1;
    const lines = diff.slice(place, end);
    parts.push(...(near[place] === 1 ? lines.map(renderLine) : [foldedLines(lines)]));
    place = end;
  }
  return parts;
}

function foldedLines(lines: readonly DiffLine[]): HTMLElement {
  const details = element('details', {}, element('summary', {}, `${counted(lines.length, 'line')} the same`));
  details.addEventListener('toggle', () => {
    if (details.open && details.children.length === 1) details.append(...lines.map(renderLine));
  });
  return details;
}

function renderLine({ kind, text }: DiffLine): HTMLElement {
  const shown = text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
  const mark = element('span', { class: 'sign', 'aria-hidden': 'true' }, MARKS[kind]);
  const word = kind === 'same' ? null : element('span', { class: 'unseen' }, WORDS[kind]);
  return element('div', { class: `line ${kind}`, dir: 'auto' }, mark, word, element('span', {}, shown));
}
