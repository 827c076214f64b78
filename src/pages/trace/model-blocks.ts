import type { JournalEvent } from '../../journal/index.ts';
import { decimal, decimalString, isJsonText, isObject, numberOf, textOf, ZERO } from '../../kernel/index.ts';
import { block, factsOf, jsonText, observationTexts } from './agent-blocks.ts';
import type { Block, BlockText } from './step.ts';

/**
 * Formats JSON with one line per value. Numbers and texts remain exactly as written. `undefined` if the text
 * is not a JSON object or list.
 */
export function prettyJson(text: string): string | undefined {
  if (!/^\s*[[{]/.test(text) || !isJsonText(text)) return undefined;
  let depth = 0;
  const line = (): string => `\n${'  '.repeat(depth)}`;
  return text.replaceAll(PIECE, (piece, _gap, empty: string | undefined) => {
    if (empty !== undefined) return empty.replaceAll(/\s/g, '');
    switch (piece) {
      case '{':
      case '[':
        depth += 1;
        return piece + line();
      case '}':
      case ']':
        depth -= 1;
        return line() + piece;
      case ',':
        return piece + line();
      case ':':
        return ': ';
      default:
        return /^\s/.test(piece) ? '' : piece;
    }
  });
}

// Matches a string, white space, an empty object or list, or a character at which a line may break.
const PIECE = /"(?:[^"\\]|\\.)*"|(\s+)|(\{\s*\}|\[\s*\])|[{}[\],:]/g;

/** Returns the block of an event of a model. `undefined` for other events. */
export function modelBlock(event: JournalEvent): Block | undefined {
  switch (event.type) {
    case 'model_configured':
      return block('model', `${whoOf(event)}Model: ${textOf(event.model)}`, {
        facts: factsOf(['Provider', event.provider], ['Protocol', event.api]),
        texts: [
          jsonText('tools offered', event.tools, true),
          jsonText('configuration', event.configuration, true),
          ...(event.price === null || event.price === undefined
            ? []
            : [jsonText('price per million tokens', event.price, true)]),
        ],
      });
    case 'model_called':
      return exchangeBlock(event);
    case 'model_unavailable':
      return block('model', `${whoOf(event)}The model could not be reached`, {
        tone: 'bad',
        facts: factsOf(
          ['Sample', sampleOf(event)],
          ['Round', event.round],
          ['Attempts', event.attempts],
          ...failureFacts(event.failure),
          ['Policy', event.policy],
        ),
      });
    case 'limit_reached':
      return block('model', `${whoOf(event)}Limit reached: ${textOf(event.allowed)} ${textOf(event.limit)}`, {
        tone: 'bad',
        facts: factsOf(['Of the', event.scope], ['Before round', event.round]),
      });
    case 'role_spoke':
    case 'decision_made':
      return block(
        'model',
        `${event.type === 'role_spoke' ? whoOf(event) : 'Decision: '}${textOf(event.outcome)}`,
        {
          tone: event.outcome === 'answered' ? 'good' : 'bad',
          facts: factsOf(
            ['Sample', sampleOf(event)],
            ['Rounds', event.rounds],
            ['Tool calls', event.toolCalls],
            ['Problem', event.problem],
            ...usageFacts(event),
          ),
          texts: [
            ...wordsText('last words', event.text),
            ...(event.answer === undefined ? [] : [jsonText('answer', event.answer)]),
          ],
        },
      );
    default:
      return undefined;
  }
}

function exchangeBlock(event: JournalEvent): Block {
  const reply = isObject(event.reply) ? event.reply : undefined;
  const added = Array.isArray(event.added) ? event.added.filter(isObject) : [];
  const attempt = event.attempt === 1 ? '' : `, attempt ${textOf(event.attempt)}`;
  const ended = reply?.end === 'stop' || reply?.end === 'tool_calls' ? undefined : reply?.end;
  return block('model', `${whoOf(event)}Round ${textOf(event.round)}${attempt}`, {
    tone: reply === undefined ? 'bad' : 'plain',
    facts: factsOf(
      ['Sample', sampleOf(event)],
      ['Cut short', ended],
      ...failureFacts(event.failure),
      ...usageFacts(event),
    ),
    texts: [
      ...added.flatMap(messageTexts),
      ...wordsText('the model’s reasoning', reply?.reasoning),
      ...wordsText('the model said', reply?.text),
      ...callTexts(reply?.toolCalls),
    ],
  });
}

