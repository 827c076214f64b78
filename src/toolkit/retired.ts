import { failure, type ToolFailure } from './tool.ts';

/** Removed tools with advice on their replacements. */
const RETIRED: Readonly<Record<string, string>> = {
  get_type: 'Use inspect: its type and kind say it.',
  get_repr: 'Use inspect: its repr has it.',
  get_dir: 'Use inspect: its members have it.',
  get_doc: 'Use inspect: its doc has it.',
  get_last_exception:
    'Keep the exception in a variable and inspect that; exec_code gives its traceback in stderr.',
};

/** Returns the answer to a call of a removed tool. `undefined` for any other name. */
export function retiredTool(name: string): ToolFailure | undefined {
  if (!Object.hasOwn(RETIRED, name)) return undefined;
  return failure(`There is no tool ${name}.`, RETIRED[name]!, { ok: false, code: 'unknown_function' });
}
