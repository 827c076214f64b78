import { z } from 'zod';
import { failed, malformed, success } from '../envelope.ts';
import { REPL } from '../repl-session.ts';
import { defineTool } from '../tool.ts';

const DESCRIPTION = `List the names in the session of exec_code with their types: your definitions and predefined names (df, account, pd, latest …).
To understand one object use inspect.

The answer is {"ok": true, "result": {"globals": [{"name", "type_name"}]}}, in order of names.

Example: {} → {"ok": true, "result": {"globals": [{"name": "x", "type_name": "int"}]}}`;

const globalsSchema = z.array(z.strictObject({ name: z.string(), type_name: z.string() }));

export const listGlobals = defineTool({
  name: 'list_globals',
  description: DESCRIPTION,
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
