import { z } from 'zod';
import { formatInstant } from '../../kernel/index.ts';
import { featureView } from '../feature-view.ts';
import { defineTool, failure, unknownSymbol } from '../tool.ts';

export const marketObserve = defineTool({
  name: 'market_observe',
  description: `Look at the current bar of one symbol: date, open, high, low, close, volume, and its bar number in the run.
\`stale\` is true when the symbol had no bar now and its last one is shown: it cannot trade on this bar.

The answer is {symbol, bar, date, open, high, low, close, volume, stale}. An order you place now fills from the next bar on.
For earlier bars use market_history, for indicators indicator_calc or compute.

Examples: {}   {"symbol": "AAPL"}`,
  parameters: z.strictObject({
    symbol: z.string().optional().describe('The symbol; the first one when left out'),
  }),
  example: {},
  writes: false,
  handle({ symbol }, { turn }) {
    const unknown = unknownSymbol(symbol, turn, 'shown');
    if (unknown !== undefined) return unknown;
    const window = symbol === undefined ? turn.window : turn.windowOf(symbol);
    const { bar } = window;
    if (bar === undefined)
      return failure(
        `${window.symbol} has no bar yet.`,
        'Wait for its first bar, or look at another symbol.',
      );
    const { time, ...prices } = bar;
    return {
      symbol: window.symbol,
      bar: turn.bar,
      date: formatInstant(time),
      ...prices,
      ...(turn.contextSymbols.includes(window.symbol) ? { context: true } : { stale: time !== turn.time }),
      ...(window.features.length === 0 ? {} : { features: featureView(window) }),
    };
  },
});
