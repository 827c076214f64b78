import type { Json } from '../engine/index.ts';
import { AppError, messageOf } from '../kernel/index.ts';
import { jsonBytes, plainJson } from './json-value.ts';
import { didYouMean } from './nearest.ts';
import { ALL_TOOLS, TOOL_NAMES } from './registry.ts';
import { retiredTool } from './retired.ts';
import { failure, shown } from './tool.ts';

/** Room for the envelope of a result that was capped where it was made, with better advice than here. */
const ENVELOPE_BYTES = 8_192;

/** The answer to a call of a tool that is not on offer, or not at all. */
export function unknownTool(name: string, names: readonly string[]): Json {
  const retired = retiredTool(name);
  if (retired !== undefined) return retired;
  const word = shown(name);
  const elsewhere = (TOOL_NAMES as readonly string[]).includes(name);
  const needs = Object.hasOwn(ALL_TOOLS, name) ? ALL_TOOLS[name]?.needs : undefined;
  const needed = needs === undefined ? undefined : `It is there in runs with --${needs}. `;
  return failure(
    elsewhere ? `The tool ${word} is not on offer here.` : `There is no tool ${word}.`,
    `${needed ?? (elsewhere ? '' : didYouMean(name, names))}Use one of: ${names.join(', ')}.`,
    { code: 'unknown_function' },
  );
}

/**
 * The same for a model, in whose conversation the answer is all there is of the call. A record holds these words, and a
 * replay compares them.
 */
export function notOffered(name: string, among: readonly string[]): Json {
  return failure(`There is no tool ${name}.`, `Call one of: ${among.join(', ')}.`);
}

/**
 * The answer to a call whose tool threw.
 *
 * @throws AppError of kind `run`, which no other arguments would fix
 */
export function failed(name: string, error: unknown): Json {
  if (error instanceof AppError && error.kind === 'run') throw error;
  const hint = error instanceof AppError ? withoutPaths(error.hint) : 'Try other arguments.';
  return failure(`${name} failed: ${withoutPaths(messageOf(error))}`, hint);
}

/** The first line of a message, without the paths of this machine. */
function withoutPaths(text: string): string {
  const [line = ''] = text.split('\n', 1);
  return line
    .slice(0, 500)
    .replaceAll(/(?<![\w.])(?:file:\/\/)?(?:[A-Za-z]:)?(?:[\\/][^\s\\/'"():,]+){2,}/g, '…');
}

/** A result that fits under the cap, in bytes of JSON. */
export function bounded(result: Json, limit: number): Json {
  const json = plainJson(result);
  const most = limit + ENVELOPE_BYTES;
  const size = jsonBytes(json, most);
  if (size <= most) return json;
  return failure(
    `The result is ${size} bytes, over the cap of ${limit}.`,
    'Ask for less: fewer bars, or a summary from compute.',
  );
}

/** An answer as the text that a model is shown: cut to so many characters, and said so. */
export function textForModel(answer: Json, most: number): string {
  const text = JSON.stringify(answer);
  if (text.length <= most) return text;
  const mark = `\n[cut: the first ${most} of ${text.length} characters are shown; ask for less at a time]`;
  // Not within a pair of surrogates.
  const end = /[\uD800-\uDBFF]/.test(text[most - 1] ?? '') ? most - 1 : most;
  return text.slice(0, end) + mark;
}
