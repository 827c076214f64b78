import { type BarContext, type Json, parseJson } from '../engine/index.ts';
import { isDeeperThan } from '../kernel/index.ts';
import { notOffered, textForModel } from './answers.ts';
import { pythonLiteral } from './python-literal.ts';
import { failure } from './tool.ts';

/** Arguments for a tool, or the reason why they cannot be read. */
type ReadWritten =
  | { readonly ok: true; readonly value: Json; readonly repaired: boolean }
  | { readonly ok: false; readonly problem: string };

/**
 * Reads the arguments of a tool call. Fixes unambiguous mistakes: an object instead of its text, a JSON text
 * within a text, a surrounding code fence, trailing commas, line breaks inside a string, a Python dict.
 */
export function readWrittenArguments(given: Json): ReadWritten {
  if (typeof given !== 'string') return asObject(given, true);
  const text = given.trim();
  if (text === '') return { ok: true, value: {}, repaired: false };
  const direct = parse(text);
  if (direct !== undefined) {
    // Some servers encode the text twice.
    const inner = typeof direct === 'string' ? parse(direct.trim()) : undefined;
    return inner === undefined ? asObject(direct, false) : asObject(inner, true);
  }
  const fenced = /^```(?:json)?\s*([\s\S]*?)\s*```$/.exec(text)?.[1] ?? text;
  const fixed = parse(fenced) ?? parse(withoutStrayMarks(fenced)) ?? pythonLiteral(fenced);
  if (fixed !== undefined) return asObject(fixed, true);
  return { ok: false, problem: `The arguments are not JSON: ${jsonProblem(text)}` };
}

/** Largest nesting depth of arguments. No tool needs more than a few levels. */
const DEEPEST_ARGUMENTS = 100;

function asObject(value: Json, repaired: boolean): ReadWritten {
  if (isDeeperThan(value, DEEPEST_ARGUMENTS))
    return { ok: false, problem: `The arguments are nested deeper than ${DEEPEST_ARGUMENTS} levels.` };
  if (value === null) return { ok: true, value: {}, repaired: true };
  if (typeof value === 'object' && !Array.isArray(value)) return { ok: true, value, repaired };
  const kind = Array.isArray(value) ? 'an array' : `a ${typeof value}`;
  return { ok: false, problem: `The arguments are ${kind}, not an object.` };
}

function parse(text: string): Json | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

function jsonProblem(text: string): string {
  try {
    JSON.parse(text);
    return '';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/**
 * Drops commas before closing brackets and escapes raw line breaks, each only where JSON does not allow them.
 */
function withoutStrayMarks(text: string): string {
  let fixed = '';
  let inString = false;
  for (let index = 0; index < text.length; index++) {
    const character = text[index]!;
    if (inString && character === '\\') {
      fixed += character + (text[index + 1] ?? '');
      index += 1;
    } else if (character === '"') {
      inString = !inString;
      fixed += character;
    } else if (inString) fixed += ESCAPES[character] ?? character;
    else if (character !== ',' || !/^\s*[}\]]/.test(text.slice(index + 1))) fixed += character;
  }
  return fixed;
}

/** Parsed tool call of a model. */
export interface WrittenCall {
  /**
   * Corrected text of the arguments. Servers that parse arguments reject a conversation with malformed ones.
   * `undefined` if no correction is needed.
   */
  readonly fixed: string | undefined;
  /**
   * Makes the call. Returns the answer as the text that the model receives.
   *
   * @param mostCharacters largest length of the answer; longer answers are cut with a note
   */
  make(turn: BarContext, mostCharacters: number): Promise<string>;
}

/**
 * Parses a call as a model wrote it. If the tool is unknown or the arguments cannot be parsed, the model gets
 * an answer, but no call is made: the call has no number and no entry in the journal other than the model's
 * reply.
 *
 * @param among names given to the model
 * @param call makes a call with a known tool and arguments
 */
export function readWritten(
  name: string,
  written: Json,
  among: readonly string[],
  call: (name: string, value: Json, turn: BarContext) => Promise<Json>,
): WrittenCall {
  const read = readWrittenArguments(written);
  const tool = toolMeant(name, among);
  const answer = (turn: BarContext): Json | Promise<Json> => {
    if (tool === undefined) return notOffered(name, among);
    if (read.ok) return call(tool, read.value, turn);
    return failure(
      read.problem,
      `Call ${tool} again with one JSON object of arguments, such as {"name": "value"}.`,
    );
  };
  const isSound = read.ok && !read.repaired && written !== '';
  return {
    fixed: isSound
      ? undefined
      : JSON.stringify(
          read.ok
            ? read.value
            : { malformed_arguments: isDeeperThan(written, DEEPEST_ARGUMENTS) ? null : written },
        ),
    make: async (turn, mostCharacters) => textForModel(await answer(turn), mostCharacters),
  };
}

/**
 * Returns the tool that a model most likely meant, if the spelling allows only one. Otherwise `undefined`.
 */
export function toolMeant(name: string, offered: readonly string[]): string | undefined {
  if (offered.includes(name)) return name;
  const plain = (text: string): string =>
    text
      .replace(/^(?:functions?|tools?|default_api|default)[.:/]/i, '')
      .replaceAll(/[^A-Za-z0-9]/g, '')
      .toLowerCase();
  const alike = offered.filter((one) => plain(one) === plain(name));
  return alike.length === 1 ? alike[0] : undefined;
}
