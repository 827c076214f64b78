import { z } from 'zod';
import { notesOf, resetPython } from '../envelope.ts';
import { REPL } from '../repl-session.ts';
import { defineTool } from '../tool.ts';

const DESCRIPTION = `Run Python in a persistent session: variables, functions, classes and imports remain for your next calls of
exec_code, eval_expr, inspect and list_globals. Use it to work step by step; use compute for one calculation.

The session has the names of compute, at the current bar. Data: frame('close') (all symbols by date, one column each), df (columns
date open high low close volume, oldest first), df_{sym} for each symbol. Others: account cash equity positions, pd np ta math,
latest prev crossover crossunder above below.
You may rebind any of them. Changes stay in the session: compute always starts clean.
The session ends at the next bar. If sessions last for the run, df, account and the rest follow the bar, except names you rebound.

  source   any number of complete statements

Result:
  value_repr   value of the last line if it is an expression (omitted for None)
  stdout, stderr   printed text (4,000 characters each); on an exception stderr contains the traceback, with the lines of
                   your snippets: File "<cell 2>" is your second call
  error, remediation   after a failure. Names bound before the failing line remain bound.
  note   after a reset of Python: lost names, or the rebuilt session
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
