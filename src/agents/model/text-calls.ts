import { isJsonObject, type Json, parseJson } from '../../engine/index.ts';
import { pythonCalls, toolMeant } from '../../toolkit/index.ts';
import type { ToolCall } from './types.ts';

/** Tool calls that a model wrote in its text, in the notation of a chat template. */
export interface TextCalls {
  readonly calls: readonly ToolCall[];
  /** Text without the calls. */
  readonly rest: string;
}

interface Written {
  readonly name: string;
  readonly arguments: Json;
}

/**
 * Notation of calls: a pattern that finds them and a function that reads them. If a match cannot be read, it
 * is treated as text.
 */
interface Notation {
  readonly pattern: RegExp;
  read(match: readonly (string | undefined)[]): readonly Written[];
}

/**
 * Finds tool calls in the text of a reply. Needed for servers that do not parse tool calls. Supports the
 * templates of Qwen, Hermes, GLM, Mistral, Llama, DeepSeek, Kimi and gpt-oss, and calls in JSON or Python.
 *
 * @param offered names of the available tools. A call with another name is treated as text
 * @returns undefined if the text contains no calls
 */
export function textCalls(text: string, offered: readonly string[]): TextCalls | undefined {
  if (text.length > LONGEST_TEXT) return undefined;
  for (const { pattern, read } of NOTATIONS) {
    const calls: ToolCall[] = [];
    const rest = text.replaceAll(pattern, (...given) => {
      const whole = String(given[0]);
      const found = read(matchOf(given)).map(({ name, arguments: value }) => ({
        id: '',
        name: plainName(name),
        arguments: value,
      }));
      if (found.length === 0 || !found.every(({ name }) => toolMeant(name, offered) !== undefined))
        return whole;
      calls.push(...found);
      return '';
    });
    if (calls.length > 0) return { calls, rest: rest.replaceAll(WRAPPERS, '').trim() };
  }
  return undefined;
}

/**
 * Maximum number of characters of a text that is searched for calls. On maliciously written texts,
 * the time that the patterns need grows faster than the length.
 */
const LONGEST_TEXT = 50_000;
/** Marks around a group of calls. They are removed from the text. */
const WRAPPERS = /<\/?(?:｜DSML｜|antml:)?function_calls>/g;

/**
 * Removes remains of a chat template from a tool's name: `functions.compute:0`,
 * `compute<|channel|>commentary`.
 */
export function plainName(name: string): string {
  return name
    .replace(/<\|.*$/s, '')
    .trim()
    .replace(/^functions\./, '')
    .replace(/:\d+$/, '');
}

// Returns the match and its groups. `replaceAll` also passes the position and the whole text, which are
// removed here.
function matchOf(given: readonly unknown[]): string[] {
  return given.slice(0, -2).map((group) => (group === undefined ? '' : String(group)));
}

