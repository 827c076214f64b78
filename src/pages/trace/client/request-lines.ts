import type { Block, StepView } from '../step.ts';

/** Lines by which two decisions are compared. */
export interface RequestLines {
  /**
   * True if the lines are a request to a model or an agent. Otherwise they are tool calls with their results,
   * and orders.
   */
  readonly isRequest: boolean;
  readonly lines: readonly string[];
}

/**
 * Returns the request that was sent for the decision on a bar, as lines. Without a request, returns the tool
 * calls with their results, and the orders.
 */
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
