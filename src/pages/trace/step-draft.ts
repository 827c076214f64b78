import type { JournalEvent } from '../../journal/index.ts';
import { isObject, numberOf, textOf } from '../../kernel/index.ts';

/** Maximum length of a text that the list quotes, in characters. */
const LONGEST = 140;
/**
 * Minimum length of a first sentence in characters. A shorter one is quoted together with the next sentence.
 */
const SHORTEST_SENTENCE = 25;

/**
 * Returns the beginning of a text with at most `longest` characters. It ends after a complete sentence if
 * possible, otherwise after a complete word.
 */
export function sensibleCut(text: string, longest = LONGEST): string {
  // Only the beginning is processed, because a text may be a megabyte long.
  const plain = text
    .slice(0, longest * 8)
    .replaceAll(/\s+/g, ' ')
    .trim();
  if (plain.length <= longest) return plain;
  const sentences = [...plain.slice(0, longest + 1).matchAll(/[.!?…](?=\s)/g)].map(({ index }) => index + 1);
  const end = sentences.findLast((at) => at >= SHORTEST_SENTENCE && at <= longest);
  if (end !== undefined) return plain.slice(0, end);
  const space = plain.lastIndexOf(' ', longest - 1);
  const cut = plain.slice(0, space > longest / 2 ? space : longest - 1);
  // Removes the first half of a surrogate pair, which cutting may leave at the end.
  return `${cut.replace(/[\uD800-\uDBFF]$/, '').replace(/[\s,;:–-]+$/, '')}…`;
}

/** Summary of the events of a bar while the journal is being read. Later events may change it. */
export interface StepDraft {
  readonly bar: number;
  date: string;
  readonly tools: string[];
  calls: number;
  errors: number;
  orders: number;
  fills: number;
  readonly trades: number[];
  /** True if a decision was made on this bar. */
  decided: boolean;
  /** Outcome of a model's decision, for example `answered`. Empty without a model. */
  outcome: string;
  problem: string;
  /** Last text that the strategy, model or agent wrote on this bar, shortened. */
  words: string;
  /** Ids of the orders that the decision placed. Exit orders are not included. */
  readonly placed: number[];
  /** Ids of orders filled on this bar. */
  readonly filled: number[];
  /**
   * Descriptions of rejected orders of the decision. `market` contains descriptions of other market events.
   * Only the first few are stored.
   */
  readonly refusals: string[];
  readonly market: string[];
  tokens: number | null;
  failure: string;
  unfinished: boolean;
  /**
   * Revision of the index at the last change of the step. A page requests only steps that have changed since
   * a revision.
   */
  revision: number;
}

/** Returns the empty summary of a bar, to which `countIn` adds events. */
export function newStep(bar: number): StepDraft {
  return {
    bar,
    date: '',
    tools: [],
    calls: 0,
    errors: 0,
    orders: 0,
    fills: 0,
    trades: [],
    decided: false,
    outcome: '',
    problem: '',
    words: '',
    placed: [],
    filled: [],
    refusals: [],
    market: [],
    tokens: null,
    failure: '',
    unfinished: true,
    revision: 0,
  };
}

/**
 * Maximum number of descriptions of each kind that the list shows for a bar. The view of the bar shows all of
 * them.
 */
const MOST_SENTENCES = 3;

/** Adds an event to the summary of its bar. */
export function countIn(step: StepDraft, event: JournalEvent): void {
  switch (event.type) {
    case 'tool_called': {
      const name = textOf(event.name);
      if (!step.tools.includes(name)) step.tools.push(name);
      step.calls += 1;
      if (errorOf(event.result) !== undefined) step.errors += 1;
      step.decided = true;
      break;
    }
    case 'order_accepted':
      step.orders += 1;
      if (event.role !== undefined) break;
      step.placed.push(numberOf(event.orderId) ?? -1);
      step.decided = true;
      break;
    case 'order_filled': {
      step.fills += 1;
      const orderId = numberOf(event.orderId) ?? -1;
      if (!step.filled.includes(orderId)) step.filled.push(orderId);
      break;
    }
    case 'order_rejected':
      step.errors += 1;
      tell(
        numberOf(event.orderId) === undefined ? step.refusals : step.market,
        `refused to ${textOf(event.action)} ${textOf(event.symbol)}: ${textOf(event.message)}`,
      );
      step.decided ||= numberOf(event.orderId) === undefined;
      break;
    case 'note':
      step.decided = true;
      step.words = sensibleCut(textOf(event.text));
      break;
    case 'limit_reached':
      step.decided = true;
      break;
    case 'model_unavailable':
      step.decided = true;
      step.errors += 1;
      break;
    case 'model_called':
    case 'agent_asked':
    case 'agent_replied':
      step.decided = true;
      if (event.failure !== undefined) step.errors += 1;
      break;
    case 'role_spoke':
    case 'decision_made':
      decide(step, event);
      break;
    default: {
      const words = marketWords(event);
      if (words !== '') tell(step.market, words);
    }
  }
}

function decide(step: StepDraft, event: JournalEvent): void {
  step.decided = true;
  const words = sensibleCut(textOf(event.text));
  if (words !== '') step.words = words;
  if (event.type === 'role_spoke') return;
  step.outcome = textOf(event.outcome);
  step.problem = textOf(event.problem);
  // If several decision events of a bar have token counts, these counts are added up.
  if (isObject(event.usage))
    step.tokens =
      (step.tokens ?? 0) + (numberOf(event.usage.input) ?? 0) + (numberOf(event.usage.output) ?? 0);
}

/** Returns the description of a market event. Empty for events that the list does not show. */
function marketWords(event: JournalEvent): string {
  const symbol = textOf(event.symbol);
  switch (event.type) {
    case 'order_cancelled':
      return `order ${textOf(event.orderId)} cancelled: ${textOf(event.message)}`;
    case 'cash_entry':
      return `${textOf(event.kind).replaceAll('_', ' ')} of ${textOf(event.amount)}${symbol === '' ? '' : ` for ${symbol}`}`;
    case 'split':
      return `${symbol} was split, ${textOf(event.ratio)} to 1`;
    case 'delisted':
      return `${symbol} was delisted`;
    case 'rolled':
      return `${symbol} was rolled`;
    case 'risk_halted':
      return `a limit on losses was reached: ${textOf(event.code).replaceAll('_', ' ')}`;
    case 'documents_known':
    case 'fundamentals_known':
    case 'features_known':
    case 'context_known':
      return `${event.type.slice(0, -'_known'.length)} became known`;
    default:
      return '';
  }
}

function tell(sentences: string[], text: string): void {
  if (sentences.length < MOST_SENTENCES) sentences.push(sensibleCut(text));
}

/** Records on a step that the run failed on this bar. */
export function failOn(step: StepDraft, message: string): void {
  step.failure = message;
  step.errors += 1;
}

/** Returns the error in a tool's result. `undefined` if the call succeeded. */
export function errorOf(result: unknown): string | undefined {
  return isObject(result) && 'error' in result ? textOf(result.error) || 'error' : undefined;
}
