import { z } from 'zod';
import { failed, malformed, notesOf, REPL, resetPython, success } from '../repl-session.ts';
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

const EVAL_DESCRIPTION = `Evaluate one Python expression in the session of exec_code, for a targeted check or a small calculation.
It sees every variable of the session, and the names of compute (df, account, pd np ta math, latest …).
To understand an object, use inspect: one call replaces several calls of eval_expr. For statements use exec_code.

  expr   one expression

The answer is {"ok": true, "result": {"value_repr", "stdout", "stderr"}}; value_repr is the value's repr, up to 4,096 characters.
A failure is {"ok": false, "error", "remediation", "code"}: code python_exception (with exception: type, line, traceback) or
eval_timeout (500 ms). Neither affects the session.

Examples:
  {"expr": "x + 1"}                       → {"ok": true, "result": {"value_repr": "42", "stdout": "", "stderr": ""}}
  {"expr": "signals.tail(3).to_dict()"}   {"expr": "[name for name in positions if positions[name]['size'] < 0]"}`;

export const evalExpr = defineTool({
  name: 'eval_expr',
  description: EVAL_DESCRIPTION,
  parameters: z.strictObject({ expr: z.string().min(1).describe('One Python expression') }),
  example: { expr: 'len(df)' },
  optIn: true,
  // True, because an expression may change objects, for example `items.append(1)`.
  writes: true,
  needsPython: true,
  async handle({ expr }, context) {
    const answer = await context.shared(REPL).call({ operation: 'eval_expr', source: expr }, context);
    const { reply } = answer;
    if (!reply.ok) return failed(reply, answer, 'eval_timeout');
    const { result, stdout = '', stderr = '' } = reply;
    return typeof result === 'string' ? success({ value_repr: result, stdout, stderr }, answer) : malformed();
  },
  recall({ expr }, result, context) {
    if (!resetPython(result)) context.shared(REPL).recall({ operation: 'eval_expr', source: expr }, context);
  },
});

const LIST_DESCRIPTION = `List the names in the session of exec_code with their types: your definitions and predefined names (df, account, pd, latest …).
To understand one object use inspect.

The answer is {"ok": true, "result": {"globals": [{"name", "type_name"}]}}, in order of names.

Example: {} → {"ok": true, "result": {"globals": [{"name": "x", "type_name": "int"}]}}`;

const globalsSchema = z.array(z.strictObject({ name: z.string(), type_name: z.string() }));

export const listGlobals = defineTool({
  name: 'list_globals',
  description: LIST_DESCRIPTION,
  parameters: z.strictObject({}),
  example: {},
  optIn: true,
  writes: false,
  needsPython: true,
  async handle(_, context) {
    const answer = await context.shared(REPL).call({ operation: 'list_globals', source: '' }, context);
    const { reply } = answer;
    if (!reply.ok) return failed(reply, answer, 'eval_timeout');
    const globals = globalsSchema.safeParse(reply.result);
    return globals.success ? success({ globals: globals.data }, answer) : malformed();
  },
});
