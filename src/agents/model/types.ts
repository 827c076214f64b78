import { z } from 'zod';
import { type Json, jsonSchema, type ServedBy, type TokenUsage } from '../../engine/index.ts';
import type { ToolDefinition } from '../../toolkit/index.ts';

/** Tool call as the model wrote it. `arguments` may be invalid JSON. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** Text of JSON, or a value if the server sends arguments as an object. */
  readonly arguments: Json;
  /** Further fields of the call. Later requests repeat them unchanged, for example Gemini's signature. */
  readonly extra?: Readonly<Record<string, Json>>;
}

/** Message of a conversation with a model, independent of the protocol. */
export type Message =
  | { readonly role: 'system' | 'user'; readonly text: string }
  | {
      readonly role: 'assistant';
      readonly text: string;
      readonly toolCalls: readonly ToolCall[];
      /** Further fields of the server's message, by name. Later requests repeat them unchanged. */
      readonly echo?: Readonly<Record<string, Json>>;
      /** Output items of this message in the Responses API. Later requests repeat them unchanged. */
      readonly items?: readonly Json[];
    }
  | { readonly role: 'tool'; readonly callId: string; readonly name: string; readonly text: string };

/**
 * Reason why a reply ended. `length`: token limit. `filtered`: content filter. `refused`: refusal by the
 * model.
 */
export type ReplyEnd = 'stop' | 'tool_calls' | 'length' | 'filtered' | 'refused';

/** Reply of a model, independent of the protocol. */
export interface ModelReply {
  readonly text: string;
  readonly toolCalls: readonly ToolCall[];
  readonly end: ReplyEnd;
  readonly reasoning?: string;
  readonly echo?: Readonly<Record<string, Json>>;
  readonly items?: readonly Json[];
}

const replySchema: z.ZodType<ModelReply> = z.looseObject({
  text: z.string(),
  toolCalls: z.array(
    z.looseObject({
      id: z.string(),
      name: z.string(),
      arguments: jsonSchema,
      extra: z.record(z.string(), jsonSchema).exactOptional(),
    }),
  ),
  end: z.enum(['stop', 'tool_calls', 'length', 'filtered', 'refused']),
  reasoning: z.string().exactOptional(),
  echo: z.record(z.string(), jsonSchema).exactOptional(),
  items: z.array(jsonSchema).exactOptional(),
});

/** Returns true if a value from a journal is a valid `ModelReply`. */
export function isModelReply(value: unknown): value is ModelReply {
  return replySchema.safeParse(value).success;
}

/** Request to a model, independent of the protocol. */
export interface ModelRequest {
  readonly messages: readonly Message[];
  readonly tools: readonly ToolDefinition[];
  /**
   * True for the last request of a decision. The model must then answer and cannot call trading or data
   * tools.
   */
  readonly final: boolean;
  /** Required form of the answer. Default: any text. */
  readonly answer?: AnswerRequest | undefined;
}

/** Required form of an answer, and the technique that makes the model use it. */
export interface AnswerRequest {
  /**
   * `json_schema`: the server enforces `schema`. `tool`: the model answers by calling the tool `answer`,
   * whose arguments are the answer. The last request of a decision makes this call mandatory.
   */
  readonly by: 'json_schema' | 'tool';
  readonly schema: Readonly<Record<string, Json>>;
  /** True if the schema fits OpenAI's strict mode. */
  readonly strict: boolean;
}

/** Name of the schema of an answer, and of the tool whose arguments are the answer. */
export const ANSWER_TOOL = 'answer';

export interface Exchange {
  readonly reply: ModelReply;
  readonly served?: ServedBy;
  readonly usage: TokenUsage | null;
}

/** JSON body of a request. */
export type Body = Readonly<Record<string, Json>>;

