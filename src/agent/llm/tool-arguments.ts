import type { Json } from '../../engine/index.ts';

/** Arguments as a tool takes them, or what is wrong with them. */
export type ReadArguments =
  | { readonly ok: true; readonly value: Json; readonly repaired: boolean }
  | { readonly ok: false; readonly problem: string };

/**
 * Reads a tool call's arguments. What can only be meant in one way is mended: an object instead of its text, a text
 * within a text, a code fence around it, commas before a closing bracket, line breaks inside a string.
 */
export function readArguments(given: Json): ReadArguments {
  if (typeof given !== 'string') return asObject(given, true);
  const text = given.trim();
  if (text === '') return { ok: true, value: {}, repaired: false };
  const direct = parse(text);
  if (direct !== undefined) {
    // Some servers wrap the text once more.
    const inner = typeof direct === 'string' ? parse(direct.trim()) : undefined;
    return inner === undefined ? asObject(direct, false) : asObject(inner, true);
  }
  const fenced = /^```(?:json)?\s*([\s\S]*?)\s*```$/.exec(text)?.[1] ?? text;
  const mended = parse(fenced) ?? parse(withoutStrayMarks(fenced));
  if (mended !== undefined) return asObject(mended, true);
  return { ok: false, problem: `The arguments are not JSON: ${jsonProblem(text)}` };
}

function asObject(value: Json, repaired: boolean): ReadArguments {
  if (value === null) return { ok: true, value: {}, repaired: true };
  if (typeof value === 'object' && !Array.isArray(value)) return { ok: true, value, repaired };
  const kind = Array.isArray(value) ? 'an array' : `a ${typeof value}`;
  return { ok: false, problem: `The arguments are ${kind}, not an object.` };
}

function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
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

/** Drops commas before closing brackets and escapes raw line breaks, each only where JSON cannot have them. */
function withoutStrayMarks(text: string): string {
  let mended = '';
  let inString = false;
  for (let index = 0; index < text.length; index++) {
    const character = text[index]!;
    if (inString && character === '\\') {
      mended += character + (text[index + 1] ?? '');
      index += 1;
    } else if (character === '"') {
      inString = !inString;
      mended += character;
    } else if (inString) mended += ESCAPES[character] ?? character;
    else if (character !== ',' || !/^\s*[}\]]/.test(text.slice(index + 1))) mended += character;
  }
  return mended;
}

/** The tool a model most likely meant, where its spelling leaves only one; undefined otherwise. */
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
