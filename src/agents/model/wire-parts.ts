import { createHash } from 'node:crypto';
import { z } from 'zod';
import { isJsonObject, type Json, type ServedBy } from '../../engine/index.ts';
import { isObject } from '../../kernel/index.ts';
import type { Capabilities } from './capabilities.ts';
import { AnsweredError, type Body, MalformedReply, type ReplyEnd } from './types.ts';

/** Text of a reply and its reasoning. */
export interface Thought {
  readonly text: string;
  readonly reasoning?: string;
}

const OPENED = /^\s*<(think|thinking|thought)>/;

/**
 * Separates the reasoning in `<think>…</think>` from the answer, for servers that do not do this. If a text
 * ends inside its reasoning, the answer is empty. Some chat templates already contain `<think>`. The text
 * then begins with reasoning and contains only the closing mark.
 */
export function withoutThoughts(text: string): Thought {
  const opened = OPENED.exec(text);
  const closing = /<\/(?:think|thinking|thought)>/.exec(text);
  if (opened === null && closing === null) return { text };
  // A `<think>` in the middle of an answer belongs to the answer. Exception: a lone `</think>` ends reasoning
  // that the chat template has started.
  if (opened === null && /<(?:think|thinking|thought)>/.test(text)) return { text };
  const begin = opened === null ? 0 : opened[0].length;
  const end = closing === null ? text.length : closing.index;
  const after = closing === null ? '' : text.slice(closing.index + closing[0].length);
  return { text: after.replace(/^\s+/, ''), reasoning: text.slice(begin, end).trim() };
}

/** Sampling settings. A field that the model does not support is omitted from requests. */
export const samplingSchema = z.strictObject({
  temperature: z.number().min(0).max(2).optional(),
  top_p: z.number().gt(0).max(1).optional(),
  seed: z.number().int().optional(),
  /** Maximum tokens of one reply, including reasoning. */
  max_tokens: z.number().int().min(1).optional(),
  reasoning_effort: z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh']).optional(),
});

type Sampling = z.infer<typeof samplingSchema>;

/** Settings from which a protocol builds its request bodies. */
export interface ProtocolSettings {
  readonly model: string;
  readonly capabilities: Capabilities;
  readonly sampling: Sampling;
  readonly stream: boolean;
  /** Extra request fields that the strategy sets. They override fields built from the other settings. */
  readonly extraBody?: Body;
}

/** Returns `temperature` and `top_p` for a request, if they are set and the model supports them. */
export function drawFields({ capabilities, sampling: { temperature, top_p } }: ProtocolSettings): Body {
  if (!capabilities.sampling) return {};
  return { ...(temperature === undefined ? {} : { temperature }), ...(top_p === undefined ? {} : { top_p }) };
}

/** Returns the arguments of a tool call as JSON text. */
export function argumentsText(given: Json): string {
  return typeof given === 'string' ? given : JSON.stringify(given);
}

const CUT = /^(length|max_tokens|max_output_tokens|model_length|model_context_window_exceeded)$/i;
/**
 * Finish reasons of a content filter. Google adds the kind of content: `content_filter: PROHIBITED_CONTENT`.
 */
const FILTERED = /^(content_filter|safety|sensitive|prohibited_content|recitation|blocklist|spii)\b/i;
const FAILED =
  /^(error|abort|insufficient_system_resource|network_error|function_call_filter|malformed_function_call)\b/i;

/** Returns true if the finish reason shows that the server failed. */
export function isFailedEnd(reason: string | null | undefined): reason is string {
  return FAILED.test(reason ?? '');
}

/**
 * Converts the finish reason of any server to a `ReplyEnd`.
 *
 * @param called true if the reply contains tool calls
 */
export function endOf(reason: string | null | undefined, called: boolean): ReplyEnd {
  const said = reason ?? '';
  if (CUT.test(said)) return 'length';
  if (FILTERED.test(said)) return 'filtered';
  if (/^refusal$/i.test(said)) return 'refused';
  // Servers use different finish reasons for a reply with tool calls. The presence of calls is therefore
  // decisive.
  return called ? 'tool_calls' : 'stop';
}

/**
 * Returns true if a server gave a field a value. `null`, an empty text and an empty list count as missing.
 */
export function isPresent<Value>(value: Value): value is NonNullable<Value> {
  return (
    value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0)
  );
}

/**
 * Finds the error in an answer with a successful HTTP status. The error is in the field `error`, or the whole
 * answer is the error. Google sends a list whose first item contains the error.
 *
 * @returns undefined if the answer is not an error
 */
export function errorIn(answer: unknown): unknown {
  if (Array.isArray(answer)) return errorIn(answer[0]);
  if (!isObject(answer)) return undefined;
  const { error, object } = answer;
  if (object === 'error') return answer;
  const isNone = !isPresent(error) || error === false || (isObject(error) && Object.keys(error).length === 0);
  return isNone ? undefined : error;
}

/**
 * Parses the answer of a server. An answer with status 200 may contain an error, because routers send the
 * status before the server behind them fails.
 *
 * @param kind kind of answer, for the error message
 * @throws AnsweredError if the answer is an error
 * @throws MalformedReply if the answer does not match the schema
 */
export function readAs<Schema extends z.ZodType>(
  schema: Schema,
  answer: unknown,
  kind: string,
): z.infer<Schema> {
  const failed = errorIn(answer);
  if (failed !== undefined) throw new AnsweredError(failed);
  const parsed = schema.safeParse(answer);
  if (!parsed.success) throw new MalformedReply(`the answer is not ${kind}`);
  return parsed.data;
}

/**
 * Returns the field `served`: the model's name and the fingerprint of its configuration, as reported by the
 * server. Returns an empty object if the server reported neither.
 */
export function servedBy(
  model: string | null | undefined,
  fingerprint: string | null | undefined,
): { readonly served?: ServedBy } {
  if (!isPresent(model) && !isPresent(fingerprint)) return {};
  return {
    served: { ...(isPresent(model) ? { model } : {}), ...(isPresent(fingerprint) ? { fingerprint } : {}) },
  };
}

/** Cache of canonical texts, for values such as tool definitions that many requests contain unchanged. */
const known = new WeakMap<object, string>();

/** Stores the canonical text of a value in the cache. The value must never change. */
export function rememberCanonical(value: Json): void {
  if (typeof value === 'object' && value !== null) known.set(value, canonicalJson(value));
}

/** Returns JSON with sorted keys at every level, so that equal values have equal texts. */
export function canonicalJson(value: Json): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const remembered = known.get(value);
  if (remembered !== undefined) return remembered;
  if (!isJsonObject(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const fields: string[] = [];
  for (const key of Object.keys(value).sort()) {
    const field = value[key];
    if (field !== undefined) fields.push(`${JSON.stringify(key)}:${canonicalJson(field)}`);
  }
  return `{${fields.join(',')}}`;
}

/**
 * Returns the SHA-256 of a request's canonical body, in hex. Headers, API keys and addresses are not
 * included.
 */
export function requestHash(canonical: string): string {
  return createHash('sha256').update(canonical).digest('hex');
}
