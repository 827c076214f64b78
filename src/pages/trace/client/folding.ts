import type { StepSummary } from '../step.ts';

/** A row of the list: a step, or steps on which nothing was decided but to hold, folded into one. */
export type Row = StepSummary | Folded;

export interface Folded {
  readonly steps: readonly StepSummary[];
  /** First and last bar, those between that the journal says nothing of among them. */
  readonly from: number;
  readonly to: number;
  readonly label: string;
}

export function isFolded(row: Row): row is Folded {
  return 'steps' in row;
}

/** How a run's holds are counted. */
export interface FoldTerms {
  /** It decides on each bar, and leaves no trace where it does nothing: rules in code. */
  readonly everyBar: boolean;
  readonly isDaily: boolean;
}

/** Whether a step is one that a story passes over. */
function isQuiet({ kind, acts, errors }: StepSummary): boolean {
  return errors === 0 && (kind === 'hold' || (kind === 'market' && acts === ''));
}

/** Steps as a story: those on which nothing was done, one after the other, are one row that opens. */
export function storyRows(steps: readonly StepSummary[], terms: FoldTerms): Row[] {
  const rows: Row[] = [];
  let quiet: StepSummary[] = [];
  let before: StepSummary | undefined;
  const close = (next: StepSummary | undefined): void => {
    const [first, last] = [quiet[0], quiet.at(-1)];
    const from = terms.everyBar && before !== undefined ? before.bar + 1 : first?.bar;
    const to = terms.everyBar && next !== undefined ? next.bar - 1 : last?.bar;
    if (
      from !== undefined &&
      to !== undefined &&
      (quiet.length > 1 || (terms.everyBar && to >= from && before !== undefined))
    )
      rows.push({ steps: quiet, from, to, label: labelOf(quiet, from, to, terms) });
    else rows.push(...quiet);
    quiet = [];
  };
  for (const step of steps) {
    if (isQuiet(step)) {
      quiet.push(step);
      continue;
    }
    close(step);
    rows.push(step);
    before = step;
  }
  if (quiet.length > 0) close(undefined);
  return rows;
}

function labelOf(
  steps: readonly StepSummary[],
  from: number,
  to: number,
  { everyBar, isDaily }: FoldTerms,
): string {
  const holds = steps.filter(({ kind }) => kind === 'hold').length;
  const fills = steps.reduce((sum, step) => sum + (step.kind === 'market' ? step.fills : 0), 0);
  const inARow = everyBar || to - from + 1 === steps.length;
  const count = everyBar ? to - from + 1 : inARow ? steps.length : holds;
  const unit = inARow ? (isDaily ? 'day' : 'bar') : 'decision';
  const held = holds > 0 || everyBar ? `${counted(count, unit)} held` : '';
  return [
    held,
    fills > 0 ? counted(fills, 'fill') : '',
    held === '' && fills === 0 ? counted(steps.length, unit) : '',
  ]
    .filter((text) => text !== '')
    .join(', ');
}

export function counted(count: number, name: string): string {
  return `${count.toLocaleString('en-US')} ${name}${count === 1 ? '' : 's'}`;
}
