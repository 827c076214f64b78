import type { StepSummary, StepView } from '../step.ts';

/** What a trace's list is narrowed by. */
export interface StepFilter {
  /** One of the letters of what happened, `d` for all that was decided and is no hold; empty for all. */
  readonly act: string;
  /** A tool's name; empty for all. */
  readonly tool: string;
  /** A trade's number. */
  readonly trade: number | null;
}

/** Whether a step passes a filter. */
export function passes(step: StepSummary, { act, tool, trade }: StepFilter): boolean {
  if (act === 'e' && step.errors === 0 && step.failure === '') return false;
  if (act === 'd' && (step.kind === 'hold' || step.kind === 'market')) return false;
  if ('bsrh'.includes(act) && !step.acts.includes(act)) return false;
  if (tool !== '' && !step.tools.split('\n').includes(tool)) return false;
  return trade === null || step.trades.split(' ').includes(String(trade));
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