const NOTATIONS: readonly Notation[] = [
  // DeepSeek V3.2 and Anthropic's templates: <invoke name="f"><parameter name="a">1</parameter></invoke>
  {
    pattern: /<((?:｜DSML｜|antml:)?)invoke name="([^"]+)">([\s\S]*?)<\/\1invoke>/g,
    read: ([, , name = '', body = '']) => [
      {
        name,
        arguments: parameters(body, /<[^<>]*parameter name="([^"]+)"([^>]*)>([\s\S]*?)<\/[^<>]*parameter>/g),
      },
    ],
  },
  // Qwen3-Coder: <function=f><parameter=a>1</parameter></function>
  {
    pattern: /(?:<tool_call>\s*)?<function=([^>\s]+)>([\s\S]*?)<\/function>(?:\s*<\/tool_call>)?/g,
    read: ([, name = '', body = '']) => [
      { name, arguments: parameters(body, /<parameter=([^>\s]+)()>\n?([\s\S]*?)\n?<\/parameter>/g) },
    ],
  },
  // GLM: <tool_call>f <arg_key>a</arg_key><arg_value>1</arg_value></tool_call>
  {
    pattern: /<tool_call>\s*([\w.:-]+)\s*((?:<arg_key>[\s\S]*?)?)<\/tool_call>/g,
    read: ([, name = '', body = '']) => [
      {
        name,
        arguments: parameters(body, /<arg_key>([\s\S]*?)<\/arg_key>()\s*<arg_value>([\s\S]*?)<\/arg_value>/g),
      },
    ],
  },
  // Hermes and Qwen: <tool_call>{"name": "f", "arguments": {}}</tool_call>. The closing mark is often
  // missing.
  {
    pattern: /<tool_call>\s*([[{][\s\S]*?)\s*(?:<\/tool_call>|(?=<tool_call>)|$)/g,
    read: ([, body = '']) => jsonCalls(body),
  },
  // Mistral: [TOOL_CALLS]f[ARGS]{}
  {
    pattern:
      /\[TOOL_CALLS\]\s*([\w.-]+)\s*(?:\[CALL_ID\]\w+)?\s*\[ARGS\]\s*(\{[\s\S]*?\})\s*(?=\[TOOL_CALLS\]|$)/g,
    read: ([, name = '', body = '']) => named(name, body),
  },
  // Earlier Mistral models: [TOOL_CALLS][{"name": "f", "arguments": {}}]
  {
    pattern: /\[TOOL_CALLS\]\s*(\[[\s\S]*\]|\{[\s\S]*\})/g,
    read: ([, body = '']) => jsonCalls(body),
  },
  // Kimi: <|tool_call_begin|>functions.f:0<|tool_call_argument_begin|>{}<|tool_call_end|>
  {
    pattern:
      /(?:<\|tool_calls_section_begin\|>\s*)?<\|tool_call_begin\|>\s*([\w.:-]+)\s*<\|tool_call_argument_begin\|>\s*([\s\S]*?)\s*<\|tool_call_end\|>(?:\s*<\|tool_calls_section_end\|>)?/g,
    read: ([, name = '', body = '']) => named(name, body),
  },
  // DeepSeek V3: <｜tool▁call▁begin｜>function<｜tool▁sep｜>f and its arguments, with or without a code fence
  {
    pattern:
      /(?:<｜tool▁calls▁begin｜>\s*)?<｜tool▁call▁begin｜>(?:function<｜tool▁sep｜>)?([\w.-]+)(?:<｜tool▁sep｜>)?\s*(?:```json)?\s*(\{[\s\S]*?\})\s*(?:```)?\s*<｜tool▁call▁end｜>(?:\s*<｜tool▁calls▁end｜>)?/g,
    read: ([, name = '', body = '']) => named(name, body),
  },
  // gpt-oss: <|channel|>commentary to=functions.f <|constrain|>json<|message|>{}<|call|>
  {
    pattern:
      /(?:<\|start\|>assistant)?<\|channel\|>\w+\s+to=([\w.-]+)\s*(?:<\|constrain\|>)?\s*(?:json)?\s*<\|message\|>\s*(\{[\s\S]*?\})\s*(?:<\|call\|>|$)/g,
    read: ([, name = '', body = '']) => named(name, body),
  },
  // Llama: <|python_tag|>{"name": "f", "parameters": {}}
  {
    pattern: /<\|python_tag\|>\s*(\{[\s\S]*\}|[\w.]+\([\s\S]*\))\s*(?:<\|eom_id\|>|<\|eot_id\|>)?\s*$/g,
    read: ([, body = '']) => anyCalls(body),
  },
  // A code block that contains only calls.
  {
    pattern: /```(?:json|tool_calls?|tool_code|python)?[^\S\n]*\n([\s\S]*?)\n?```/g,
    read: ([, body = '']) => anyCalls(body.trim()),
  },
  // The whole text is one or several calls, as JSON or as `f(a=1)`.
  {
    pattern: /^\s*([[{][\s\S]*[\]}]|[A-Za-z_][\w.]*\([\s\S]*\))\s*$/g,
    read: ([, body = '']) => anyCalls(body),
  },
];

function parameters(body: string, pattern: RegExp): Json {
  return Object.fromEntries(
    [...body.matchAll(pattern)].map(([, name = '', attributes = '', value = '']) => [
      name.trim(),
      attributes.includes('string="true"') ? value : valueIn(value),
    ]),
  );
}

/** Value of a parameter: parsed JSON, or the text if it is not valid JSON. */
function valueIn(text: string): Json {
  return parsed(text.trim()) ?? text;
}

function named(name: string, body: string): Written[] {
  return [{ name, arguments: parsed(body) ?? body }];
}

function anyCalls(body: string): readonly Written[] {
  const found = jsonCalls(body);
  return found.length > 0 ? found : (pythonCalls(body) ?? []);
}

/** Reads `{"name": …, "arguments": …}`, a list of such objects, or one such object per line. */
function jsonCalls(body: string): Written[] {
  const whole = parsed(body);
  const values =
    whole === undefined
      ? body.split('\n').map((line) => parsed(line))
      : Array.isArray(whole)
        ? whole
        : [whole];
  const calls = values.map(callOf);
  return calls.every((call) => call !== undefined) ? calls : [];
}

function callOf(value: Json | undefined): Written | undefined {
  if (!isJsonObject(value)) return undefined;
  // OpenAI's own format as text: `{"type": "function", "function": {"name": …}}`.
  if (isJsonObject(value.function)) return callOf(value.function);
  const name = value.name ?? value.tool ?? value.tool_name ?? value.function;
  const given = value.arguments ?? value.parameters ?? value.args ?? value.input;
  return typeof name === 'string' && given !== undefined ? { name, arguments: given } : undefined;
}

function parsed(text: string): Json | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
