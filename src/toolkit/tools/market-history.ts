import { z } from 'zod';
import { formatInstant } from '../../kernel/index.ts';
import { defineTool, unknownSymbol } from '../tool.ts';

/** Largest number of bars per call. Use `compute` for more. */
const MOST_BARS = 200;

export const marketHistory = defineTool({
  name: 'market_history',
  description: `The last bars of one symbol up to and including the current one, oldest first, as rows [date, open, high, low, close, volume].
At most ${MOST_BARS} bars per call, fewer if fewer are known. For statistics over many bars use compute.

  bars     number of bars, 1 to ${MOST_BARS} (default 20)
  symbol   default: the first symbol

The answer is {symbol, columns, bars: [[date, open, high, low, close, volume], …]}.

Examples: {"bars": 20}   {"symbol": "AAPL", "bars": 5}`,
  brief: `The last bars of a symbol (default: the first), at most ${MOST_BARS}, oldest first: [date, open, high, low, close, volume].`,
  parameters: z.strictObject({
    symbol: z.string().optional().describe('The symbol (default: the first)'),
    bars: z.number().int().min(1).max(MOST_BARS).default(20).describe('Number of bars'),
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
