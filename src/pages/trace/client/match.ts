import type { StepFilter, StepSummary, StepView } from '../step.ts';

/** Steps on one page of the list. */
export const PAGE_SIZE = 100;

/** Whether a step passes all of a filter but its search. */
export function passes(step: StepSummary, { tool, errors, trade }: StepFilter): boolean {
  if (tool !== '' && !step.tools.includes(tool)) return false;
  if (errors && step.errors === 0) return false;
  return trade === null || step.trades.includes(trade);
}

export function wordsOf(search: string): string[] {
  return search
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
}

/** Whether everything that is shown of a bar has all the words. */
export function says(view: StepView, words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const text = [
    view.date,
    ...[...view.market, ...view.decision].flatMap((block) => [
      block.title,
      ...block.facts.flat(),
      ...block.texts.map((own) => own.text),
    ]),
  ]
    .join('\n')
    .toLowerCase();
  return words.every((word) => text.includes(word));
}

/** The offset of the page that holds the first step at or after a bar; the last page where none is. */
export function pageAt(steps: readonly StepSummary[], bar: number): number {
  const found = steps.findIndex((step) => step.bar >= bar);
  const place = found < 0 ? Math.max(steps.length - 1, 0) : found;
  return Math.floor(place / PAGE_SIZE) * PAGE_SIZE;
}
