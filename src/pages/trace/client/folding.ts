import type { StepSummary } from '../step.ts';

/** Row of the list: a step, or several consecutive steps without action, folded into one row. */
export type Row = StepSummary | Folded;

export interface Folded {
  readonly steps: readonly StepSummary[];
  /** First and last bar, including bars between them that have no step. */
  readonly from: number;
  readonly to: number;
  readonly label: string;
}

export function isFolded(row: Row): row is Folded {
  return 'steps' in row;
}

/** Properties of a run that determine which bars count as bars without action. */
export interface FoldTerms {
  /**
   * True if the strategy decides on every bar and records nothing when it does nothing. This applies to rules
   * in code.
   */
  readonly everyBar: boolean;
  readonly isDaily: boolean;
}

/** Returns true if nothing happened on a step. */
function isQuiet({ kind, acts, errors }: StepSummary): boolean {
  return errors === 0 && (kind === 'hold' || (kind === 'market' && acts === ''));
}

/** Returns the rows of the list. Consecutive steps without action become one row that opens. */
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
