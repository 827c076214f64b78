import { z } from 'zod';
import { accountSnapshot, publishedRequest } from '../order-view.ts';
import { defineTool, shownWindows, unknownSymbol } from '../tool.ts';

const DESCRIPTION = `Run Python in a sandbox to analyse market data. The data end at the current bar.

Variables:
  frame('close')   for several symbols: one DataFrame, index date, one column per symbol, oldest first; NaN if a
             symbol has no bar. Also frame('open'), 'high', 'low', 'volume'
  df         DataFrame of the main symbol, columns date open high low close volume, RangeIndex, oldest first
  df_{sym}   the same for each symbol, lower case, other characters as _ (df_aapl, df_brk_b). Row numbers of two symbols can be
             different dates: combine symbols with frame
  account    {cash, equity, positions: {symbol: {size, avg_price}}}; also as cash, equity, positions
  pd np ta math   pandas, numpy, indicators in pandas_ta's names, math

Helpers:
  latest(series)  prev(series, n=1)  crossover(fast, slow)  crossunder(fast, slow)  above(series, x)  below(series, x)

Result:
  one expression: its value. Several lines: assign to \`result\`.
  A Series gives its latest value; NaN gives null; a DataFrame is an error: aggregate it or take .iloc[-1].
  print() output is returned as stdout. Each call starts without variables. Limits: 500 ms, 32 KB.

Examples:
  frame('close').pct_change().tail(60).corr().iloc[0, 1]
  latest(ta.rsi(df.close, 14))
  crossover(df.close.rolling(20).mean(), df.close.rolling(50).mean())
  result = {'rsi': latest(ta.rsi(df.close)), 'vol': df.close.pct_change().tail(20).std()}
  result = int(equity * 0.02 / latest(ta.atr(df.high, df.low, df.close, 14)))`;

export const compute = defineTool({
  name: 'compute',
  description: DESCRIPTION,
  brief: `Run Python on the bars so far: one expression, or lines that set result. Several symbols: frame('close') is a DataFrame by date with one column per symbol. df: DataFrame of symbol, columns date open high low close volume, oldest first; df_aapl and so on of each symbol; account, cash, equity, positions; pd, np, math, ta (as pandas_ta); latest(s), prev(s, n), crossover(a, b), crossunder(a, b), above(s, x), below(s, x). A Series gives its latest value, a DataFrame is an error. Each call starts without variables. E.g. latest(ta.rsi(df.close, 14))`,
  parameters: z.strictObject({
    code: z.string().min(1).describe('Python code to run'),
    symbol: z.string().optional().describe('Symbol of df (default: the first symbol)'),
  }),
  example: { code: 'latest(ta.rsi(df.close, 14))' },
  writes: false,
  needsPython: true,
  async handle({ code, symbol }, { turn, sandbox, resultBytes }) {
    const unknown = unknownSymbol(symbol, turn, 'shown');
    if (unknown !== undefined) return unknown;
    const published = publishedRequest(turn, (name) => code.includes(name));
    const reply = await sandbox.call({
      operation: 'compute',
      bar: turn.bar,
      time: turn.time,
      windows: shownWindows(turn),
      published: published.tables,
      request: {
        code,
        symbol: symbol ?? turn.symbols[0],
        ...published.request,
        account: accountSnapshot(turn.account),
        limits: {
          timeoutMs: sandbox.timeoutMs,
          resultBytes,
          stdoutCharacters: 4_000,
          codeCharacters: 20_000,
        },
      },
    });
    if (reply.ok) {
      const { result, stdout, note } = reply;
      return {
        result,
        ...(stdout === undefined ? {} : { stdout }),
        ...(note === undefined ? {} : { note }),
      };
    }
    const { error, remediation, line, stdout } = reply;
    return {
      error,
      remediation,
      ...(line === undefined ? {} : { line }),
      ...(stdout === undefined ? {} : { stdout }),
    };
  },
});
