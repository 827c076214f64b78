import type { JournalEvent } from '../../journal/index.ts';
import { isObject, textOf } from '../../kernel/index.ts';
import { block, factsOf, jsonText } from './block-parts.ts';
import { observationTexts } from './observation-texts.ts';
import type { Block } from './step.ts';

/** Returns the block of an event of an external agent. Undefined for other events. */
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
