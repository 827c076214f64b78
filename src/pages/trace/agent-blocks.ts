import type { JournalEvent } from '../../journal/index.ts';
import { isObject, textOf } from '../../kernel/index.ts';
import type { Block, BlockText } from './step.ts';

/**
 * Returns the block (part of the trace page) that shows an event of an external agent. `undefined` for other
 * events.
 */
export function agentBlock(event: JournalEvent): Block | undefined {
  if (event.type === 'agent_asked') {
    return block('model', `The agent was asked: decision ${textOf(event.decision)}`, {
      texts: observationTexts(event.observation, 'sent to the agent'),
    });
  }
  if (event.type !== 'agent_replied') return undefined;
  const { failure, message } = event;
  if (isObject(failure)) {
    return block('model', 'The agent failed', {
      tone: 'bad',
      facts: factsOf(['Failure', failure.kind], ['Message', failure.message]),
    });
  }
  const said = isObject(message) ? message : {};
  if (said.type === 'call') {
    return block('model', `The agent called ${textOf(said.tool)}`, {
      texts: [jsonText('as it wrote it', said.arguments, true)],
    });
  }
  const words = textOf(said.text);
  return block('model', 'The agent ended its decision', {
    texts: words.trim() === '' ? [] : [{ label: 'the agent said', text: words, form: 'words' }],
  });
}

type Facts = Block['facts'];

export function block(kind: Block['kind'], title: string, parts: Partial<Block> = {}): Block {
  return { kind, title, tone: 'plain', facts: [], texts: [], links: [], ...parts };
}

/** Returns pairs of a name and a text for display in a block. Pairs without a value are omitted. */
export function factsOf(...facts: readonly (readonly [string, unknown])[]): Facts {
  return facts.map(([name, value]) => [name, textOf(value)] as const).filter(([, value]) => value !== '');
}

export function jsonText(label: string, value: unknown, folded = false): BlockText {
  return {
    label,
    text: JSON.stringify(unfolded(value), null, 2) ?? '',
    form: 'json',
    ...(folded ? { folded } : {}),
  };
}

/**
 * Parses a text that is JSON, so that the page shows it without escaped quotes. Returns any other value
 * unchanged.
 */
function unfolded(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

/**
 * Returns the observation that was sent to a model or an agent, as texts. The first text contains the events
 * since the previous decision.
 *
 * @param given an observation, or its JSON text
 */
export function observationTexts(given: unknown, label: string): BlockText[] {
  return textsOf(given, label).map((text) => ({ ...text, sent: true }));
}

function textsOf(given: unknown, label: string): BlockText[] {
  const shown = typeof given === 'string' ? parsed(given) : given;
  if (!isObject(shown))
    return typeof given === 'string' ? [{ label, text: given, form: 'words' }] : [jsonText(label, given)];
  const { since_last_decision: since, ...rest } = shown;
  return [
    ...(since === undefined ? [] : [jsonText('since the last decision', since)]),
    jsonText(label, rest),
  ];
}

function parsed(text: string): unknown {
  if (!/^\s*[{[]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Returns the block for documents and fundamentals that became visible at the end of the bar. Also used for
 * changes of the universe, which is the set of symbols that can be traded.
 */
export function publishedBlock(event: JournalEvent): Block {
  if (event.type === 'universe_changed')
    return block('other', 'Universe', {
      facts: factsOf(['Can be traded from here', listOf(event.entered)], ['No longer', listOf(event.left)]),
    });
  const isDocuments = event.type === 'documents_known';
  const rows: unknown = isDocuments ? event.documents : event.rows;
  return block('other', isDocuments ? 'Documents became known' : 'Fundamentals became known', {
    texts: (Array.isArray(rows) ? rows : []).filter(isObject).map((row) => {
      const { availableAt, id, title, symbol, field, periodEnd, ...rest } = row;
      const about = isDocuments ? [id, title] : [symbol, field, periodEnd];
      const words = about.map(textOf).filter((text) => text !== '');
      return jsonText(`${words.join(' ')}, available at ${textOf(availableAt)}`, rest);
    }),
  });
}

function listOf(names: unknown): string {
  return Array.isArray(names) ? names.map(textOf).join(', ') : '';
}