/** Protocol of a server: builds request bodies and reads replies. */
export interface Protocol {
  readonly path: '/chat/completions' | '/responses';
  body(request: ModelRequest): Body;
  /**
   * Converts the JSON body of a server's answer to a reply with its token usage.
   *
   * @throws MalformedReply
   */
  reply(answer: unknown): Exchange;
  /**
   * Joins the events of a streamed answer into one JSON body, which `reply` can convert.
   *
   * @param closed returns true once the server has sent the last mark of the stream, `[DONE]`
   * @throws TruncatedStream, MalformedReply
   */
  assemble(events: AsyncIterable<unknown>, closed: () => boolean): Promise<unknown>;
}

/** Error for an answer that does not match the protocol. */
export class MalformedReply extends Error {}
/** Error for a stream that ended before its reply was complete. */
export class TruncatedStream extends Error {}
/** Error that the server sent inside a stream or an HTTP 200 answer. */
export class AnsweredError extends Error {
  readonly error: unknown;

  constructor(error: unknown) {
    super('the answer carried an error');
    this.error = error;
  }
}

// Number of tokens. If the count of input or output tokens is invalid (negative, fractional or a text), the
// whole reported usage is ignored.
const tokens = z.number().int().min(0);

const detailsSchema = z.looseObject({ cached_tokens: z.unknown(), reasoning_tokens: z.unknown() }).partial();

const usageSchema = z.looseObject({
  prompt_tokens: tokens.optional(),
  completion_tokens: tokens.optional(),
  input_tokens: tokens.optional(),
  output_tokens: tokens.optional(),
  total_tokens: tokens.optional().catch(undefined),
  prompt_tokens_details: detailsSchema.nullish().catch(null),
  completion_tokens_details: detailsSchema.nullish().catch(null),
  input_tokens_details: detailsSchema.nullish().catch(null),
  output_tokens_details: detailsSchema.nullish().catch(null),
  /** Number of cached input tokens in DeepSeek's API. */
  prompt_cache_hit_tokens: z.unknown().optional(),
});

/**
 * Reads the reported token usage, with the field names of Chat Completions or of Responses. Returns `null` if
 * the counts of input and output tokens are missing or invalid.
 *
 * Cached tokens cannot exceed input tokens, and reasoning tokens cannot exceed output tokens. A larger count
 * is set to 0, so that the full price applies. Google and xAI do not count reasoning tokens as output.
 * Therefore, if the total exceeds input plus output, the difference between them counts as output.
 */
export function usageOf(given: unknown): TokenUsage | null {
  const parsed = usageSchema.safeParse(given);
  if (!parsed.success) return null;
  const usage = parsed.data;
  const input = usage.prompt_tokens ?? usage.input_tokens;
  const answer = usage.completion_tokens ?? usage.output_tokens;
  if (input === undefined || answer === undefined) return null;
  const output = Math.max(answer, (usage.total_tokens ?? 0) - input);
  const read = usage.prompt_tokens_details ?? usage.input_tokens_details;
  const written = usage.completion_tokens_details ?? usage.output_tokens_details;
  return {
    input,
    cached: partOf(input, read?.cached_tokens ?? usage.prompt_cache_hit_tokens),
    output,
    reasoning: partOf(output, written?.reasoning_tokens),
  };
}

function partOf(whole: number, part: unknown): number {
  const count = tokens.safeParse(part);
  return count.success && count.data <= whole ? count.data : 0;
}

/**
 * Assumed number of characters of JSON per token. Most texts have more characters per token, so estimated
 * usage is usually too high rather than too low.
 */
const CHARACTERS_PER_TOKEN = 3;

/** Estimates the usage of an exchange from the length of its texts. */
export function estimatedUsage(body: Body, reply: ModelReply): TokenUsage {
  const { text, toolCalls, reasoning = '' } = reply;
  const count = (characters: number): number => Math.ceil(characters / CHARACTERS_PER_TOKEN);
  const thought = count(reasoning.length);
  return {
    estimated: true,
    input: count(JSON.stringify(body).length),
    cached: 0,
    output: count(text.length + (toolCalls.length === 0 ? 0 : JSON.stringify(toolCalls).length)) + thought,
    reasoning: thought,
  };
}
