import { z } from 'zod';
import { formatInstant } from '../../kernel/index.ts';
import { MEMORY, MOST_CONTENT, MOST_KEY, MOST_NOTES } from '../memory.ts';
import { defineTool, failure, shown } from '../tool.ts';

export const memoryNote = defineTool({
  name: 'memory_note',
  description: `Store a note under a key. A note with the same key is replaced; an empty content removes it. Notes last for this run
only, and have the date of their bar; find them with memory_recall.
For a diary use memory_log, which stores every line.

  key       a short name, up to ${MOST_KEY} characters: plan, stop AAPL, regime
  content   up to ${MOST_CONTENT} characters

The answer is {key, saved: true, replaced, bar, date, notes}, or {key, removed} for an empty content. At most ${MOST_NOTES} notes are stored.

Examples: {"key": "plan", "content": "Buy pullbacks to the 20-bar mean while ADX is above 25; risk 1 % a trade."}
  {"key": "regime", "content": "range 95 to 104 since March"}
  {"key": "plan", "content": ""}`,
  parameters: z.strictObject({
    key: z.string().min(1).max(MOST_KEY).describe('Name of the note'),
    content: z.string().max(MOST_CONTENT).describe('The note; empty to remove it'),
  }),
  example: { key: 'plan', content: 'Buy pullbacks to the 20-bar mean while ADX is above 25.' },
  writes: true,
  handle({ key, content }, { turn, shared }) {
    const memory = shared(MEMORY);
    if (content === '') return { key, removed: memory.removeNote(key), notes: memory.noteCount };
    const replaced = memory.hasNote(key);
    if (!replaced && memory.noteCount >= MOST_NOTES) {
      return failure(
        `The limit of ${MOST_NOTES} notes is reached, so ${shown(key)} was not saved.`,
        'Replace a note by using its key, or remove one with an empty content.',
      );
    }
    const date = formatInstant(turn.time);
    memory.note({ key, bar: turn.bar, date, content });
    return { key, saved: true, replaced, bar: turn.bar, date, notes: memory.noteCount };
  },
  restore({ bar, parameters: { key, content }, result }, { shared }) {
    const memory = shared(MEMORY);
    if (content === '') memory.removeNote(key);
    else memory.note({ key, bar, date: String(result.date), content });
  },
});
