import { z } from 'zod';
import { jsonSchema } from '../../engine/index.ts';
import { failed, malformed, REPL, resetPython, success } from '../repl-session.ts';
import { defineTool } from '../tool.ts';

const DESCRIPTION = `Inspect an object of the session of exec_code. Use this first if a value, a function or an error is unexpected.
One call returns its type, kind, repr, size, first items, members, documentation, and for a function its signature and source.

  expr   expression to describe: a name, df.close, items[0], signals.groupby …

The answer is {"ok": true, "result": {"type": {name, module, qualified}, "kind", "limits", …}} with the sections that apply:
  kind      none bool number string bytes mapping sequence set iterator generator coroutine async_generator callable class
            module exception object other
  repr      {text, truncated, original_len}      size {len, shape}      sample {items, shown, total, truncated}
  members   {data, callables, dunder_count, shown_per_group, truncated}      doc {text, truncated, original_len}
  callable  {module, signature, doc, source_preview, source_truncated}
  exception {exc_type, message, traceback}
  pandas    DataFrame: columns, dtypes, index, last row; Series: dtype, name, index, last value
  numpy     {dtype, shape, ndim, size}
Iterators and generators are never advanced. A part that fails is replaced by repr_error, len_error, dir_error or doc_error.
A failure of the expression is {"ok": false, "error", "remediation", "code"}: python_exception or inspect_timeout (500 ms); the
session is unaffected.

Examples: {"expr": "df"}   {"expr": "my_signal"}   {"expr": "results[-1]"}
  why is next(42) None?  {"expr": "next"} shows kind callable, source "def next(x):\\n    x + 1": it returns nothing`;

const KINDS =
  'none bool number string bytes mapping sequence set iterator generator coroutine async_generator callable class module exception object other'.split(
    ' ',
  );

/**
 * Result of `inspect` in Python. Agents rely on the listed fields, which must have exactly this form.
 * Additional fields are allowed.
 */
const resultSchema = z
  .object({
    type: z.strictObject({ name: z.string(), module: z.string(), qualified: z.string() }),
    kind: z.enum(KINDS),
  })
  .catchall(jsonSchema);

export const inspect = defineTool({
  name: 'inspect',
  description: DESCRIPTION,
  parameters: z.strictObject({ expr: z.string().min(1).describe('Expression whose value is described') }),
  example: { expr: 'df' },
  optIn: true,
  // True, because evaluating the expression may change objects.
  writes: true,
  needsPython: true,
  async handle({ expr }, context) {
    const answer = await context.shared(REPL).call({ operation: 'inspect', source: expr }, context);
    const { reply } = answer;
    if (!reply.ok) return failed(reply, answer, 'inspect_timeout');
    const result = resultSchema.safeParse(reply.result);
    return result.success ? success(result.data, answer) : malformed();
  },
  recall({ expr }, result, context) {
    if (!resetPython(result)) context.shared(REPL).recall({ operation: 'inspect', source: expr }, context);
  },
});
