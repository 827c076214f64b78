import { z } from 'zod';
import { knownBeside } from '../../engine/index.ts';
import { notGiven } from '../document-view.ts';
import { defineTool } from '../tool.ts';

export const universe = defineTool({
  name: 'universe',
  description: `The symbols that can be traded at the current bar: the members of the universe as it is now. It changes over time.
Of a symbol outside nothing can be opened; an order that would is refused with the code not_in_universe. A position that
is held when its symbol leaves stays, and can be closed.

The answer is {symbols, outside}: those that can be traded, and the others of this run.

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
