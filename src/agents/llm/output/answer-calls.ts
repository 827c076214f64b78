import { isDeepStrictEqual } from 'node:util';
import { type BarContext, isJsonObject, type Json } from '../../../engine/index.ts';
import {
  type JsonSchema,
  readWrittenArguments,
  type ToolDefinition,
  type Toolkit,
} from '../../../toolkit/index.ts';
import type { Capabilities } from '../../model/capabilities.ts';
import { ANSWER_TOOL, type AnswerRequest, type ModelReply, type ToolCall } from '../../model/types.ts';
import { rememberCanonical } from '../../model/wire-parts.ts';
import { type AnswerSchema, answerFaults, faultsText, isList, isStrict } from './answer-schema.ts';
import { type AnswerCall, type OutputSettings, PLACE } from './settings.ts';

/** Tool call derived from an answer. */
interface CallOfAnswer {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, Json>>;
}

/** Result of making the calls derived from an answer. */
export interface AnswerCallsEnd {
  readonly made: number;
  /** Error of the first failed call. The calls after it were not made. */
  readonly refusal?: string;
  /** True if at least one call has succeeded. The effects of succeeded calls remain, for example orders. */
  readonly stands: boolean;
}

/** Makes the calls derived from an answer, in order. Stops at the first error. */
export async function makeAnswerCalls(
  calls: readonly AnswerCall[],
  answer: Json,
  toolkit: Pick<Toolkit, 'call'>,
  turn: BarContext,
): Promise<AnswerCallsEnd> {
  let made = 0;
  for (const { tool, arguments: given } of callsOf(calls, answer)) {
    const result = await toolkit.call(tool, given, turn);
    made += 1;
    if (isJsonObject(result) && typeof result.error === 'string')
      return { made, refusal: `${tool} answered: ${result.error.replace(/\.$/, '')}`, stands: made > 1 };
  }
  return { made, stands: made > 0 };
}

/** Returns the calls derived from an answer, in order. */
export function callsOf(calls: readonly AnswerCall[], answer: Json): CallOfAnswer[] {
  return calls.flatMap(({ tool, arguments: given, each, when }) => {
    const list = each === undefined ? [undefined] : at(each, answer, undefined);
    return (isList(list as Json) ? (list as readonly Json[]) : []).flatMap((entry): CallOfAnswer[] => {
      if (!applies(when, answer, entry)) return [];
      const filled = fill(given, answer, entry);
      return [{ tool, arguments: isJsonObject(filled) ? filled : {} }];
    });
  });
}

function applies(when: AnswerCall['when'], answer: Json, entry: Json | undefined): boolean {
  if (when === undefined) return true;
  if (typeof when === 'string') return holdsSomething(at(when, answer, entry));
  return Object.entries(when).every(([place, wanted]) => {
    const found = at(place, answer, entry) ?? null;
    return (Array.isArray(wanted) ? wanted : [wanted]).includes(found as string);
  });
}

function holdsSomething(value: Json | undefined): boolean {
  if (isList(value)) return value.length > 0;
  if (isJsonObject(value)) return Object.keys(value).length > 0;
  return value !== undefined && value !== null && value !== false && value !== 0 && value !== '';
}

/**
 * Returns the value at a place of the answer, such as `$.weights.AAPL` or `@.symbol`. `undefined` if missing.
 *
 * @param entry list entry that `@` stands for
 */
function at(place: string, answer: Json, entry: Json | undefined): Json | undefined {
  const [, from, steps = ''] = PLACE.exec(place) ?? [];
  let value = from === '@' ? entry : answer;
  for (const step of steps.split('.').slice(1)) {
    if (isList(value)) value = value[Number(step)];
    else value = isJsonObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
  }
  return value;
}

/**
 * Replaces each place, such as `$.weights.AAPL`, by its value in the answer. Omits fields whose place is
 * missing or `null` in the answer.
 */
function fill(value: Json, answer: Json, entry: Json | undefined): Json | undefined {
  if (typeof value === 'string') return PLACE.test(value) ? (at(value, answer, entry) ?? undefined) : value;
  if (isList(value)) return value.map((one) => fill(one, answer, entry)).filter((one) => one !== undefined);
  if (!isJsonObject(value)) return value;
  const fields: [string, Json][] = [];
  for (const [name, one] of Object.entries(value)) {
    const filled = fill(one, answer, entry);
    if (filled !== undefined) fields.push([name, filled]);
  }
  return Object.fromEntries(fields);
}

/** Required form of a decision's answer in one run. */
export interface AnswerForm {
  readonly request: AnswerRequest;
  /**
   * Tool whose arguments are the answer. `undefined` if the server itself enforces the form by a JSON schema.
   */
  readonly tool: ToolDefinition | undefined;
  readonly calls: readonly AnswerCall[];
}

