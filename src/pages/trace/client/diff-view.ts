import type { Block, StepView } from '../step.ts';
import { counted, element } from './folding.ts';

/**
 * Line of a comparison of two texts. `same`: in both texts. `gone`: only in the first text. `new`: only in
 * the second text.
 */
interface DiffLine {
  readonly kind: 'same' | 'gone' | 'new';
  readonly text: string;
}

/** Maximum number of changed lines. If there are more, the texts are shown as completely different. */
const MOST_CHANGES = 800;

/**
 * Returns the differences between two texts by line, with the minimum number of changes.
 *
 * Source: E. W. Myers, An O(ND) difference algorithm and its variations, Algorithmica 1 (1986), figure 2.
 */
export function lineDiff(before: readonly string[], after: readonly string[]): DiffLine[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  let [oldEnd, newEnd] = [before.length, after.length];
  while (oldEnd > start && newEnd > start && before[oldEnd - 1] === after[newEnd - 1]) {
    oldEnd -= 1;
    newEnd -= 1;
  }
  const same = (texts: readonly string[]): DiffLine[] => texts.map((text) => ({ kind: 'same', text }));
  return [
    ...same(before.slice(0, start)),
    ...middle(before.slice(start, oldEnd), after.slice(start, newEnd)),
    ...same(before.slice(oldEnd)),
  ];
}

function middle(before: readonly string[], after: readonly string[]): DiffLine[] {
  const trail = furthest(before, after);
  if (trail === undefined)
    return [
      ...before.map((text): DiffLine => ({ kind: 'gone', text })),
      ...after.map((text): DiffLine => ({ kind: 'new', text })),
    ];
  const lines: DiffLine[] = [];
  let [x, y] = [before.length, after.length];
  for (let changes = trail.length - 1; changes >= 0; changes--) {
    const reached = trail[changes]!;
    const diagonal = x - y;
    const isDown = goesDown(reached, diagonal, changes);
    const from = reached.get(isDown ? diagonal + 1 : diagonal - 1) ?? 0;
    const fromY = from - (isDown ? diagonal + 1 : diagonal - 1);
    while (x > Math.max(from, 0) && y > Math.max(fromY, 0)) {
      x -= 1;
      y -= 1;
      lines.push({ kind: 'same', text: before[x]! });
    }
    if (changes === 0) break;
    if (isDown) lines.push({ kind: 'new', text: after[--y]! });
    else lines.push({ kind: 'gone', text: before[--x]! });
  }
  return lines.reverse();
}

function goesDown(reached: ReadonlyMap<number, number>, diagonal: number, changes: number): boolean {
  if (diagonal === -changes) return true;
  return diagonal !== changes && (reached.get(diagonal - 1) ?? -1) < (reached.get(diagonal + 1) ?? -1);
}

/**
 * Returns the furthest point on each diagonal of the edit graph, for each number of changes. `undefined` if
 * more than `MOST_CHANGES` are necessary.
 */
function furthest(before: readonly string[], after: readonly string[]): Map<number, number>[] | undefined {
  const reached = new Map<number, number>([[1, 0]]);
  const trail: Map<number, number>[] = [];
  const most = Math.min(before.length + after.length, MOST_CHANGES);
  for (let changes = 0; changes <= most; changes++) {
    trail.push(new Map(reached));
    for (let diagonal = -changes; diagonal <= changes; diagonal += 2) {
      let x = goesDown(reached, diagonal, changes)
        ? (reached.get(diagonal + 1) ?? 0)
        : (reached.get(diagonal - 1) ?? 0) + 1;
      while (x < before.length && x - diagonal < after.length && before[x] === after[x - diagonal]) x += 1;
      reached.set(diagonal, x);
      if (x >= before.length && x - diagonal >= after.length) return trail;
    }
  }
  return undefined;
}

/** Number of unchanged lines that are shown before and after a change. */
const AROUND = 3;
/** Maximum number of characters shown per line. */
const LONGEST = 2_000;

const MARKS = { same: ' ', gone: '−', new: '+' } as const;
const TONES = { same: 'plain', gone: 'bad', new: 'good' } as const;
const WORDS = { gone: 'only before: ', new: 'only now: ' } as const;

/**
 * Shows the differences between the requests for two decisions. For decisions without a request, compares the
 * tool calls and orders.
 */
export function renderDiff(before: StepView, now: StepView, names: readonly [string, string]): HTMLElement {
  const [old, own] = [requestLines(before), requestLines(now)];
  const diff = lineDiff(old.lines, own.lines);
  const count = (kind: DiffLine['kind']): number => diff.filter((line) => line.kind === kind).length;
  const what = own.isRequest ? 'what was sent' : 'what tools were asked and answered, and the orders';
  return element(
    'section',
    { class: 'diff card', 'aria-labelledby': 'diff-title' },
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

/** Renders the lines of a comparison. Unchanged lines far from any change are collapsed. */
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
  const word = kind === 'same' ? null : element('span', { class: 'hidden' }, WORDS[kind]);
  return element(
    'div',
    { class: 'line', 'data-tone': TONES[kind], dir: 'auto' },
    mark,
    word,
    element('span', {}, shown),
  );
}

/** Decision as lines of text, for a comparison with another decision. */
interface RequestLines {
  /**
   * True if the lines contain the request to a model or an agent. False if they contain tool calls with
   * results, and orders.
   */
  readonly isRequest: boolean;
  readonly lines: readonly string[];
}

/**
 * Returns the request that was sent for the decision on a bar, as lines. If there was no request, returns the
 * tool calls with their results, and the orders.
 */
function requestLines({ decision }: StepView): RequestLines {
  const isRequest = decision.some(({ texts }) => texts.some(({ sent }) => sent === true));
  const lines = decision.flatMap((block) => linesOf(block, isRequest));
  return { isRequest, lines };
}

function linesOf({ kind, title, texts, facts }: Block, isRequest: boolean): string[] {
  if (!isRequest && kind === 'order')
    return [`— ${title} —`, ...facts.map(([name, value]) => `${name}: ${value}`)];
  const shown = texts.filter(({ sent }) => (isRequest ? sent === true : kind === 'tool'));
  return shown.flatMap(({ label, text }) => [`— ${title}: ${label} —`, ...text.split('\n')]);
}
