import { type Json, parseJson } from '../engine/index.ts';
import { isDeeperThan } from '../kernel/index.ts';
import { pythonLiteral } from './python-literal.ts';

/** Arguments for a tool, or the reason why they cannot be read. */
export type ReadWritten =
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
export const DEEPEST_ARGUMENTS = 100;

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
