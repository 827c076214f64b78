import type { StepSummary, StepView } from '../step.ts';

/** Filter of the list. */
export interface StepFilter {
  /** Letter of an action, `d` for all decisions that are not "hold", or empty for all steps. */
  readonly act: string;
  /** Name of a tool. Empty for all. */
  readonly tool: string;
  /** Number of a trade. `null` for all. */
  readonly trade: number | null;
}

/** Returns true if a step passes the filter. */
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

/** Returns true if the texts of a bar contain all words. */
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
