import { z } from 'zod';
import { type Json, jsonSchema, type ServedBy, type TokenUsage } from '../../engine/index.ts';
import type { ToolDefinition } from '../../toolkit/index.ts';

/** Tool call as the model wrote it. `arguments` may be invalid JSON. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** Text, or a value if the server sends arguments as an object. */
  readonly arguments: Json;
  /** Further fields that the server needs back unchanged, for example Gemini's reasoning signature. */
  readonly extra?: Readonly<Record<string, Json>>;
}

/** Message of a decision's conversation, independent of the protocol. */
export type Message =
  | { readonly role: 'system' | 'user'; readonly text: string }
  | {
      readonly role: 'assistant';
      readonly text: string;
      readonly toolCalls: readonly ToolCall[];
      /** Fields that the server needs back unchanged, by name, such as reasoning. */
      readonly echo?: Readonly<Record<string, Json>>;
      /** Items of the Responses API, sent back unchanged. */
      readonly items?: readonly Json[];
    }
  | { readonly role: 'tool'; readonly callId: string; readonly name: string; readonly text: string };

/** End of a reply. */
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

/** Returns true if a value from a journal is a reply. */
export function isModelReply(value: unknown): value is ModelReply {
  return replySchema.safeParse(value).success;
}

/** Request of one exchange. */
export interface ModelRequest {
  readonly messages: readonly Message[];
  readonly tools: readonly ToolDefinition[];
  /** True for the last round, in which the model can only answer. */
  readonly final: boolean;
  /** Required form of the answer. Default: any text. */
  readonly answer?: AnswerRequest | undefined;
}

/** Form of an answer, and the method to request it. */
export interface AnswerRequest {
  /**
   * `json_schema` uses the server's JSON schema. `tool` uses one of `tools`, whose call is required in the
   * last round.
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
  /** @throws MalformedReply */
  reply(answer: unknown): Exchange;
  /**
   * Assembles the events of a stream into an answer for `reply`.
   *
   * @param closed returns true once the server has sent the stream's last mark, `[DONE]`
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
