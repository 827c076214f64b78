import type { Block, StepView } from '../step.ts';

/** What a decision is compared by, line by line. */
export interface RequestLines {
  /** It was sent to somebody; else what its tools were asked and answered. */
  readonly isRequest: boolean;
  readonly lines: readonly string[];
}

/** What the decider was sent on a bar, as lines; where nobody was sent anything, what it asked its tools and was answered. */
export function requestLines({ decision }: StepView): RequestLines {
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
