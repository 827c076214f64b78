import { z } from 'zod';
import { notesOf, resetPython } from '../envelope.ts';
import { REPL } from '../repl-session.ts';
import { defineTool } from '../tool.ts';

const DESCRIPTION = `Run Python in a session that remembers: variables, functions, classes and imports stay for your next calls of
exec_code, eval_expr, inspect and list_globals. Use it to work step by step; use compute for one calculation.

The session has the names of compute, at the current bar: frame('close') (all symbols by date, a column for each), df (columns
date open high low close volume, oldest first), df_{sym} for each symbol, account cash equity positions, pd np ta math,
latest prev crossover crossunder above below.
You may bind any of them anew. Its own changes stay in it: compute always starts clean.
It lasts until the next bar, unless the run keeps it (then df, account and the rest follow the bar, except those you bound anew).

  source   any number of complete statements

What comes back:
  value_repr   the last line's value when that is an expression (left out for None)
  stdout, stderr   what was printed (4,000 characters each); on an exception stderr holds the traceback, with the lines of
                   the snippets it went through: File "<cell 2>" is your second call
  error, remediation   when it failed. What ran before the failing line stays bound, and so does everything earlier.
  note   when Python was reset: what is gone, or that the session was rebuilt
A syntax error runs nothing. Each call has 500 ms. No files, no network, no eval or exec, no attributes like __class__.

Examples:
  {"source": "returns = df.close.pct_change().dropna()\\ndef sharpe(r):\\n    return r.mean() / r.std() * 252 ** 0.5"}
  {"source": "sharpe(returns.tail(60))"}          → {"value_repr": "1.27", "stdout": "", "stderr": ""}
  {"source": "for n in (10, 20, 50):\\n    print(n, latest(ta.sma(df.close, n)))"}`;

export const execCode = defineTool({
  name: 'exec_code',
  description: DESCRIPTION,
  parameters: z.strictObject({
    source: z.string().min(1).describe('Python statements to run in the session'),
  }),
  example: { source: 'sma = ta.sma(df.close, 20)\nlatest(sma)' },
  optIn: true,
  writes: true,
  needsPython: true,
  async handle({ source }, context) {
    const { reply, note } = await context.shared(REPL).call({ operation: 'exec_code', source }, context);
    const { stdout = '', stderr = '' } = reply;
    if (reply.ok) {
      return {
        ...(typeof reply.result === 'string' ? { value_repr: reply.result } : {}),
        stdout,
        stderr,
        ...notesOf(reply, note),
      };
    }
    const { error, remediation, line, traceback = '' } = reply;
    return {
      error,
      remediation,
      ...(line === undefined ? {} : { line }),
      stdout,
      stderr: stderr + traceback,
      ...(reply.replaced === true ? { replaced: true } : {}),
      ...notesOf(reply, note),
    };
  },
  recall({ source }, result, context) {
    if (!resetPython(result)) context.shared(REPL).recall({ operation: 'exec_code', source }, context);
  },
});