const SYMBOLS = '{{symbols}}';
const TOOL_WORDS =
  'Ends this decision with your answer. Call it once, when you are done, and put all of the answer into its arguments.';

/**
 * Returns the required form of answers in one run. Replaces `{{symbols}}` in field names and lists by the
 * run's symbols.
 *
 * @param maskText masks symbols and dates in a text of the form
 * @param hasTools true if the model can also call tools other than the tool for its answer
 */
export function answerForm(
  output: OutputSettings,
  symbols: readonly string[],
  maskText: (text: string) => string,
  { answerSchema }: Capabilities,
  hasTools: boolean,
): AnswerForm {
  const expand = (value: Json): Json => {
    if (typeof value === 'string') return maskText(value);
    if (isList(value))
      return value.flatMap((one): readonly Json[] => (one === SYMBOLS ? symbols : [expand(one)]));
    return isJsonObject(value) ? fields(value) : value;
  };
  const fields = (value: AnswerSchema): Record<string, Json> =>
    Object.fromEntries(
      Object.entries(value).flatMap(([name, one]): [string, Json][] => {
        const filled = expand(one);
        return name === SYMBOLS ? symbols.map((symbol) => [symbol, filled]) : [[maskText(name), filled]];
      }),
    );
  const schema = fields(output.schema);
  const takesSchema = answerSchema === 'always' || (answerSchema === 'without-tools' && !hasTools);
  const by = output.by ?? (takesSchema ? 'json_schema' : 'tool');
  rememberCanonical(schema);
  return {
    request: { by, schema, strict: isStrict(schema) },
    tool: by === 'tool' ? answerTool(schema) : undefined,
    calls: output.calls.map(({ arguments: given, when, ...call }) => ({
      ...call,
      arguments: fields(given),
      ...(when === undefined ? {} : { when: typeof when === 'string' ? when : maskedWhen(when, maskText) }),
    })),
  };
}

function answerTool(schema: AnswerSchema): ToolDefinition {
  // The cast is safe, because the keywords of the schema were checked when the strategy was read.
  const parameters = schema as JsonSchema;
  return { type: 'function', function: { name: ANSWER_TOOL, description: TOOL_WORDS, parameters } };
}

function maskedWhen(
  when: Exclude<AnswerCall['when'], string | undefined>,
  maskText: (text: string) => string,
): AnswerCall['when'] {
  const over = <Value>(value: Value): Value | string => (typeof value === 'string' ? maskText(value) : value);
  return Object.fromEntries(
    Object.entries(when).map(([place, wanted]) => [
      place,
      Array.isArray(wanted) ? wanted.map(over) : over(wanted),
    ]),
  );
}

/** Returns all texts of an answer's schema that the model receives. */
export function textsOf(value: Json): string[] {
  if (typeof value === 'string') return [value];
  if (isList(value)) return value.flatMap(textsOf);
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, one]) => [name, ...textsOf(one)]);
}

/** Answer in the required form, or the fault of the reply. */
type ReadAnswer = { readonly answer: Json } | { readonly fault: string };

/** Returns true if a tool call contains the answer. Models write the name of the tool in several ways. */
export function isAnswerCall({ name }: ToolCall): boolean {
  return name.replace(/^(?:functions?|tools?|default_api)[.:/]/i, '').toLowerCase() === ANSWER_TOOL;
}

/** Reads the answer of a reply from the arguments of the answer's tool, or from the text. */
export function readAnswer(reply: ModelReply, schema: AnswerSchema): ReadAnswer {
  const [call, ...others] = reply.toolCalls.filter(isAnswerCall);
  if (call !== undefined) {
    const same = others.every((other) => isDeepStrictEqual(other.arguments, call.arguments));
    if (!same) return { fault: `${others.length + 1} answers came, and they are not the same` };
    return checked(call.arguments, schema);
  }
  if (reply.text.trim() === '') return { fault: 'the answer is empty' };
  return checked(jsonIn(reply.text), schema);
}

/**
 * Returns the JSON in a text: its last code block, or the part between its outermost braces, or the whole
 * text.
 */
function jsonIn(text: string): string {
  const blocks = [...text.matchAll(/```(?:json)?\s*(\{[\s\S]*?\})\s*```/g)];
  const block = blocks.at(-1)?.[1];
  if (block !== undefined) return block;
  const [from, to] = [text.indexOf('{'), text.lastIndexOf('}')];
  return from === -1 || to < from ? text : text.slice(from, to + 1);
}

function checked(written: Json, schema: AnswerSchema): ReadAnswer {
  const read = readWrittenArguments(written);
  if (!read.ok) return { fault: read.problem.replace('The arguments are', 'it is').replace(/\.$/, '') };
  const faults = answerFaults(schema, read.value);
  return faults.length === 0 ? { answer: read.value } : { fault: faultsText(faults) };
}
