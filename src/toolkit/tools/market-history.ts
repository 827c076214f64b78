import { z } from 'zod';
import { formatInstant } from '../../kernel/index.ts';
import { defineTool, unknownSymbol } from '../tool.ts';

/** Largest number of bars per call. Use `compute` for more. */
const MOST_BARS = 200;

export const marketHistory = defineTool({
  name: 'market_history',
  description: `The last bars of one symbol up to and including the current one, oldest first, as rows [date, open, high, low, close, volume].
At most ${MOST_BARS} bars a call; fewer come back when fewer are known. For statistics over many bars use compute.

  bars     how many, 1 to ${MOST_BARS} (default 20)
  symbol   the first symbol when left out

The answer is {symbol, columns, bars: [[date, open, high, low, close, volume], …]}.

Examples: {"bars": 20}   {"symbol": "AAPL", "bars": 5}`,
  brief: `The last bars of a symbol (the first when left out), at most ${MOST_BARS}, oldest first: [date, open, high, low, close, volume].`,
  parameters: z.strictObject({
    symbol: z.string().optional().describe('The symbol; the first one when left out'),
    bars: z.number().int().min(1).max(MOST_BARS).default(20).describe('How many bars'),
  }),
  example: { bars: 20 },
  writes: false,
  handle({ symbol, bars }, { turn }) {
    const unknown = unknownSymbol(symbol, turn, 'shown');
    if (unknown !== undefined) return unknown;
    const window = symbol === undefined ? turn.window : turn.windowOf(symbol);
    const rows = [];
    for (let index = Math.max(window.length - bars, 0); index < window.length; index++) {
      const bar = window.barAt(index)!;
      rows.push([formatInstant(bar.time), bar.open, bar.high, bar.low, bar.close, bar.volume]);
    }
    return { symbol: window.symbol, columns: ['date', 'open', 'high', 'low', 'close', 'volume'], bars: rows };
  },
});
