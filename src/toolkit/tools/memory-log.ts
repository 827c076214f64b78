import { z } from 'zod';
import { formatInstant } from '../../kernel/index.ts';
import { MEMORY, MOST_CONTENT, MOST_LINES } from '../memory.ts';
import { defineTool } from '../tool.ts';

export const memoryLog = defineTool({
  name: 'memory_log',
  description: `Append a line to your log, dated with the current bar: your actions and reasons, expectations and lessons.
The log lasts for this run only; find lines with memory_recall. For a fact that changes, such as a plan
or a level, use memory_note, which replaces.

  content   1 to ${MOST_CONTENT} characters

The answer is {logged: true, bar, date, lines}. After ${MOST_LINES} lines the oldest is removed, with a note in the answer.

Examples: {"content": "Bought 50 at the open: RSI 28 and the close above the 200-bar mean. Out below 95."}
  {"content": "Third false breakout this month: wait for a close above 104 before buying again."}`,
  parameters: z.strictObject({
    content: z.string().min(1).max(MOST_CONTENT).describe('The line to append'),
  }),
  example: { content: 'Bought 50: RSI 28, close above the 200-bar mean. Out below 95.' },
  writes: true,
  handle({ content }, { turn, shared }) {
    const memory = shared(MEMORY);
    const date = formatInstant(turn.time);
    const dropped = memory.log({ bar: turn.bar, date, content });
    return {
      logged: true,
      bar: turn.bar,
      date,
      lines: memory.lineCount,
      ...(dropped ? { note: 'The log is full. Its oldest line was removed.' } : {}),
    };
  },
  restore({ bar, parameters: { content }, result }, { shared }) {
    shared(MEMORY).log({ bar, date: String(result.date), content });
  },
});
