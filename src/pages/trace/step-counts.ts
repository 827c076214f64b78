import type { JournalEvent } from '../../journal/index.ts';
import { textOf } from '../../kernel/index.ts';
import type { StepSummary } from './step.ts';
import { errorOf } from './tool-error.ts';

/** A bar on which nothing has happened yet. */
export function newStep(bar: number): StepSummary {
  return {
    bar,
    date: '',
    tools: [],
    calls: 0,
    errors: 0,
    orders: 0,
    fills: 0,
    trades: [],
    outcome: '',
    story: [],
    failure: '',
    unfinished: true,
  };
}

/** Counts what happened on a bar. */
export function countIn(step: StepSummary, event: JournalEvent): void {
  switch (event.type) {
    case 'tool_called': {
      const name = textOf(event.name);
      if (!step.tools.includes(name)) step.tools.push(name);
      step.calls += 1;
      if (errorOf(event.result) !== undefined) step.errors += 1;
      break;
    }
    case 'order_accepted':
      step.orders += 1;
      break;
    case 'order_filled':
      step.fills += 1;
      tell(step, fillText(event));
      break;
    case 'order_rejected':
      step.errors += 1;
      tell(step, `refused to ${textOf(event.action)} ${textOf(event.symbol)}: ${textOf(event.message)}`);
      break;
    case 'model_unavailable':
      step.errors += 1;
      break;
    case 'model_called':
    case 'agent_replied':
      if (event.failure !== undefined) step.errors += 1;
      break;
    case 'decision_made':
      step.outcome = textOf(event.outcome);
      break;
    default:
  }
}

/** Sentences that the list has for one bar. */
const MOST_SENTENCES = 3;
/** Longest of them, in characters. */
const LONGEST = 140;

function tell(step: StepSummary, text: string): void {
  if (step.story.length >= MOST_SENTENCES) return;
  step.story.push(text.length <= LONGEST ? text : `${text.slice(0, LONGEST - 1)}…`);
}

function fillText(event: JournalEvent): string {
  const reason = textOf(event.reason);
  const what = `${event.side === 'buy' ? 'bought' : 'sold'} ${textOf(event.quantity)} ${textOf(event.symbol)}`;
  return reason === '' ? what : `${what} because ${reason}`;
}

/** Notes on a bar that the run failed there. */
export function failOn(step: StepSummary, message: string): void {
  step.failure = message;
  step.errors += 1;
}

/** The step of a bar among others in the order of their bars. */
export function stepOf(steps: readonly StepSummary[], bar: number): StepSummary | undefined {
  let [low, high] = [0, steps.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const step = steps[middle]!;
    if (step.bar === bar) return step;
    if (step.bar < bar) low = middle + 1;
    else high = middle - 1;
  }
  return undefined;
}
