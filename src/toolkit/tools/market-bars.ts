import { z } from 'zod';
import { isJsonObject, publishedData } from '../../engine/index.ts';
import { formatInstant } from '../../kernel/index.ts';
import { featureView, notGiven } from '../recent-events.ts';
import { defaultColumns, symbolTable } from '../symbol-table.ts';
import { defineTool, failure, type ToolFailure, unknownSymbol } from '../tool.ts';

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

/** Maximum number of bars per call. `compute` has no such limit. */
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
    const { universe: members } = publishedData(turn);
    if (members === undefined) return notGiven('universe', '--universe');
    const symbols = members();
    return { symbols: [...symbols], outside: turn.symbols.filter((symbol) => !symbols.includes(symbol)) };
  },
});

const DESCRIPTION = `Latest value of a technical indicator: any of the 140 of \`ta\` (names, parameters and values of pandas_ta), in any case:
rsi macd bbands atr adx stoch cci mfi willr roc mom ema sma wma hma kama supertrend psar donchian kc obv vwap cmf aroon zscore cdl_pattern …

  name        the indicator
  symbol      default: the first symbol
  parameters  parameters of the indicator; also allowed next to name. Defaults are pandas_ta's (rsi length=14, bbands length=5).
              A column is a parameter too: {"name": "sma", "close": "volume"}; so is another indicator: {"close": {"name": "rsi"}}.

The answer is {indicator, symbol, bar, date, parameters, value}; an indicator of several columns has values: {column: value} instead.
null means too few bars or no value at this bar; note gives the reason.
An unknown name or parameter is an error that lists the nearest names or the parameters. Indicators that change past values (dpo, ichimoku
as they are by default, ssf, tos_stdevall, vp) are refused. For histories, crossings and arithmetic use compute.

Examples: {"name": "rsi", "length": 14}   {"name": "macd", "symbol": "AAPL", "parameters": {"fast": 8, "slow": 21}}
  {"name": "bbands", "length": 20, "std": 2.5}   {"name": "cdl_pattern", "pattern": "engulfing"}`;

/** Fields of a call that are not parameters of the indicator. */
const OWN_KEYS = new Set(['name', 'symbol', 'parameters']);

export const indicatorCalc = defineTool({
  name: 'indicator_calc',
  description: DESCRIPTION,
  // Additional fields are also parameters of the indicator, because models write {"name": "rsi", "length":
  // 14}.
  parameters: z.looseObject({
    name: z.string().min(1).describe('The indicator, such as rsi, macd or bbands'),
    symbol: z.string().optional().describe('The symbol (default: the first)'),
    parameters: z
      .looseObject({})
      .optional()
      .describe('The indicator\'s parameters by name, such as {"length": 14}'),
  }),
  example: { name: 'rsi', parameters: { length: 14 } },
  writes: false,
  needsPython: true,
  async handle(given, { turn, sandbox, resultBytes }) {
    const { name, symbol } = given;
    const unknown = unknownSymbol(symbol, turn, 'shown');
    if (unknown !== undefined) return unknown;
    const parameters = mergedParameters(given);
    if ('error' in parameters) return parameters.error;
    const window = symbol === undefined ? turn.window : turn.windowOf(symbol);
    const { bar } = window;
    if (bar === undefined)
      return failure(`${window.symbol} has no bar yet.`, 'Wait for its first bar, or use another symbol.');
    const reply = await sandbox.call({
      operation: 'indicator',
      bar: turn.bar,
      time: turn.time,
      windows: [window],
      request: {
        name,
        parameters: parameters.merged,
        symbol: window.symbol,
        limits: { timeoutMs: sandbox.timeoutMs, resultBytes },
      },
    });
    if (!reply.ok) return failure(reply.error, reply.remediation);
    if (!isJsonObject(reply.result))
      return failure('SandboxError: the reply was not readable.', 'Call it again.');
    const { indicator = name, ...rest } = reply.result;
    return {
      indicator,
      symbol: window.symbol,
      bar: turn.bar,
      date: formatInstant(bar.time),
      // If the symbol has no bar at the current time, its last bar is used, and the result is marked as
      // stale. `market_observe` does the same.
      ...(bar.time === turn.time || turn.contextSymbols.includes(window.symbol) ? {} : { stale: true }),
      ...rest,
    };
  },
});

/**
 * Merges the parameters in the field `parameters` with those in the other fields. Returns a failure if a
 * parameter has two different values.
 */
function mergedParameters(given: {
  readonly parameters?: Readonly<Record<string, unknown>> | undefined;
  readonly [key: string]: unknown;
}): { readonly merged: Readonly<Record<string, unknown>> } | { readonly error: ToolFailure } {
  const beside = Object.entries(given).filter(([key]) => !OWN_KEYS.has(key));
  const inside = given.parameters ?? {};
  const twice = beside.find(([key, value]) => Object.hasOwn(inside, key) && inside[key] !== value);
  if (twice !== undefined) {
    const [key] = twice;
    return {
      error: failure(
        `indicator_calc received ${key} twice, with different values.`,
        `Set ${key} once: next to name, or in parameters.`,
      ),
    };
  }
  return { merged: { ...Object.fromEntries(beside), ...inside } };
}
