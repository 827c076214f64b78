import { z } from 'zod';
import { failed, malformed, resetPython, success } from '../envelope.ts';
import { REPL } from '../repl-session.ts';
import { defineTool } from '../tool.ts';

const DESCRIPTION = `Evaluate one Python expression in the session of exec_code, for a targeted check or a small calculation.
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
  description: DESCRIPTION,
  parameters: z.strictObject({ expr: z.string().min(1).describe('One Python expression') }),
  example: { expr: 'len(df)' },
  optIn: true,
  // An expression may change objects, for example `items.append(1)`.
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
