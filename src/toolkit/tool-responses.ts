import type { Json } from '../engine/index.ts';
import { AppError, messageOf } from '../kernel/index.ts';
import { jsonBytes, plainJson } from './json-value.ts';
import { ALL_TOOLS, TOOL_NAMES } from './registry.ts';
import { didYouMean, failure, shown, type ToolFailure } from './tool.ts';

/** Removed tools, each with advice on what to use instead. */
const RETIRED: Readonly<Record<string, string>> = {
  get_type: 'Use inspect: it returns type and kind.',
  get_repr: 'Use inspect: it returns repr.',
  get_dir: 'Use inspect: it returns members.',
  get_doc: 'Use inspect: it returns doc.',
  get_last_exception:
    'Store the exception in a variable and inspect it. exec_code returns the traceback in stderr.',
};

/** Returns the answer to a call of a removed tool. `undefined` for any other name. */
function retiredTool(name: string): ToolFailure | undefined {
  if (!Object.hasOwn(RETIRED, name)) return undefined;
  return failure(`Unknown tool ${name}.`, RETIRED[name]!, { ok: false, code: 'unknown_function' });
}

/**
 * Bytes by which an answer may exceed the size limit of a result. A tool may already have shortened its
 * result to the limit; the additional bytes are for the fields around it.
 */
const ENVELOPE_BYTES = 8_192;

/** Returns the failure for a tool name that does not exist or is not offered. */
export function unknownTool(name: string, names: readonly string[]): Json {
  const retired = retiredTool(name);
  if (retired !== undefined) return retired;
  const word = shown(name);
  const elsewhere = (TOOL_NAMES as readonly string[]).includes(name);
  const needs = Object.hasOwn(ALL_TOOLS, name) ? ALL_TOOLS[name]?.needs : undefined;
  const needed = needs === undefined ? undefined : `It is available in runs with --${needs}. `;
  return failure(
    elsewhere ? `The tool ${word} is not available here.` : `Unknown tool ${word}.`,
    `${needed ?? (elsewhere ? '' : didYouMean(name, names))}Use one of: ${names.join(', ')}.`,
    { code: 'unknown_function' },
  );
}

/**
 * Returns the failure for a tool name that is not among the tools offered to a model. Do not change the text:
 * recordings contain it, and a replay compares it.
 */
export function notOffered(name: string, among: readonly string[]): Json {
  return failure(`Unknown tool ${name}.`, `Call one of: ${among.join(', ')}.`);
}

/**
 * Returns the failure for a call whose tool threw an error.
 *
 * @throws AppError of kind `run`, which ends the run, because a call with other arguments would fail in the
 *   same way
 */
export function failed(name: string, error: unknown): Json {
  if (error instanceof AppError && error.kind === 'run') throw error;
  const hint = error instanceof AppError ? withoutPaths(error.hint) : 'Try other arguments.';
  return failure(`${name} failed: ${withoutPaths(messageOf(error))}`, hint);
}

/** Returns the first line of a message without the paths of this machine. */
function withoutPaths(text: string): string {
  const [line = ''] = text.split('\n', 1);
  return line
    .slice(0, 500)
    .replaceAll(/(?<![\w.])(?:file:\/\/)?(?:[A-Za-z]:)?(?:[\\/][^\s\\/'"():,]+){2,}/g, '…');
}

/**
 * Returns the result as plain JSON if it is within the size limit. Otherwise returns a failure.
 *
 * @param limit maximum size in bytes of JSON
 */
export function bounded(result: Json, limit: number): Json {
  const json = plainJson(result);
  const most = limit + ENVELOPE_BYTES;
  const size = jsonBytes(json, most);
  if (size <= most) return json;
  return failure(
    `The result has ${size} bytes, above the limit of ${limit}.`,
    'Request fewer bars, or a summary from compute.',
  );
}

/**
 * Formats an answer as text for a model. A longer text is cut and ends with a note.
 *
 * @param most maximum number of characters
 */
export function textForModel(answer: Json, most: number): string {
  const text = JSON.stringify(answer);
  if (text.length <= most) return text;
  const mark = `\n[truncated: the first ${most} of ${text.length} characters are shown; request less]`;
  // Avoids cutting between the two halves of a surrogate pair.
  const end = /[\uD800-\uDBFF]/.test(text[most - 1] ?? '') ? most - 1 : most;
  return text.slice(0, end) + mark;
}
