import { z } from 'zod';
import { knownBeside } from '../../engine/index.ts';
import { formatInstant } from '../../kernel/index.ts';
import { featureView, notGiven } from '../since-view.ts';
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