const TOLD: Readonly<Record<string, string>> = {
  system: 'the model was instructed',
  user: 'sent to the model',
  developer: 'the model was instructed',
};

function messageTexts(message: Readonly<Record<string, unknown>>): BlockText[] {
  const role = textOf(message.role);
  const text = textOf(message.text ?? message.content);
  // This text is the part of a tool's result that the model received. The complete result is in the block of
  // the tool call.
  if (role === 'tool')
    return [{ ...written(`the model saw of ${textOf(message.name)}`, text), folded: true, sent: true }];
  if (role === 'user') return observationTexts(text, TOLD.user!);
  // Earlier replies of the model are not marked as `sent`, because the mark is for the input of the model.
  if (role === 'assistant') return [written(role, text)];
  const isInstruction = role === 'system' || role === 'developer';
  return [{ ...written(TOLD[role] ?? role, text), sent: true, ...(isInstruction ? { folded: true } : {}) }];
}

/** Returns a text for a block. JSON is formatted with one line per value. Other texts are unchanged. */
function written(label: string, text: string): BlockText {
  const pretty = prettyJson(text);
  return pretty === undefined ? { label, text, form: 'words' } : { label, text: pretty, form: 'json' };
}

function callTexts(calls: unknown): BlockText[] {
  if (!Array.isArray(calls)) return [];
  return calls.filter(isObject).map((call) => ({
    ...written(`it called ${textOf(call.name)} with`, textOf(call.arguments)),
    folded: true,
  }));
}

function wordsText(label: string, value: unknown): BlockText[] {
  const text = textOf(value);
  return text.trim() === '' ? [] : [{ label, text, form: 'words' }];
}

/** Returns the role that caused an event, as a prefix for titles. Empty for a strategy with one prompt. */
function whoOf({ role }: JournalEvent): string {
  return role === undefined ? '' : `${textOf(role)} · `;
}

// A sample is one of several runs of a strategy. Its number is shown from 2 on, because most runs have one
// sample.
function sampleOf(event: JournalEvent): unknown {
  return event.sample === 0 || event.sample === 1 ? undefined : event.sample;
}

function failureFacts(failure: unknown): (readonly [string, unknown])[] {
  if (!isObject(failure)) return [];
  return [
    ['Failure', failure.kind],
    ['HTTP status', failure.status],
    ['Message', failure.message],
  ];
}

function usageFacts({ usage, cost }: JournalEvent): (readonly [string, unknown])[] {
  const tokens = isObject(usage)
    ? `${textOf(usage.input)} in (${textOf(usage.cached)} cached), ${textOf(usage.output)} out (${textOf(usage.reasoning)} reasoning)`
    : '';
  return [
    ['Tokens', tokens],
    ['Cost', typeof cost === 'string' ? `${cost} USD` : ''],
  ];
}

/** Tokens and cost of all model requests of a run so far. */
export interface ModelTotals {
  readonly decisions: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Cost in US dollars. `null` if the cost of at least one request is unknown. */
  readonly cost: string | null;
}

/** Adds up the usage recorded in a run's decisions. */
export class ModelCounter {
  #decisions = 0;
  #input = 0;
  #output = 0;
  #cost = ZERO;
  #known = true;

  get totals(): ModelTotals {
    return {
      decisions: this.#decisions,
      inputTokens: this.#input,
      outputTokens: this.#output,
      cost: this.#known && this.#decisions > 0 ? decimalString(this.#cost) : null,
    };
  }

  add({ usage, cost }: JournalEvent): void {
    this.#decisions += 1;
    if (isObject(usage)) {
      this.#input += numberOf(usage.input) ?? 0;
      this.#output += numberOf(usage.output) ?? 0;
    }
    if (typeof cost === 'string' && /^-?\d+(\.\d+)?$/.test(cost)) this.#cost = this.#cost.plus(decimal(cost));
    else this.#known = false;
  }
}
