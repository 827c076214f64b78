import { z } from 'zod';
import { knownBeside } from '../../engine/index.ts';
import { notGiven } from '../since-view.ts';
import { defineTool } from '../tool.ts';

export const universe = defineTool({
  name: 'universe',
  description: `The symbols that can be traded at the current bar: the current members of the universe. Members change over time.
Orders that would open a position in another symbol are refused with the code not_in_universe. A position
in a symbol that leaves the universe remains and can be closed.

The answer is {symbols, outside}: symbols that can be traded, and the other symbols of this run.

Examples: {}`,
  parameters: z.strictObject({}),
  example: {},
  writes: false,
  optIn: true,
  needs: 'universe',
  handle(_, { turn }) {
    const { universe: members } = knownBeside(turn);
    if (members === undefined) return notGiven('universe', '--universe');
    const symbols = members();
    return { symbols: [...symbols], outside: turn.symbols.filter((symbol) => !symbols.includes(symbol)) };
  },
});
