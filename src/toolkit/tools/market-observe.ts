import { z } from 'zod';
import { formatInstant } from '../../kernel/index.ts';
import { featureView } from '../since-view.ts';
import { defaultColumns, symbolTable } from '../symbol-table.ts';
import { defineTool, failure, unknownSymbol } from '../tool.ts';

export const marketObserve = defineTool({
  name: 'market_observe',
  description: `The current bar of one symbol: date, open, high, low, close, volume, and its bar number in the run.
\`stale\` is true if the symbol has no current bar and its last bar is shown: it cannot trade on this bar.

The answer is {symbol, bar, date, open, high, low, close, volume, stale}. An order you place now fills from the next bar on.
From six symbols on, without a symbol, it is {bar, date, table}: {columns, rows, stale}, one row per symbol, with returns over 1, 5 and
20 bars and volatility in percent, weight in percent of your equity, and profit of the position. For earlier bars use market_history, for indicators indicator_calc or compute.

Examples: {}   {"symbol": "AAPL"}`,
  parameters: z.strictObject({
    symbol: z.string().optional().describe('The symbol (default: the first, or all symbols from six on)'),
  }),
  example: {},
  writes: false,
  handle({ symbol }, { turn }) {
    const unknown = unknownSymbol(symbol, turn, 'shown');
    if (unknown !== undefined) return unknown;
    const columns = symbol === undefined ? defaultColumns(turn) : undefined;
    if (columns !== undefined)
      return {
        bar: turn.bar,
        date: formatInstant(turn.time),
        table: symbolTable(
          turn,
          columns.filter((column) => column !== 'last_trade'),
        ),
      };
    const window = symbol === undefined ? turn.window : turn.windowOf(symbol);
    const { bar } = window;
    if (bar === undefined)
      return failure(`${window.symbol} has no bar yet.`, 'Wait for its first bar, or use another symbol.');
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
