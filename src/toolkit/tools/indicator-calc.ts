import { z } from 'zod';
import { isJsonObject } from '../../engine/index.ts';
import { formatInstant } from '../../kernel/index.ts';
import { defineTool, failure, type ToolFailure, unknownSymbol } from '../tool.ts';

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

/** Properties of a call that are not parameters of the indicator. */
const OWN_KEYS = new Set(['name', 'symbol', 'parameters']);

export const indicatorCalc = defineTool({
  name: 'indicator_calc',
  description: DESCRIPTION,
  // Other properties are also parameters of the indicator, because models write {"name": "rsi", "length":
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
      // As in `market_observe`: the symbol has no bar at the current time, and its last bar is used.
      ...(bar.time === turn.time || turn.contextSymbols.includes(window.symbol) ? {} : { stale: true }),
      ...rest,
    };
  },
});

/**
 * Merges parameters given in `parameters` and next to it. Returns a failure if a parameter has two different
 * values.
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
